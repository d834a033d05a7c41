package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Whatever goes wrong while a file is sorted in parts: a clear error, the files as they were, nothing left behind.
@Timeout(120)
class FileSortFaultTest {
    private static final int COUNT = 50_000;
    private static final long MEMORY = 3 * 8 * 1000;
    private static final byte[] OLD = {1, 2, 3};

    @TempDir
    private Path folder;

    private Sorter sorter;
    private byte[] before;
    private Path in;
    private Path out;

    @BeforeEach
    void writeFiles() throws IOException {
        sorter = SampleSort.onCpu().build(ElementType.LONG);
        before = new byte[8 * COUNT];
        new Random(42).nextBytes(before);
        in = Files.write(folder.resolve("in"), before);
        out = Files.write(folder.resolve("out"), OLD);
    }

    @AfterEach
    void close() {
        sorter.close();
    }

    /// Does something when a part of the bytes has been moved, once.
    private static FileListener at(double part, Action action) {
        AtomicInteger calls = new AtomicInteger();
        return new FileListener() {
            @Override
            public void moved(long movedBytes, long totalBytes) {
                if (movedBytes >= part * totalBytes && calls.getAndIncrement() == 0) {
                    try {
                        action.run();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }
            }
        };
    }

    @FunctionalInterface
    private interface Action {
        void run() throws IOException;
    }

    private SortReport sort(FileListener listener) throws IOException {
        return FileSort.with(sorter)
                .memory(MEMORY)
                .listener(listener)
                .sort(FileColumn.of(in).to(out));
    }

    private void assertNothingChanged() throws IOException {
        assertThat(Files.readAllBytes(in)).isEqualTo(before);
        assertThat(Files.readAllBytes(out)).isEqualTo(OLD);
        assertNoLitter();
    }

    private void assertNoLitter() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).containsExactlyInAnyOrder(in, out);
        }
    }

    @Test
    void anInputThatIsTruncatedMeanwhile() throws IOException {
        assertThatThrownBy(() -> sort(at(0, () -> {
                    try (RandomAccessFile file = new RandomAccessFile(in.toFile(), "rw")) {
                        file.setLength(8 * COUNT / 2);
                    }
                })))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(in + "")
                .hasMessageContaining("truncated");
        before = Files.readAllBytes(in);
        assertNothingChanged();
    }

    @Test
    void anInputThatGrowsMeanwhile() throws IOException {
        assertThatThrownBy(() -> sort(at(0, () -> Files.write(in, new byte[8], StandardOpenOption.APPEND))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("had 400000 bytes and has 400008 now: it was changed");
        before = Files.readAllBytes(in);
        assertNothingChanged();
    }

    @Test
    void anInputThatIsWrittenToMeanwhile() throws IOException {
        FileTime later = FileTime.fromMillis(Files.getLastModifiedTime(in).toMillis() + 1000);
        assertThatThrownBy(() -> sort(at(0.2, () -> Files.setLastModifiedTime(in, later))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was written to while it was sorted");
        assertNothingChanged();
    }

    @Test
    void whatIsWrittenToAFileThatWillBeReplacedIsNotLost() throws IOException {
        FileListener writer = at(0.9, () -> Files.write(in, new byte[8], StandardOpenOption.APPEND));
        assertThatThrownBy(() ->
                        FileSort.with(sorter).memory(MEMORY).listener(writer).sort(in))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed while it was sorted");
        assertThat(Files.size(in)).isEqualTo(8 * COUNT + 8);
        assertNoLitter();
    }

    @Test
    void anInterrupt() throws IOException {
        Thread caller = Thread.currentThread();
        for (double part : new double[] {0, 0.3, 0.6, 1}) {
            assertThatThrownBy(() -> sort(at(part, caller::interrupt)))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertNothingChanged();
        }
    }

    @Test
    void aSorterThatThrows() throws IOException {
        // Of some 3 million comparisons: in the first run, in later ones, among the cuts and in the buckets.
        for (int limit : new int[] {100, 200_000, 700_000}) {
            AtomicInteger calls = new AtomicInteger();
            Order order = Order.custom("a < b", (a, b) -> {
                if (calls.incrementAndGet() > limit) {
                    throw new IllegalStateException("not comparable");
                }
                return Long.compare(a.get(ValueLayout.JAVA_LONG, 0), b.get(ValueLayout.JAVA_LONG, 0));
            });
            try (Sorter throwing = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
                assertThatThrownBy(() -> FileSort.with(throwing)
                                .memory(40 * 1000)
                                .sort(FileColumn.of(in).to(out)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("not comparable");
            }
            assertThat(calls).hasValueGreaterThan(limit);
            assertNothingChanged();
        }
    }

    @Test
    void aListenerThatThrows() throws IOException {
        for (double part : new double[] {0, 0.4, 0.7, 1}) {
            assertThatThrownBy(() -> sort(at(part, () -> {
                        throw new IllegalStateException("listener");
                    })))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("listener");
            assertNothingChanged();
        }
    }

    @Test
    void anOutputFolderThatDisappears() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        FileListener remover = at(0.7, () -> {
            for (Path path : list(inner)) {
                Files.delete(path);
            }
            Files.delete(inner);
        });
        assertThatThrownBy(() -> FileSort.with(sorter)
                        .memory(MEMORY)
                        .listener(remover)
                        .sort(FileColumn.of(in).to(inner.resolve("sorted"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot put " + inner.resolve("sorted") + " in its place");
        assertNothingChanged();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    @Test
    void placesThatAreNoneAreRefused() throws IOException {
        FileSort sort = FileSort.with(sorter).memory(MEMORY);
        assertThatThrownBy(() -> sort.temporaryFolder(folder.resolve("no"))
                        .sort(FileColumn.of(in).to(out)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no for temporary files is not there: make it first");
        // Where nobody can make a file, not even root.
        Path unwritable = Path.of("/proc/self");
        if (Files.isDirectory(unwritable)) {
            assertThatThrownBy(() -> sort.temporaryFolder(unwritable)
                            .sort(FileColumn.of(in).to(out)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/proc/");
        }
        FileSort beside = FileSort.with(sorter).memory(MEMORY);
        assertThatThrownBy(() -> beside.sort(FileColumn.of(in).to(folder)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a folder");
        assertThatThrownBy(() -> beside.sort(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not there");
        assertThatThrownBy(() -> beside.sort(FileColumn.of(in).after(3).to(out)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("399997 bytes of elements, which is no multiple of 8");
        assertNothingChanged();
    }

    @Test
    void mistakesAreRefused() throws IOException {
        assertThatThrownBy(() -> FileSort.with(sorter).memory(20).sort(in))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("memory of 20 bytes is too little");
        assertThatThrownBy(() -> FileSort.with(sorter).memory(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileColumn.of(in).after(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FileSort.with(sorter).sort(FileColumn.of(in), FileColumn.of(out)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("for 0 payloads and was given 1 files");
        try (Sorter pairs = SampleSort.onCpu().payload(ElementType.BYTE).build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(pairs).sort(FileColumn.of(in), FileColumn.of(out)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("50000 keys and " + out + " 3 payloads");
            assertThatThrownBy(() -> FileSort.with(pairs)
                            .sort(
                                    FileColumn.of(in).to(out),
                                    FileColumn.of(in).after(8 * COUNT - COUNT).to(out)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("to the same file");
        }
        sorter.close();
        assertThatThrownBy(() -> sort(new FileListener() {})).isInstanceOf(IllegalStateException.class);
        assertNothingChanged();
    }

    @Test
    void aFullDiskShowsBefore() throws IOException {
        Path large = folder.resolve("large");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            // Nearly all of it a hole: it takes no room, the result and the sorted parts would.
            long bytes = Files.getFileStore(folder).getUsableSpace() / 3 * 2;
            file.setLength(bytes / 8 * 8);
        }
        assertThatThrownBy(() -> FileSort.with(sorter).memory(1L << 30).sort(large))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the disk of " + folder.toRealPath())
                .hasMessageContaining("for sorted parts and");
        Files.delete(large);
        assertNothingChanged();
    }

    @Test
    void leftoversAreRemovedAndTold() throws IOException {
        Path leftover = Files.write(folder.resolve(".out.0123456789abcdef.samplesort"), OLD);
        List<Path> removed = new ArrayList<>();
        sort(new FileListener() {
            @Override
            public void removed(Path path) {
                removed.add(path);
            }
        });
        assertThat(removed).containsExactly(folder.toRealPath().resolve(leftover.getFileName()));
        assertNoLitter();
    }

    @Test
    void sortsToTheSameFileLeaveEachOtherAlone() throws IOException {
        List<Path> removed = new ArrayList<>();
        try (Sorter other = SampleSort.onCpu().build(ElementType.LONG)) {
            sort(at(0.6, () -> {
                assertThat(list(folder)).hasSize(4);
                FileSort.with(other)
                        .memory(MEMORY)
                        .listener(new FileListener() {
                            @Override
                            public void removed(Path path) {
                                removed.add(path);
                            }
                        })
                        .sort(FileColumn.of(in).to(out));
                assertThat(list(folder)).hasSize(4);
            }));
        }
        assertThat(removed).isEmpty();
        assertThat(Files.size(out)).isEqualTo(8 * COUNT);
        assertNoLitter();
    }
}
