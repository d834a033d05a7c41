package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever call fails on one of several GPUs: the message names the GPU, and says whether the input is as it was; that
/// is true; nothing is left behind on any GPU.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
@Timeout(600)
class GpuExchangeFailureTest {
    private static final long[] SIZES = ExchangeFaults.SIZES;

    private final Emulator emulator = Emulator.start();
    private SeveralGpus several;
    private List<String> before;

    @BeforeEach
    void count() {
        several = SeveralGpus.of(2);
        before = emulator.leftovers();
    }

    @AfterEach
    void nothingIsLeft() {
        emulator.reset();
        assertThat(emulator.leftovers()).isEqualTo(before);
        several.close();
    }

    private static ExchangeBed open(long memoryLimit) {
        return new ExchangeBed(new int[] {0, 1}, ElementType.LONG, List.of(), Order.natural(), false, memoryLimit);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void callsOfEitherGpuMayFail(Fault fault) {
        everyCallMayFail(0, fault, 2);
        everyCallMayFail(1, fault, 2);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    @Tag("exhaustive")
    void moreCallsOfEitherGpuMayFail(Fault fault) {
        everyCallMayFail(0, fault, 8);
        everyCallMayFail(1, fault, 8);
    }

    /// @param share the first calls fail one by one; after n calls, the next to fail is n / share + 1 further on
    private void everyCallMayFail(int gpu, Fault fault, int share) {
        long[] keys = new SplittableRandom(3).longs(1200).toArray();
        int failures = 0;
        int whole = 0;
        for (int n = 1; ; n += 1 + n / share) {
            long[] memory = keys.clone();
            try (ExchangeBed bed = open(Long.MAX_VALUE)) {
                // The first sort makes what is kept from one sort to the next.
                bed.sort(SIZES, MemorySegment.ofArray(keys.clone()));
                RuntimeException failure = ExchangeFaults.sort(bed, memory, fault, gpu, n);
                if (failure == null) {
                    break;
                }
                failures++;
                assertThat(failure).as("call %d", n).isInstanceOf(SampleSortException.class);
                assertThat(failure).as("call %d", n).hasMessageContaining("gpu:" + gpu);
                if (failure.getMessage().contains("as it was")
                        || failure instanceof InsufficientDeviceMemoryException) {
                    assertThat(memory).as("call %d", n).isEqualTo(keys);
                    whole++;
                } else if (failure.getMessage().contains("it is complete")) {
                    long[] sorted = keys.clone();
                    Arrays.sort(sorted);
                    assertThat(memory).as("call %d", n).isEqualTo(sorted);
                } else {
                    assertThat(failure).as("call %d", n).hasMessageContaining("its elements are lost");
                }
            }
        }
        assertThat(failures).as("calls that failed, each in turn").isPositive();
        assertThat(whole).as("of these, with the input as it was").isPositive();
    }

    @Test
    void tooLittleMemoryIsToldBeforeAnythingChanges() {
        long[] keys = new SplittableRandom(4).longs(1200).toArray();
        long[] memory = keys.clone();
        try (ExchangeBed bed = open(3_000)) {
            RuntimeException failure = bed.sortThatFails(SIZES, () -> {}, () -> {}, MemorySegment.ofArray(memory));
            assertThat(failure)
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("on gpu:0 needs");
        }
        assertThat(memory).isEqualTo(keys);
    }

    @Test
    void theGpuWithTooLittleMemoryIsNamed() {
        several.close();
        several = SeveralGpus.withMemory(64L << 20, 1L << 20);
        long[] keys = new SplittableRandom(5).longs(55_000).toArray();
        long[] memory = keys.clone();
        try (ExchangeBed bed = open(Long.MAX_VALUE)) {
            RuntimeException failure =
                    bed.sortThatFails(new long[] {7000, 48_000}, () -> {}, () -> {}, MemorySegment.ofArray(memory));
            assertThat(failure)
                    .isInstanceOf(InsufficientDeviceMemoryException.class)
                    .hasMessageContaining("on gpu:1 needs");
            assertThat(memory).isEqualTo(keys);
            bed.sort(new long[] {52_000, 3000}, MemorySegment.ofArray(memory));
        }
        Arrays.sort(keys);
        assertThat(memory).isEqualTo(keys);
    }

    @Test
    void anArgsortThatFailsLeavesTheElements() {
        long[] keys = new SplittableRandom(6).longs(1200).toArray();
        int failures = 0;
        for (int n = 1; ; n += 1 + n / 2) {
            int call = n;
            try (ExchangeBed bed =
                    new ExchangeBed(new int[] {0, 1}, ElementType.LONG, List.of(), Order.natural(), true, 1L << 40)) {
                long[] memory = keys.clone();
                RuntimeException failure = bed.argsortThatFails(
                        SIZES,
                        () -> emulator.inject(1, Fault.LAUNCH, call),
                        () -> emulator.inject(1, Fault.LAUNCH, 0),
                        MemorySegment.ofArray(memory));
                assertThat(memory).as("call %d", n).isEqualTo(keys);
                if (failure == null) {
                    break;
                }
                failures++;
                assertThat(failure).as("call %d", n).hasMessageContaining("gpu:1");
            }
        }
        assertThat(failures).isPositive();
    }

    @Test
    void oneSorterSortsManyTimes() {
        try (ExchangeBed bed = open(Long.MAX_VALUE)) {
            for (int trial = 0; trial < 5; trial++) {
                long[] keys =
                        new SplittableRandom(trial).longs(1200 - 100 * trial).toArray();
                long[] expected = keys.clone();
                Arrays.sort(expected);
                MemorySegment memory = MemorySegment.ofArray(keys);
                bed.sort(new long[] {100 * trial, 1200 - 200 * trial}, memory);
                assertThat(memory.toArray(ValueLayout.JAVA_LONG)).isEqualTo(expected);
            }
        }
    }
}
