package io.samplesort.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines that are in order already, or nearly so. There are more of them than one thread sorts alone.
class SortedLinesTest {
    private static final int COUNT = 50_000;

    @TempDir
    Path folder;

    @Test
    void sortedLinesKeepTheirPlaces() throws Exception {
        List<String> lines = lines();
        SortReport report = sort(lines, lines, false);
        assertThat(report.elementCount()).isEqualTo(COUNT);
        assertThat(report.passes()).isZero();
        sort(lines, lines.stream().distinct().toList(), true);
    }

    @Test
    void aLineOutOfOrderIsFoundWhereverItIs() throws Exception {
        List<String> lines = lines();
        for (int place : new int[] {0, COUNT / 2, 4095, COUNT - 2}) {
            List<String> swapped = new ArrayList<>(lines);
            swapped.set(place, lines.get(place + 1) + "\u007f");
            List<String> expected = new ArrayList<>(swapped);
            Collections.sort(expected);
            sort(swapped, expected, false);
        }
    }

    /// Returns sorted lines of many lengths; most begin alike, and some are equal.
    private static List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            lines.add("a common beginning " + (1_000_000 + i / 3 * 3) + "x".repeat(i / 3 % 7));
        }
        lines.set(COUNT - 1, "z".repeat(600_000));
        return lines;
    }

    private SortReport sort(List<String> lines, List<String> expected, boolean isUnique) throws IOException {
        Path in = Files.write(folder.resolve("in"), lines);
        Path out = folder.resolve("out");
        LineSort sort = LineSort.with(SampleSort.onCpu(), LineOrder.bytes()).memory(64 << 20);
        if (isUnique) {
            sort.unique();
        }
        SortReport report = sort.sort(List.of(in), out);
        assertThat(Files.readAllLines(out)).isEqualTo(expected);
        return report;
    }
}
