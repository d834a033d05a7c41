package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Finds the order of one column, and puts other columns in that order. The first column stays as it is.
///
/// Run it with `examples/run ArgsortColumns`. It prints:
///
/// ```
/// [2, 0, 3, 1]
/// [30, 10, 40, 20]
/// [0.5, 2.5, 2.5, 7.0]
/// ```
public final class ArgsortColumns {
    public static void main(String[] arguments) {
        double[] scores = {2.5, 7.0, 0.5, 2.5};
        int[] ids = {10, 20, 30, 40};

        // The score at index 2 comes first. Equal scores come in the order of their indexes.
        int[] order = SampleSort.argsort(scores);
        System.out.println(Arrays.toString(order));

        // Columns of any type follow, each to an array of its own.
        int[] idsByScore = new int[ids.length];
        Sorter.applyPermutation(
                MemorySegment.ofArray(order),
                ElementType.INT,
                MemorySegment.ofArray(ids),
                MemorySegment.ofArray(idsByScore));
        System.out.println(Arrays.toString(idsByScore));

        double[] sortedScores = new double[scores.length];
        Sorter.applyPermutation(
                MemorySegment.ofArray(order),
                ElementType.DOUBLE,
                MemorySegment.ofArray(scores),
                MemorySegment.ofArray(sortedScores));
        System.out.println(Arrays.toString(sortedScores));
    }
}
