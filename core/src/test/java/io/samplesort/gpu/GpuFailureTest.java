package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.types.CudaException;
import io.samplesort.types.ElementType;
import io.samplesort.types.InsufficientDeviceMemoryException;
import io.samplesort.types.SampleSortException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever call of a sort fails: the input stays as it was, nothing is left behind, and the next sort is right.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuFailureTest {
    private static final int COUNT = 5000;

    private final Emulator emulator = Emulator.start();
    private final long[] keys = new SplittableRandom(3).longs(COUNT).toArray();
    private final int[] payloads = new SplittableRandom(4).ints(COUNT).toArray();
    private final long[] untouchedKeys = keys.clone();
    private final int[] untouchedPayloads = payloads.clone();
    private List<String> before;

    @BeforeEach
    void count() {
        before = emulator.leftovers();
    }

    @AfterEach
    void nothingIsLeft() {
        emulator.reset();
        assertThat(emulator.leftovers()).isEqualTo(before);
    }

    private static Sorter sorter() {
        return sorter(false);
    }

    private static Sorter sorter(boolean isStable) {
        SorterBuilder builder = SampleSort.onGpu()
                .payload(ElementType.INT)
                .tuning(GpuContractTest.TINY)
                .timesPhases(true);
        return (isStable ? builder.stable() : builder).build(ElementType.LONG);
    }

    /// A stable sort goes by index, and has memory of its own for sort keys and columns.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyAllocationMayFail(boolean isStable) {
        int n = 1;
        while (true) {
            emulator.inject(Fault.ALLOCATION, n);
            Throwable failure = catchThrowable(() -> {
                try (Sorter sorter = sorter(isStable)) {
                    sort(sorter, keys.clone(), payloads.clone());
                }
            });
            if (failure == null) {
                break;
            }
            assertThat(failure)
                    .as("allocation %d", n)
                    .isInstanceOfAny(CudaException.class, InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("OUT_OF_MEMORY");
            nothingIsLeft();
            try (Sorter sorter = sorter(isStable)) {
                emulator.inject(Fault.ALLOCATION, n);
                // Building has made some of them already, so the last of these sorts go through.
                long[] sorted = keys.clone();
                if (catchThrowable(() -> sort(sorter, sorted, payloads.clone())) != null) {
                    assertThat(sorted).as("keys after allocation %d", n).isEqualTo(untouchedKeys);
                }
                emulator.inject(Fault.ALLOCATION, 0);
                sortAndCheck(sorter);
            }
            n++;
        }
        emulator.inject(Fault.ALLOCATION, 0);
        assertThat(n).as("allocations that failed, each in turn").isGreaterThan(3);
    }

    @Test
    void everyLaunchMayFail() {
        int n = 1;
        while (true) {
            emulator.inject(Fault.LAUNCH, n);
            Throwable failure;
            try (Sorter sorter = sorter()) {
                failure = catchThrowable(() -> sort(sorter, keys, payloads));
                if (failure != null) {
                    assertThat(failure)
                            .as("launch %d", n)
                            .isInstanceOf(CudaException.class)
                            .hasMessageContaining("the launch of ");
                    assertUntouched("launch " + n);
                    sortAndCheck(sorter);
                }
            }
            if (failure == null) {
                break;
            }
            n++;
        }
        // Two passes of three kernels, five small sorts, one merge sort.
        assertThat(n).as("launches that failed, each in turn").isGreaterThanOrEqualTo(12);
        emulator.inject(Fault.LAUNCH, 0);
    }

    @Test
    void lostDeviceFailsEverySortAndIsClosedQuietlyOrWithItsError() {
        Sorter sorter = sorter();
        sortAndCheck(sorter);
        emulator.inject(Fault.LOST_DEVICE, 1);
        assertThatThrownBy(() -> sort(sorter, keys, payloads))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("LAUNCH_FAILED")
                .hasMessageContaining("restart the process");
        assertUntouched("a lost device");
        Throwable failure = catchThrowable(sorter::close);
        assertThat(failure == null || failure instanceof CudaException).isTrue();
    }

    /// A sort in chunks may fail when part of the result has been written. Then the error says what the input holds.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyLaunchOfASortInChunksMayFail(boolean goesThroughHost) {
        long[] elements = new SplittableRandom(8).longs(9000).toArray();
        long[] expected = elements.clone();
        Arrays.sort(expected);
        SorterBuilder builder = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=1,maxChunkCount=5");
        if (goesThroughHost) {
            builder.deviceMemory(110 << 10);
        }
        int untouched = 0;
        int restored = 0;
        int lost = 0;
        for (int n = 1; ; n += 7) {
            long[] sorted = elements.clone();
            emulator.inject(Fault.LAUNCH, n);
            try (Sorter sorter = builder.build(ElementType.LONG)) {
                Throwable failure = catchThrowable(() -> sorter.sort(sorted));
                emulator.inject(Fault.LAUNCH, 0);
                if (failure == null) {
                    assertThat(sorted).isEqualTo(expected);
                    break;
                }
                if (Arrays.equals(sorted, elements)) {
                    untouched++;
                } else if (failure.getMessage().contains("the input holds all its elements")) {
                    restored++;
                    Arrays.sort(sorted);
                    assertThat(sorted).isEqualTo(expected);
                } else {
                    lost++;
                    assertThat(failure)
                            .isInstanceOf(SampleSortException.class)
                            .hasMessageContaining("of the 72000 bytes of the input")
                            .hasMessageContaining("the input is lost");
                }
                long[] again = elements.clone();
                sorter.sort(again);
                assertThat(again).isEqualTo(expected);
            }
        }
        assertThat(untouched).isPositive();
        assertThat(goesThroughHost ? restored : lost).isPositive();
        assertThat(goesThroughHost ? lost : restored).isZero();
    }

    /// With threads that copy, nobody can say how far the copies came; but none is left at it, or waits for ever.
    @Test
    @Timeout(600)
    void threadsThatCopyEndWithTheSort() {
        long[] elements = new SplittableRandom(8).longs(16_000).toArray();
        long[] expected = elements.clone();
        Arrays.sort(expected);
        SorterBuilder builder = SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=3");
        int failures = 0;
        for (int n = 1; n < 90; n += 17) {
            try (Sorter sorter = builder.build(ElementType.LONG)) {
                emulator.inject(Fault.LAUNCH, n);
                failures += failsAtMost(sorter, elements);
                emulator.inject(Fault.LAUNCH, 0);
                emulator.inject(Fault.ALLOCATION, n);
                failures += failsAtMost(sorter, elements);
                emulator.inject(Fault.ALLOCATION, 0);
                long[] again = elements.clone();
                sorter.sort(again);
                assertThat(again).isEqualTo(expected);
            }
        }
        assertThat(failures).isGreaterThan(5);
    }

    private static int failsAtMost(Sorter sorter, long[] elements) {
        Throwable failure = catchThrowable(() -> sorter.sort(elements.clone()));
        if (failure != null) {
            assertThat(failure).isInstanceOfAny(CudaException.class, SampleSortException.class);
        }
        return failure == null ? 0 : 1;
    }

    private static void sort(Sorter sorter, long[] keys, int[] payloads) {
        sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
    }

    private void sortAndCheck(Sorter sorter) {
        long[] sorted = keys.clone();
        long[] expected = keys.clone();
        Arrays.sort(expected);
        sort(sorter, sorted, payloads.clone());
        assertThat(sorted).isEqualTo(expected);
    }

    private void assertUntouched(String what) {
        assertThat(keys).as("keys after %s", what).isEqualTo(untouchedKeys);
        assertThat(payloads).as("payloads after %s", what).isEqualTo(untouchedPayloads);
    }
}
