package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A sort of lines beside others: it is interrupted, its input grows, its folders are not there.
class LineSortTest {
    private static final long LITTLE = 64 << 10;

    @TempDir
    private Path folder;

    private Path in;
    private Path out;
    private String sorted;

    @BeforeEach
    void writeLines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 10_000; i < 30_000; i++) {
            lines.add(i + "\n");
        }
        sorted = String.join("", lines);
        Collections.shuffle(lines, new Random(5));
        in = Files.writeString(folder.resolve("in"), String.join("", lines));
        out = folder.resolve("out");
    }

    private static LineSort sort() {
        return LineSort.by(LineOrder.bytes()).device(Device.cpu());
    }

    /// Does something when a part of the bytes has been moved, once.
    private static FileListener at(double part, FileSortCase.Action action) {
        return FileSortCase.at(part, action);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.4, 0.7, 0.9})
    void anInterruptEndsItAsSuch(double part) throws IOException {
        Thread caller = Thread.currentThread();
        for (long memory : new long[] {LITTLE, 1 << 26}) {
            assertThatThrownBy(() -> sort().memory(memory)
                            .threads(1)
                            .listener(at(part, caller::interrupt))
                            .sort(List.of(in), out))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessage("the sort was interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(folder.toFile().list()).containsExactly("in");
        }
        assertThatThrownBy(() -> sort().listener(at(part, caller::interrupt)).merge(List.of(in, in), out))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(folder.toFile().list()).containsExactly("in");
    }

    @ParameterizedTest
    @ValueSource(longs = {LITTLE, 1 << 26})
    void whatIsAppendedMeanwhileIsLeftOutAndTold(long memory) throws IOException {
        List<Long> growth = new ArrayList<>();
        FileListener listener = new GrowingInput(growth);
        sort().memory(memory).listener(listener).sort(List.of(in), out);
        assertThat(out).hasContent(sorted);
        assertThat(growth).containsExactly(5L);
        // Lines that a result would replace are not lost.
        assertThatThrownBy(() ->
                        sort().memory(memory).listener(new GrowingInput(growth)).sort(List.of(in), in))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed while it was sorted");
        assertThat(in).content(StandardCharsets.US_ASCII).endsWith("more\nmore\n");
        assertThat(growth).hasSize(1);
    }

    /// Appends to the input, and hears that it has grown.
    private final class GrowingInput implements FileListener {
        private final FileListener appending =
                at(0.3, () -> Files.writeString(in, "more\n", StandardOpenOption.APPEND));
        private final List<Long> growth;

        GrowingInput(List<Long> growth) {
            this.growth = growth;
        }

        @Override
        public void moved(long movedBytes, long totalBytes) {
            appending.moved(movedBytes, totalBytes);
        }

        @Override
        public void grown(Path input, long bytes) {
            assertThat(input).isEqualTo(in);
            growth.add(bytes);
        }
    }

    @Test
    void aMissingFolderMattersOnlyToSortsThatNeedIt() throws IOException {
        Path missing = folder.resolve("missing");
        LineSort sort = sort().temporaryFolders(List.of(missing));
        assertThatThrownBy(() -> sort.memory(LITTLE).sort(List.of(in), out))
                .isInstanceOf(IOException.class)
                .hasMessage("the folder " + missing + " for temporary files is not there: make it first");
        assertThat(out).doesNotExist();
        sort.memory(1 << 26).sort(List.of(in), out);
        assertThat(out).hasContent(sorted);
    }
}
