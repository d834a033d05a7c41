package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A file that is sorted at once is read by several threads, and its beginning is written while the rest is sorted.
/// Whatever goes wrong then: a clear error, the files as they were, nothing left behind.
@Timeout(600)
class FileSortAtOnceFaultTest {
    private static final int COUNT = 5_000_000;
    private static final long BYTES = 8L * COUNT;
    private static final byte[] OLD = {1, 2, 3};

    @TempDir
    private Path folder;

    private final long[] keys = new SplittableRandom(7).longs(COUNT).toArray();
    private Sorter sorter;
    private Path in;
    private Path out;

    @BeforeEach
    void writeFiles() throws IOException {
        sorter = SampleSort.onCpu().build(ElementType.LONG);
        in = folder.resolve("in");
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(
                        in, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena).copyFrom(MemorySegment.ofArray(keys));
        }
        out = Files.write(folder.resolve("out"), OLD);
    }

    @AfterEach
    void close() {
        sorter.close();
    }

    private SortReport sort(FileListener listener) throws IOException {
        return FileSort.with(sorter)
                .memory(1L << 30)
                .listener(listener)
                .sort(FileColumn.of(in).to(out));
    }

    private long[] read(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena)
                    .toArray(ValueLayout.JAVA_LONG);
        }
    }

    private void assertNothingChanged() throws IOException {
        assertThat(Arrays.equals(read(in), keys)).isTrue();
        assertThat(Files.readAllBytes(out)).isEqualTo(OLD);
        assertNothingLeft();
    }

    private void assertNothingLeft() throws IOException {
        assertThat(FileSortCase.list(folder)).containsExactlyInAnyOrder(in, out);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("samplesort-read")
                        || thread.getName().startsWith("samplesort-write"));
    }

    /// The parts of the bytes that have been moved: in the middle of reading, at its end, and among the writing.
    private static final double[] PARTS = {0, 0.3, 0.5, 0.6, 0.8, 1};

    @Test
    void theBeginningIsWrittenWhileTheRestIsSorted() throws IOException {
        AtomicBoolean isWrittenEarly = new AtomicBoolean();
        FileListener watcher = new FileListener() {
            @Override
            public void moved(long movedBytes, long totalBytes) {
                if (movedBytes > BYTES && isSorting()) {
                    isWrittenEarly.set(true);
                }
            }
        };
        SortReport report = sort(watcher);
        // A busy machine may let the writing thread wait until all is sorted.
        for (int i = 0; i < 50 && !isWrittenEarly.get(); i++) {
            sort(watcher);
        }
        Arrays.sort(keys);
        assertThat(Arrays.equals(read(out), keys)).isTrue();
        assertThat(report.elementCount()).isEqualTo(COUNT);
        assertThat(report.stages()).hasSize(3);
        assertThat(isWrittenEarly).isTrue();
        assertNothingLeft();
    }

    private static boolean isSorting() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().endsWith("cpu.numbers.ParallelSort")
                        || frame.getClassName().endsWith("cpu.numbers.QuickSort"));
    }

    @Test
    void aListenerThatThrows() throws IOException {
        for (double part : PARTS) {
            assertThatThrownBy(() -> sort(FileSortCase.at(part, () -> {
                        throw new IllegalStateException("listener");
                    })))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("listener");
            assertNothingChanged();
        }
    }

    @Test
    void anInterrupt() throws IOException {
        Thread caller = Thread.currentThread();
        for (double part : PARTS) {
            assertThatThrownBy(() -> sort(FileSortCase.at(part, caller::interrupt)))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertNothingChanged();
        }
    }

    @Test
    void anInputThatIsTruncatedMeanwhile() throws IOException {
        assertThatThrownBy(() -> sort(FileSortCase.at(0, () -> {
                    try (RandomAccessFile file = new RandomAccessFile(in.toFile(), "rw")) {
                        file.setLength(BYTES / 2);
                    }
                })))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(in + "");
        assertThat(Files.readAllBytes(out)).isEqualTo(OLD);
        assertNothingLeft();
    }

    @Test
    void anInputThatIsWrittenToWhileItsResultIsWritten() throws IOException {
        assertThatThrownBy(() -> FileSort.with(sorter)
                        .memory(1L << 30)
                        .listener(FileSortCase.at(0.7, () -> Files.write(in, new byte[8], StandardOpenOption.APPEND)))
                        .sort(in))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed while it was sorted");
        assertThat(Files.size(in)).isEqualTo(BYTES + 8);
        assertNothingLeft();
    }
}
