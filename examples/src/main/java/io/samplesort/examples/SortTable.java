package io.samplesort.examples;

import io.samplesort.ColumnSorter;
import io.samplesort.SampleSort;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Brings a table, whose columns are arrays, into the order `ORDER BY city, score DESC NULLS LAST`.
///
/// Run it with `examples/run SortTable`. It prints:
///
/// ```
/// [1, 4, 3, 0, 2]
/// Bonn 8.5
/// Bonn 8.5
/// Bonn null
/// Ulm 9.0
/// Ulm 7.0
/// ```
public final class SortTable {
    public static void main(String[] arguments) {
        Strings cities = Strings.utf8(List.of("Ulm", "Bonn", "Ulm", "Bonn", "Bonn"));
        double[] scores = {9, 8.5, 7, 0, 8.5};
        // Bit i is 0 where score i is null, as in Arrow.
        byte[] validity = {0b10111};

        KeyColumn city = KeyColumn.of(cities);
        KeyColumn score = KeyColumn.of(scores).reversed().nullsLast().validity(MemorySegment.ofArray(validity));
        // Rows 1 and 4 are equal, so they come in the order of their indexes.
        int[] order = SampleSort.argsort(city, score);
        System.out.println(Arrays.toString(order));

        KeyColumn sortedCities = ColumnSorter.applyPermutation(order, city);
        KeyColumn sortedScores = ColumnSorter.applyPermutation(order, score);
        double[] values = (double[]) sortedScores.values().heapBase().orElseThrow();
        for (int row = 0; row < order.length; row++) {
            String name = new String(sortedCities.strings().get(row), StandardCharsets.UTF_8);
            System.out.println(name + " " + (sortedScores.isNull(row) ? "null" : values[row]));
        }
    }
}
