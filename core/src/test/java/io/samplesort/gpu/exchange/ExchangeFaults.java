package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.SeveralGpus;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// Sorts on two emulated GPUs; one of them fails, at one call after another.
final class ExchangeFaults {
    /// How many keys each GPU has.
    static final long[] SIZES = {500, 700};
    private static final int MOST_CALLS = 200;

    private ExchangeFaults() {}

    /// Checks that each failure says so, leaves the keys as they were if it says that, and leaves nothing else behind,
    /// and that the next sort is right.
    ///
    /// @param beds   makes what sorts longs on two GPUs
    /// @param isEach whether each call fails, or of the later ones fewer and fewer
    /// @return how many sorts failed before the first that did not
    static int failures(Supplier<ExchangeBed> beds, Fault fault, int gpu, boolean isEach) {
        long[] keys = new Random(3).longs(SIZES[0] + SIZES[1]).toArray();
        Emulator emulator = Emulator.start();
        int failures = 0;
        for (int n = 1; n < MOST_CALLS; n += isEach ? 1 : 1 + n / 2) {
            long[] memory = keys.clone();
            try (SeveralGpus several = SeveralGpus.of(2);
                    ExchangeBed bed = beds.get()) {
                List<String> before = emulator.leftovers();
                RuntimeException failure = sort(bed, memory, fault, gpu, n);
                if (failure == null) {
                    assertThat(memory).isSorted();
                    break;
                }
                failures++;
                assertThat(failure)
                        .as("%s of gpu:%d at call %d", fault, gpu, n)
                        .isInstanceOf(SampleSortException.class);
                if (failure.getMessage().contains("as it was")) {
                    assertThat(memory).isEqualTo(keys);
                }
                memory = keys.clone();
                bed.sort(SIZES, MemorySegment.ofArray(memory));
                assertThat(memory).isSorted();
                assertThat(emulator.leftovers()).isEqualTo(before);
            }
        }
        return failures;
    }

    /// Sorts keys while one call of a GPU fails. Returns what the sort has thrown, or null if it did not get there.
    static RuntimeException sort(ExchangeBed bed, long[] keys, Fault fault, int gpu, int call) {
        Emulator emulator = Emulator.start();
        return bed.sortThatFails(
                SIZES,
                () -> emulator.inject(gpu, fault, call),
                () -> {
                    emulator.inject(gpu, fault, 0);
                    emulator.reset();
                },
                MemorySegment.ofArray(keys));
    }
}
