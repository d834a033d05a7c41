package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.KeyColumn;
import io.samplesort.types.Keys;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The snippets of docs/columns.md, run. Each block of Java there stands here, word for word.
class ColumnsTutorialTest {
    record Trade(int id, double price, String name) {}

    @Test
    void everySnippetOfTheTutorialStandsHere() throws IOException {
        Snippets.assertStandIn(ColumnsTutorialTest.class, "docs/columns.md", 8);
    }

    private static Trade[] draw() {
        SplittableRandom random = new SplittableRandom(1);
        return IntStream.range(0, 1000)
                .mapToObj(i -> new Trade(i, random.nextInt(50), "name " + random.nextInt(100)))
                .toArray(Trade[]::new);
    }

    @Test
    void sortsObjects() {
        Trade[] trades = draw();
        List<Trade> list = new ArrayList<>(List.of(trades));
        Keys<Trade> keys = Keys.comparingDouble(Trade::price)
                .reversed()
                .thenComparingInt(Trade::id)
                .thenComparing(Trade::name);
        SampleSort.sort(trades, keys); // an array
        SampleSort.sort(trades, 100, 200, keys); // trades[100] to trades[199]
        SampleSort.sort(list, keys); // any list that can be changed
        assertThat(trades).isSortedAccordingTo(keys).containsExactlyElementsOf(list);
        try (ObjectSorter<Trade> sorter = SampleSort.onCpu().cpuThreads(2).buildObjects(keys)) {
            SortReport report = sorter.sort(trades);
            int[] order = sorter.argsort(trades); // the indexes in order; the array stays as it is
            System.out.println(report.total() + " " + order[0]);
        }
        Keys<Trade> byName = Keys.comparing(Trade::name).nullsLast().thenComparingInt(Trade::id);
        SampleSort.sort(trades, byName);
        assertThat(trades).isSortedAccordingTo(byName);
        SampleSort.sort(trades, Comparator.comparing(Trade::name, String.CASE_INSENSITIVE_ORDER));
        assertThat(Arrays.asList(trades)).isSortedAccordingTo(byName);
    }

    @Test
    void sortsTables() {
        MemorySegment bits = MemorySegment.ofArray(new byte[] {0b110});
        MemorySegment permutation = MemorySegment.ofArray(new long[3]);
        KeyColumn city = KeyColumn.of(Strings.utf8(List.of("Ulm", "Bonn", "Ulm")));
        KeyColumn score =
                KeyColumn.of(new double[] {9, 8.5, 7}).reversed().nullsLast().validity(bits);
        KeyColumn id = KeyColumn.of(new int[] {1, 2, 3}).unsigned();
        int[] order = SampleSort.argsort(city, score, id);
        assertThat(order).containsExactly(1, 2, 0);
        KeyColumn sortedScores = ColumnSorter.applyPermutation(order, score);
        double first = sortedScores.values().get(ValueLayout.JAVA_DOUBLE, 0);
        boolean isNull = sortedScores.isNull(0);
        assertThat(first).isEqualTo(8.5);
        assertThat(isNull).isFalse();
        assertThat(sortedScores.isNull(2)).isTrue();
        try (ColumnSorter sorter = SampleSort.onBestDevice().buildColumns()) {
            SortReport report = sorter.argsort(List.of(city, score, id), permutation); // a segment of ints or longs
            System.out.println(report.device() + " " + report.total());
        }
        assertThat(permutation.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 2, 0);
    }
}
