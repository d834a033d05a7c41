package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.emulator.Emulator;
import io.samplesort.errors.CudaException;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Work of several emulated GPUs that touches the same bytes: where nothing orders it, the emulator says so.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class PeerRaceTest {
    private final Emulator emulator = Emulator.start();

    @AfterEach
    void reset() {
        emulator.reset();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            write_numbers, write_numbers, has written
            write_numbers, copy_numbers, has read
            copy_numbers, write_numbers, has written
            count_up, count_up, has written
            """)
    void kernelsOfTwoGpusThatNothingOrdersRace(String far, String near, String verb) {
        int races = 0;
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(onTwoGpus(seed, near, far, true)).isNull();
            Throwable race = onTwoGpus(seed, near, far, false);
            assertThat(race).isInstanceOf(CudaException.class).hasMessageContaining("race: ");
            races += race.getMessage().contains(verb) ? 1 : 0;
        }
        assertThat(races).as("races in this order").isBetween(1, 20);
    }

    /// Runs a kernel on each of two GPUs, both on the numbers of the second one.
    private Throwable onTwoGpus(long seed, String nearKernel, String farKernel, boolean waits) {
        emulator.reset();
        emulator.setSeed(seed);
        try (SeveralGpus gpus = SeveralGpus.of(2);
                PeerBed all = new PeerBed(2)) {
            PeerBed.Gpu near = all.get(0);
            PeerBed.Gpu far = all.get(1);
            near.context.enablePeer(far.context);
            far.touch(farKernel, far.array());
            if (waits) {
                far.in(() -> far.event.record(far.stream));
                near.in(() -> near.stream.waitFor(far.event));
            }
            near.touch(nearKernel, far.array());
            return catchThrowable(() -> {
                near.synchronize();
                far.synchronize();
            });
        } catch (CudaException e) {
            // On a GPU that is lost, closing fails as well.
            return e;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void copiesAndKernelsOfTwoStreamsRace(boolean onOneGpu) {
        for (long seed = 1; seed <= 20; seed++) {
            emulator.reset();
            emulator.setSeed(seed);
            try (SeveralGpus gpus = SeveralGpus.of(2);
                    PeerBed all = new PeerBed(2)) {
                PeerBed.Gpu near = all.get(0);
                PeerBed.Gpu far = onOneGpu ? near : all.get(1);
                far.write(far.array(), 1);
                near.in(() -> {
                    try (Stream other = Stream.create(near.context)) {
                        other.copyBetween(near.pooledArray(), near.context, far.array(), far.context, PeerBed.BYTES);
                        assertThatThrownBy(() -> {
                                    other.synchronize();
                                    far.synchronize();
                                })
                                .hasMessageContaining("race: ")
                                .hasMessageContaining("with no stream, event or wait that orders the two");
                    }
                });
            } catch (CudaException e) {
                assertThat(e).hasMessageContaining("race: ");
            }
        }
    }

    @Test
    void aHostThatWaitsOrdersWork() {
        for (long seed = 1; seed <= 20; seed++) {
            emulator.setSeed(seed);
            try (SeveralGpus gpus = SeveralGpus.of(2);
                    PeerBed all = new PeerBed(2)) {
                all.get(0).context.enablePeer(all.get(1).context);
                all.get(1).write(all.get(1).array(), 1);
                all.get(1).synchronize();
                all.get(0).write(all.get(1).array(), 2);
                all.get(0).synchronize();
                assertThat(all.get(1).numbers()[0]).isEqualTo(2);
            }
        }
    }
}
