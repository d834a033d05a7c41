package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.util.Arrays;
import java.util.Random;

/// Sorts arrays of numbers: once, in part, and with a sorter that is kept for many sorts and knows another order.
///
/// Run it with `examples/run SortArray`. It prints:
///
/// ```
/// [-3.5, 0.0, 18.25, 36.6, NaN]
/// [9, 6, 7, 8, 5]
/// 1000000 elements, from 18446725723489601618 down to 65863136924303
/// ```
public final class SortArray {
    public static void main(String[] arguments) {
        // A GPU sorts where there is one and the array is large enough to gain from it. Otherwise the CPU does.
        double[] temperatures = {18.25, Double.NaN, -3.5, 36.6, 0.0};
        SampleSort.sort(temperatures);
        System.out.println(Arrays.toString(temperatures));

        // Only the elements 1 to 3.
        int[] numbers = {9, 8, 7, 6, 5};
        SampleSort.sort(numbers, 1, 4);
        System.out.println(Arrays.toString(numbers));

        // A sorter keeps its compiled kernels and its buffers, so that the next sort does not make them again.
        long[] hashes = new Random(1).longs(1_000_000).toArray();
        try (Sorter sorter =
                SampleSort.onBestDevice().order(Order.unsigned().reversed()).build(ElementType.LONG)) {
            SortReport report = sorter.sort(hashes);
            System.out.println(report.elementCount() + " elements, from " + Long.toUnsignedString(hashes[0])
                    + " down to " + Long.toUnsignedString(hashes[hashes.length - 1]));
        }
    }
}
