package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.Selector;
import io.samplesort.types.ElementType;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Finds the 100 points that are nearest to each of some queries, the nearest first, as a search by embeddings does.
/// The distances to all points are computed, and a selector reads them once, without sorting them. Of points at the
/// same distance, the one with the smaller number comes first.
///
/// Run it with `examples/run FindNearest`. It prints:
///
/// ```
/// query 0: points [26369, 13551, 5333, 39726] and 96 more, all within 0.9595219
/// query 1: points [11871, 23197, 4989, 34552] and 96 more, all within 0.8847794
/// query 2: points [11435, 48001, 37754, 37658] and 96 more, all within 0.9965483
/// ```
public final class FindNearest {
    private static final int POINTS = 50_000;
    private static final int DIMENSIONS = 16;
    private static final int QUERIES = 3;
    private static final int NEAREST = 100;

    public static void main(String[] arguments) {
        SplittableRandom random = new SplittableRandom(1);
        float[][] points = vectors(POINTS, random);
        float[][] queries = vectors(QUERIES, random);

        float[] distances = new float[POINTS];
        try (Selector selector = SampleSort.onBestDevice().buildSelector(ElementType.FLOAT)) {
            for (int query = 0; query < QUERIES; query++) {
                for (int point = 0; point < POINTS; point++) {
                    distances[point] = squaredDistance(queries[query], points[point]);
                }
                int[] nearest = selector.argfirst(distances, NEAREST);
                double farthest = Math.sqrt(distances[nearest[NEAREST - 1]]);
                System.out.println("query " + query + ": points " + Arrays.toString(Arrays.copyOf(nearest, 4)) + " and "
                        + (NEAREST - 4) + " more, all within " + (float) farthest);
            }
        }
    }

    private static float[][] vectors(int count, SplittableRandom random) {
        float[][] vectors = new float[count][DIMENSIONS];
        for (float[] vector : vectors) {
            for (int i = 0; i < DIMENSIONS; i++) {
                vector[i] = (float) random.nextDouble();
            }
        }
        return vectors;
    }

    private static float squaredDistance(float[] one, float[] other) {
        float sum = 0;
        for (int i = 0; i < DIMENSIONS; i++) {
            float difference = one[i] - other[i];
            sum += difference * difference;
        }
        return sum;
    }
}
