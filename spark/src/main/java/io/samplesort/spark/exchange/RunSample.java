package io.samplesort.spark.exchange;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.blocks.Keys;
import java.io.Serializable;
import java.util.SplittableRandom;

/// A sample of a sorted run: the run is divided into equal parts, and one element is drawn from each part. So the
/// sample misses the true ranks by less than a random sample of all elements would.
///
/// @param partition the partition of the input that the run is from
/// @param number    which run of that partition it is
/// @param count     how many elements the run has
/// @param keys      the keys that were drawn, in order
/// @param places    where in the run they are
record RunSample(int partition, int number, int count, Keys keys, int[] places) implements Serializable {
    private static final long serialVersionUID = 1;

    /// Draws up to `size` elements. The same run gives the same sample each time.
    static <B> RunSample of(Run<B> run, BlockType<B> type, int size) {
        int count = type.count(run.block());
        int[] places = new int[Math.min(size, count)];
        SplittableRandom random = new SplittableRandom((long) run.partition() << Integer.SIZE | run.number());
        for (int i = 0; i < places.length; i++) {
            places[i] = (int) Math.min(count - 1, (i + random.nextDouble()) * count / places.length);
        }
        return new RunSample(
                run.partition(), run.number(), count, type.keys(run.block()).pick(places), places);
    }

    /// Returns how many elements of the run each of the sample stands for.
    double weight() {
        return (double) count / places.length;
    }
}
