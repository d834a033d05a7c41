package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.CudaException;
import io.samplesort.ElementType;
import io.samplesort.InsufficientDeviceMemoryException;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

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
        return SampleSort.onGpu()
                .payload(ElementType.INT)
                .tuning(GpuContractTest.TINY)
                .timesPhases(true)
                .build(ElementType.LONG);
    }

    @Test
    void everyAllocationMayFail() {
        int n = 1;
        while (true) {
            emulator.failAllocation(n);
            Throwable failure = catchThrowable(() -> {
                try (Sorter sorter = sorter()) {
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
            try (Sorter sorter = sorter()) {
                emulator.failAllocation(n);
                // Building has made some of them already, so the last of these sorts go through.
                long[] sorted = keys.clone();
                if (catchThrowable(() -> sort(sorter, sorted, payloads.clone())) != null) {
                    assertThat(sorted).as("keys after allocation %d", n).isEqualTo(untouchedKeys);
                }
                emulator.failAllocation(0);
                sortAndCheck(sorter);
            }
            n++;
        }
        emulator.failAllocation(0);
        assertThat(n).as("allocations that failed, each in turn").isGreaterThan(3);
    }

    @Test
    void everyLaunchMayFail() {
        int n = 1;
        while (true) {
            emulator.failLaunch(n);
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
        emulator.failLaunch(0);
    }

    @Test
    void lostDeviceFailsEverySortAndIsClosedQuietlyOrWithItsError() {
        Sorter sorter = sorter();
        sortAndCheck(sorter);
        emulator.loseDevice();
        assertThatThrownBy(() -> sort(sorter, keys, payloads))
                .isInstanceOf(CudaException.class)
                .hasMessageContaining("LAUNCH_FAILED")
                .hasMessageContaining("restart the process");
        assertUntouched("a lost device");
        Throwable failure = catchThrowable(sorter::close);
        assertThat(failure == null || failure instanceof CudaException).isTrue();
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
