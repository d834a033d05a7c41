package io.samplesort.spark.ranges;

import io.samplesort.spark.rows.RowOrder;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// The keys of some rows of a partition, drawn at random.
///
/// @param partition the partition of the input
/// @param count     how many rows it has
/// @param keys      rows of only the keys, in the order in which they were drawn
/// @param places    which row of the partition each belongs to
record KeySample(int partition, long count, UnsafeRow[] keys, long[] places) implements Serializable {
    private static final long serialVersionUID = 1;

    /// Returns how many rows of the partition each key stands for.
    double weight() {
        return (double) count / keys.length;
    }

    /// Draws a sample of each partition, without work for each row: it draws how many rows to skip (K.-H. Li,
    /// *Reservoir-Sampling Algorithms of Time Complexity O(n(1 + log(N/n)))*, 1994, algorithm L).
    ///
    /// @param order the order of the rows
    /// @param size  how many keys are drawn, as long as there are as many rows
    record Draw(RowOrder order, int size) implements Function2<Integer, Iterator<InternalRow>, Iterator<KeySample>> {
        private static final long serialVersionUID = 1;

        @Override
        public Iterator<KeySample> call(Integer partition, Iterator<InternalRow> rows) {
            SplittableRandom random = new SplittableRandom(partition);
            UnsafeProjection keysOf = order.keyProjection();
            UnsafeRow[] keys = new UnsafeRow[size];
            long[] places = new long[size];
            double weight = 1;
            long next = 0;
            long count = 0;
            for (; rows.hasNext(); count++) {
                InternalRow row = rows.next();
                if (count < next) {
                    continue;
                }
                int slot = count < size ? (int) count : random.nextInt(size);
                keys[slot] = keysOf.apply(row).copy();
                places[slot] = count;
                next = count + 1;
                if (next >= size) {
                    weight *= Math.exp(Math.log(1 - random.nextDouble()) / size);
                    next += (long) (Math.log(1 - random.nextDouble()) / Math.log(1 - weight));
                }
            }
            int drawn = (int) Math.min(size, count);
            return List.of(new KeySample(partition, count, Arrays.copyOf(keys, drawn), Arrays.copyOf(places, drawn)))
                    .iterator();
        }
    }
}
