package io.samplesort.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.LineOrder;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The order of counted lines, which is that of `sort -rn`.
class LinesByCountTest {
    private static final List<String> OF_SEVEN_COLUMNS =
            List.of("9999999 a", "1000000 z", "1000000 b", "     20 1", "      3 x", "      3 ", "      1 99");
    private static final List<String> WIDE =
            List.of("123456789012 c", "10000001 a", "10000000 b", "10000000 a", "9999999 z", "     20 1", "      3 x");

    @TempDir
    private Path folder;

    private void check(List<String> lines, boolean areOfOneWidth) throws IOException {
        List<String> shuffled = new ArrayList<>(lines);
        Collections.shuffle(shuffled);
        Path in = Files.write(folder.resolve("in"), shuffled);
        Path out = folder.resolve("out");
        LineJob job = new LineJob(
                        List.of(in),
                        out,
                        false,
                        LineOrder.bytes(),
                        Repeats.COUNTED,
                        1 << 20,
                        1,
                        2,
                        List.of(folder),
                        null)
                .byCount(areOfOneWidth, 1 << 20);
        try (StringCpuSorter sorter = new StringCpuSorter(job.stringOrder(), 1)) {
            new ExternalLineSort(
                            job,
                            (strings, permutation) -> sorter.argsort(strings, permutation, Integer.BYTES),
                            new FileListener() {})
                    .sort();
        }
        assertThat(Files.readAllLines(out)).isEqualTo(lines);
    }

    @Test
    void theGreatestNumberComesFirst() throws IOException {
        check(OF_SEVEN_COLUMNS, true);
        check(OF_SEVEN_COLUMNS, false);
        check(WIDE, false);
    }

    @Test
    void widthsAreThoseOfTheNumbers() {
        LineTally tally = new LineTally();
        assertThat(tally.areCountsOfOneWidth()).isTrue();
        tally.handOn(2, 10);
        tally.count(30, 16);
        assertThat(tally.areCountsOfOneWidth()).isTrue();
        tally.handOn(1, 5);
        tally.count(10_000_000, 9);
        assertThat(tally.areCountsOfOneWidth()).isFalse();
    }
}
