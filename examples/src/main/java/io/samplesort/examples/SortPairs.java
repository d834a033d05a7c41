package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Sorts keys, and moves the payload of each key along with it. Keys and payloads lie in arrays of their own.
///
/// Run it with `examples/run SortPairs`. It prints:
///
/// ```
/// [1, 2, 3, 5] [10, 20, 30, 50]
/// [7, 7, 8, 9] [0.25, 0.75, 0.5, 1.0] [3, 1, 2, 0]
/// ```
public final class SortPairs {
    public static void main(String[] arguments) {
        long[] times = {5, 3, 1, 2};
        int[] values = {50, 30, 10, 20};
        SampleSort.sort(times, values);
        System.out.println(Arrays.toString(times) + " " + Arrays.toString(values));

        // A sorter takes payloads of any type and number. A stable one keeps the order of equal keys: here the two
        // sevens. Without stable() equal keys may change places, and with them their payloads.
        int[] groups = {9, 7, 8, 7};
        double[] weights = {1.0, 0.25, 0.5, 0.75};
        short[] ids = {0, 3, 2, 1};
        try (Sorter sorter = SampleSort.onBestDevice()
                .payloads(ElementType.DOUBLE, ElementType.SHORT)
                .stable()
                .build(ElementType.INT)) {
            sorter.sort(MemorySegment.ofArray(groups), MemorySegment.ofArray(weights), MemorySegment.ofArray(ids));
        }
        System.out.println(Arrays.toString(groups) + " " + Arrays.toString(weights) + " " + Arrays.toString(ids));
    }
}
