package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Snippets;
import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The snippet of docs/library.md about lines, run. It stands here word for word.
class LinesTutorialTest {
    @TempDir
    private Path scratch;

    @Test
    void theSnippetStandsHere() throws IOException {
        Snippets.assertStandIn(LinesTutorialTest.class, "docs/library.md", "Sort lines of text");
    }

    @Test
    void sortsLines() throws IOException {
        Path words = Files.writeString(scratch.resolve("words.txt"), "pear\napple\nfig");
        Path sorted = scratch.resolve("sorted.txt");
        Path monday = Files.writeString(scratch.resolve("monday.csv"), "pear,-3\nplum,9.5\n");
        Path tuesday = Files.writeString(scratch.resolve("tuesday.csv"), "fig,11\napple,9.5\n");
        Path week = scratch.resolve("week.csv");

        LineSort.with(SampleSort.onBestDevice(), LineOrder.bytes())
                .sort(List.of(words), sorted); // files, or LineSort.STANDARD_INPUT
        LineOrder byPrice = LineOrder.by(
                        LineKey.fields(2, 2).as(LineKey.Kind.NUMERIC).reversed())
                .separatedBy(',');
        SortReport report = LineSort.with(SampleSort.onBestDevice().cpuThreads(8), byPrice)
                .memory(4L << 30)
                .temporaryFolder(scratch)
                .sort(List.of(monday, tuesday), week);

        assertThat(sorted).hasContent("apple\nfig\npear\n");
        assertThat(week).hasContent("fig,11\napple,9.5\nplum,9.5\npear,-3\n");
        assertThat(report.elementCount()).isEqualTo(4);
    }
}
