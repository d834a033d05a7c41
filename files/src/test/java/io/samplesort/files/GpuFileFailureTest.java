package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import io.samplesort.emulator.Emulator.Fault;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.files.types.FileListener;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.GpuEnvironment;
import io.samplesort.gpu.SeveralGpus;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A GPU that fails while a file is sorted, or a thread that is interrupted meanwhile: the file stays as it was,
/// nothing is left behind, and the next sort is right.
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
        try (Sorter sorter = sorter()) {
            assertThatThrownBy(() -> FileSort.with(sorter)
                            .memory(MEMORY)
                            .listener(listener)
                            .sort(file))
                    .isInstanceOfAny(CudaException.class, SampleSortException.class);
        } catch (CudaException e) {
            // Of a device that is lost, closing the sorter fails as well.
            assertThat(isDone).isTrue();
        }
        assertAsItWas("after a fault at " + part);
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

    private Sorter sorter() {
        return SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG);
    }

    private void assertAsItWas(String what) throws IOException {
        assertThat(Files.readAllBytes(file)).as(what).isEqualTo(before);
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).as(what).containsExactly(file);
        }
    }

    private void sortAndCheck(Sorter sorter) throws IOException {
        FileSort.with(sorter).memory(MEMORY).sort(file);
        long[] expected = longs(before);
        Arrays.sort(expected);
        assertThat(longs(Files.readAllBytes(file))).isEqualTo(expected);
        Files.write(file, before);
    }

    private static long[] longs(byte[] bytes) {
        return MemorySegment.ofArray(bytes).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    }

    /// Some calls of the driver fail in turn, from the first on.
    @ParameterizedTest
    @EnumSource(Fault.class)
    void callsMayFail(Fault fault) throws IOException {
        checkFailures(fault, 3, 1);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(Fault.class)
    void moreCallsMayFail(Fault fault) throws IOException {
        checkFailures(fault, 2, Boolean.getBoolean("tests.everything") ? Integer.MAX_VALUE : 4);
    }

    /// @param second the second call that fails
    /// @param share  the first calls fail one by one; after n calls, the next to fail is n / share + 1 further on
    private void checkFailures(Fault fault, int second, int share) throws IOException {
        List<String> leftovers = emulator.leftovers();
        int failures = 0;
        for (int n = 1; fails(fault, n); n = n == 1 ? second : n + 1 + n / share) {
            failures++;
            emulator.reset();
            assertThat(emulator.leftovers())
                    .as("left behind by %s at call %d", fault, n)
                    .isEqualTo(leftovers);
            try (Sorter next = sorter()) {
                sortAndCheck(next);
            }
        }
        assertThat(failures).as("calls that failed, each in turn").isPositive();
    }

    /// Sorts with a GPU whose n-th call fails. Returns false if there are fewer calls.
    private boolean fails(Fault fault, int n) throws IOException {
        AtomicReference<Sorter> sorter = new AtomicReference<>();
        emulator.inject(fault, n);
        Throwable failure = catchThrowable(() -> {
            sorter.set(sorter());
            FileSort.with(sorter.get()).memory(MEMORY).sort(file);
        });
        emulator.inject(fault, 0);
        if (failure == null) {
            Files.write(file, before);
        } else {
            assertThat(failure).isInstanceOf(SampleSortException.class);
            assertAsItWas(fault + " at call " + n);
        }
        // Of a device that is lost, closing the sorter fails as well.
        Throwable closing = catchThrowable(() -> {
            try (Sorter closed = sorter.get()) {}
        });
        assertThat(closing == null || fault == Fault.LOST_DEVICE).isTrue();
        return failure != null;
    }

    /// What a sorter keeps between sorts does not grow by those that fail.
    @Test
    void failuresUseUpNothing() throws IOException {
        try (Sorter sorter = sorter()) {
            sortAndCheck(sorter);
            List<String> kept = emulator.leftovers();
            for (Fault fault : List.of(Fault.LAUNCH, Fault.COPY)) {
                for (int n = 1; n < 30; n += 6) {
                    emulator.inject(fault, n);
                    Throwable failure = catchThrowable(
                            () -> FileSort.with(sorter).memory(MEMORY).sort(file));
                    emulator.inject(fault, 0);
                    if (failure != null) {
                        assertAsItWas(fault + " at call " + n);
                    }
                    Files.write(file, before);
                    sortAndCheck(sorter);
                    assertThat(emulator.leftovers()).isEqualTo(kept);
                }
            }
        }
    }

    /// The thread is interrupted when the first piece of the file has been read.
    @Test
    void anInterrupt() throws Exception {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = SampleSort.onGpus(0, 1)
                        .tuning(GpuContractTest.TINY)
                        .tuning("chunkBytes=8192,transferBytes=4096,transferThreads=2")
                        .build(ElementType.LONG)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Thread.ofPlatform()
                    .start(() -> {
                        Thread sorting = Thread.currentThread();
                        FileListener listener = new FileListener() {
                            @Override
                            public void moved(long movedBytes, long totalBytes) {
                                sorting.interrupt();
                            }
                        };
                        failure.set(catchThrowable(
                                () -> FileSort.with(sorter).listener(listener).sort(file)));
                        isInterrupted.set(sorting.isInterrupted());
                    })
                    .join();
            assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
            assertThat(isInterrupted).isTrue();
            assertAsItWas("after the interrupt");
            sortAndCheck(sorter);
        }
    }
}
