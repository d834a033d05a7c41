package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What else a sort of lines meets: it is interrupted, its input grows, its folders are not there.
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
        return with(SampleSort.onCpu());
    }

    private static LineSort with(SorterBuilder builder) {
        return LineSort.with(builder, LineOrder.bytes());
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
            assertThatThrownBy(() -> with(SampleSort.onCpu().cpuThreads(1))
                            .memory(memory)
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
        LineSort sort = sort().temporaryFolder(missing);
        assertThatThrownBy(() -> sort.memory(LITTLE).sort(List.of(in), out))
                .isInstanceOf(IOException.class)
                .hasMessage("the folder " + missing + " for temporary files is not there: make it first");
        assertThat(out).doesNotExist();
        sort.memory(1 << 26).sort(List.of(in), out);
        assertThat(out).hasContent(sorted);
    }

    /// Lines that fit in the memory need no folder, however many others there are.
    @Test
    void fewLinesAreFoundWithoutTemporaryFiles() throws IOException {
        Path missing = folder.resolve("missing");
        LineSort sort = sort().temporaryFolder(missing).memory(300 << 10);
        SortReport report = sort.first(3).sort(List.of(in), out);
        assertThat(out).hasContent("10000\n10001\n10002\n");
        assertThat(report.elementCount()).isEqualTo(20_000);
        sort.last(2).sort(List.of(in), out);
        assertThat(out).hasContent("29998\n29999\n");
        assertThatThrownBy(() -> sort.first(19_000).sort(List.of(in), out))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not there: make it first");
        sort.temporaryFolder(folder).first(19_000).sort(List.of(in), out);
        assertThat(out).hasContent(sorted.substring(0, 6 * 19_000));
    }

    @Test
    void onlySortsWriteAPartOfTheLines() {
        assertThatThrownBy(() -> sort().first(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the first -1 lines: must not be negative");
        assertThatThrownBy(() -> sort().last(1).merge(List.of(in), out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("merge with last: only sort writes a part of the lines; leave it out");
        assertThatThrownBy(() -> sort().first(1).firstDisorder(in))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("firstDisorder with first: ");
        assertThat(out).doesNotExist();
    }

    @Test
    void partsGoToEachOfSeveralFolders() throws IOException {
        Path[] folders = {folder.resolve("one"), folder.resolve("two"), folder.resolve("three")};
        for (Path each : folders) {
            Files.createDirectory(each);
        }
        AtomicInteger used = new AtomicInteger();
        FileListener listener = at(0.4, () -> {
            for (Path each : folders) {
                used.addAndGet(each.toFile().list().length);
            }
        });
        sort().memory(LITTLE)
                .temporaryFolder(folders[0], folders[1], folders[2])
                .listener(listener)
                .sort(List.of(in), out);
        assertThat(used).hasValue(3);
        assertThat(out).hasContent(sorted);
    }

    @Test
    void theBuilderSaysHowManyThreadsWork() throws IOException {
        SorterBuilder builder = SampleSort.onCpu().cpuThreads(1);
        LineSort sort = with(builder);
        // The sort keeps what the builder said when it was handed over.
        builder.cpuThreads(2).inPlace();
        assertThat(sort.sort(List.of(in), out).device()).isEqualTo("cpu, 1 thread");
        assertThat(out).hasContent(sorted);
    }

    @Test
    void optionsWithoutEffectOnLinesAreRefused() {
        for (SorterBuilder builder : List.of(
                SampleSort.onCpu().order(Order.natural()),
                SampleSort.onCpu().payload(ElementType.INT),
                SampleSort.onCpu().inPlace(),
                SampleSort.onCpu().timesPhases())) {
            assertThatThrownBy(() -> with(builder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("which has no effect on a sorter of lines: ");
        }
        assertThatThrownBy(() -> with(SampleSort.onCpu().order(Order.natural())))
                .hasMessageEndingWith("give the order to LineSort.with(builder, order)");
        assertThatThrownBy(() -> with(SampleSort.onGpus()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a sorter of lines on gpus: several GPUs sort numbers and records together;"
                        + " for this name one, such as gpu:0");
    }
}
