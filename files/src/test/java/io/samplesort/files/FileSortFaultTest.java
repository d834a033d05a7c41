package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whatever goes wrong while a file is sorted in parts: a clear error, the files as they were, nothing left behind.
@Timeout(600)
class FileSortFaultTest extends FileSortCase {
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
        FileListener appending = at(0, () -> Files.write(in, new byte[8], StandardOpenOption.APPEND));
        List<Long> growth = new ArrayList<>();
        sort(new FileListener() {
            @Override
            public void moved(long movedBytes, long totalBytes) {
                appending.moved(movedBytes, totalBytes);
            }

            @Override
            public void grown(Path input, long bytes) {
                assertThat(input).isEqualTo(in);
                growth.add(bytes);
            }
        });
        // What was there before is sorted.
        assertThat(growth).containsExactly(8L);
        assertThat(out).hasSize(8 * COUNT);
        assertNoLitter();
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
    void anInputThatIsReplacedMeanwhile() throws IOException {
        // The other file has the same size and time, so only its identity tells.
        Path other = Files.copy(in, folder.resolve("other"), StandardCopyOption.COPY_ATTRIBUTES);
        assertThatThrownBy(() -> sort(at(0.2, () -> Files.move(other, in, StandardCopyOption.REPLACE_EXISTING))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(in + " was replaced by another file while it was sorted");
        assertNothingChanged();
    }

    @Test
    void aFileThatTookThePlaceOfTheInputIsNotOverwritten() throws IOException {
        byte[] others = new byte[8 * COUNT];
        Path other = Files.write(folder.resolve("other"), others);
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(in));
        FileListener replacing = at(0.9, () -> Files.move(other, in, StandardCopyOption.REPLACE_EXISTING));
        assertThatThrownBy(() ->
                        FileSort.with(sorter).memory(MEMORY).listener(replacing).sort(in))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(in + " was replaced by another file");
        assertThat(Files.readAllBytes(in)).isEqualTo(others);
        assertNoLitter();
    }

    @Test
    void anInputThatWasRemovedDoesNotComeBack() throws IOException {
        for (double part : new double[] {0.2, 0.9}) {
            Files.write(in, before);
            FileListener remover = at(part, () -> Files.delete(in));
            assertThatThrownBy(() -> FileSort.with(sorter)
                            .memory(MEMORY)
                            .listener(remover)
                            .sort(in))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(in + " is not there any more: it was removed or renamed while it was sorted")
                    .hasMessageContaining("nothing was put in its place");
            assertThat(list(folder)).containsExactly(out);
        }
        // The whole input was read before it was removed, so its sorted copy is right.
        Files.write(in, before);
        sort(at(0.9, () -> Files.delete(in)));
        assertThat(Files.size(out)).isEqualTo(8 * COUNT);
        assertThat(list(folder)).containsExactly(out);
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
}
