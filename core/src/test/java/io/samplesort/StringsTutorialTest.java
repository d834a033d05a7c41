package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.DistinctStrings;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The snippets of docs/strings.md, run. Each block of Java there stands here, word for word.
class StringsTutorialTest {
    @Test
    void everySnippetOfTheTutorialStandsHere() throws IOException {
        Snippets.assertStandIn(StringsTutorialTest.class, "docs/strings.md", 5);
    }

    @Test
    void sortsStringsOfJava() {
        String[] names = {"pear", "apple", "fig", "Äpfel", "apple"};
        SampleSort.sort(names);
        int[] order = SampleSort.argsort(names);
        assertThat(names).containsExactly("apple", "apple", "fig", "pear", "Äpfel");
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void sortsLines() {
        byte[] text = "pear\napple\nfig\napple\n".getBytes(StandardCharsets.UTF_8);
        long[] lineStarts = {0, 5, 11, 15, 21};
        Strings lines = Strings.of(text, lineStarts).withoutLast(1);
        try (StringSorter sorter = SampleSort.onBestDevice().buildStrings(StringOrder.bytes())) {
            int[] permutation = sorter.argsort(lines);
            Strings sorted = sorter.sorted(lines);
            DistinctStrings distinct = sorter.distinct(lines);
            boolean isSorted = sorter.isSorted(sorted);
            String most = new String(lines.get(distinct.indexes()[0]), StandardCharsets.UTF_8);
            assertThat(permutation).containsExactly(1, 3, 2, 0);
            assertThat(new String(sorted.bytes().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
                    .isEqualTo("apple\napple\nfig\npear\n");
            assertThat(distinct.counts()).containsExactly(2, 1, 1);
            assertThat(isSorted).isTrue();
            assertThat(most).isEqualTo("apple");
        }
    }

    @Test
    void bringsColumnsIntoOrder() {
        byte[] bytes = "pearapplefig".getBytes(StandardCharsets.UTF_8);
        int[] offsets = {0, 4, 9, 12};
        Strings fruits = Strings.of(bytes, offsets);
        double[] prices = {3, 1, 2};
        double[] pricesByName = new double[3];
        Strings colours = Strings.utf8(Arrays.asList("green", "red", "blue"));
        byte[] coloursByName = new byte[12];
        long[] offsetsByName = new long[4];
        try (StringSorter sorter = SampleSort.onBestDevice().buildStrings(StringOrder.bytes())) {
            MemorySegment byName = MemorySegment.ofArray(new int[3]);
            sorter.argsort(fruits, byName);
            Sorter.applyPermutation(
                    byName, ElementType.DOUBLE, MemorySegment.ofArray(prices), MemorySegment.ofArray(pricesByName));
            StringSorter.applyPermutation(
                    byName, colours, MemorySegment.ofArray(coloursByName), MemorySegment.ofArray(offsetsByName));
        }
        assertThat(pricesByName).containsExactly(1, 2, 3);
        assertThat(new String(coloursByName, StandardCharsets.UTF_8)).isEqualTo("redbluegreen");
        assertThat(offsetsByName).containsExactly(0, 3, 7, 12);
    }
}
