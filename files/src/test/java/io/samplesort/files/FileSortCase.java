package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Two files, one to be sorted in dozens of parts into the place of the other.
abstract class FileSortCase {
    protected static final int COUNT = 50_000;
    protected static final long MEMORY = 3 * 8 * 1000;
    protected static final byte[] OLD = {1, 2, 3};

    @TempDir
    protected Path folder;

    protected Sorter sorter;
    protected byte[] before;
    protected Path in;
    protected Path out;

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
    protected static FileListener at(double part, Action action) {
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
    protected interface Action {
        void run() throws IOException;
    }

    protected SortReport sort(FileListener listener) throws IOException {
        return FileSort.with(sorter)
                .memory(MEMORY)
                .listener(listener)
                .sort(FileColumn.of(in).to(out));
    }

    protected void assertNothingChanged() throws IOException {
        assertThat(Files.readAllBytes(in)).isEqualTo(before);
        assertThat(Files.readAllBytes(out)).isEqualTo(OLD);
        assertNoLitter();
    }

    protected void assertNoLitter() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).containsExactlyInAnyOrder(in, out);
        }
    }

    protected static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
