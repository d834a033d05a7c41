package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.FileSort;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.types.ElementType;
import io.samplesort.types.FileListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A GPU that fails in the middle of a file: the file stays as it was, and nothing is left behind.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuFileFailureTest {
    private static final long MEMORY = 3 * 8 * 1000;

    @TempDir
    private Path folder;

    private final Emulator emulator = Emulator.start();
    private final byte[] before = new byte[8 * 10_000];
    private Path file;

    @BeforeEach
    void write() throws IOException {
        new Random(5).nextBytes(before);
        file = Files.write(folder.resolve("keys"), before);
    }

    @AfterEach
    void reset() {
        emulator.reset();
    }

    private void assertFails(double part, Runnable fault) throws IOException {
        AtomicBoolean isDone = new AtomicBoolean();
        FileListener listener = new FileListener() {
            @Override
            public void moved(long movedBytes, long totalBytes) {
                if (movedBytes >= part * totalBytes && isDone.compareAndSet(false, true)) {
                    fault.run();
                }
            }
        };
        try (Sorter sorter = SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(sorter)
                            .memory(MEMORY)
                            .listener(listener)
                            .sort(file))
                    .isInstanceOfAny(CudaException.class, SampleSortException.class);
        } catch (CudaException e) {
            // Of a device that is lost, closing the sorter fails as well.
            assertThat(isDone).isTrue();
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).containsExactly(file);
        }
    }

    @Test
    void aLaunchThatFails() throws IOException {
        for (double part : new double[] {0, 0.3, 0.7}) {
            assertFails(part, () -> emulator.inject(Fault.LAUNCH, 1));
            emulator.reset();
        }
    }

    @Test
    void memoryThatRunsOut() throws IOException {
        for (double part : new double[] {0, 0.3, 0.7}) {
            assertFails(part, () -> emulator.inject(Fault.ALLOCATION, 1));
            emulator.reset();
        }
    }

    @Test
    void aDeviceThatIsLost() throws IOException {
        // Before the first sort: in the middle of one, the device's memory is lost with it.
        assertFails(0, () -> emulator.inject(Fault.LOST_DEVICE, 1));
    }
}
