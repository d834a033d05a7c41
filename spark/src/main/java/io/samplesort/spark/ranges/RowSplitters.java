package io.samplesort.spark.ranges;

import io.samplesort.spark.rows.KeyPrefix;
import io.samplesort.spark.rows.RowOrder;
import io.samplesort.spark.shuffle.Quantiles;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/// Where the partitions of the result begin. A splitter is a row of the input: its keys, and which row of which
/// partition it is. Rows with equal keys are told apart by partition and place, so that many equal keys are divided
/// among partitions like any others, and partitions together keep the order of the input.
///
/// If a repeated task may find its rows in another order, only keys count, so that it sends the same rows to the same
/// partitions again.
///
/// @param order            the order of the rows
/// @param dividesEqualKeys whether rows with equal keys may go to several partitions
/// @param splitters        in order
record RowSplitters(RowOrder order, boolean dividesEqualKeys, List<Splitter> splitters) implements Serializable {
    private static final long serialVersionUID = 1;

    /// A row of the input.
    ///
    /// @param key       a row of only its keys
    /// @param weight    how many rows it stands for
    record Splitter(UnsafeRow key, int partition, long place, double weight) implements Serializable {
        private static final long serialVersionUID = 1;

        int compareOrigin(int otherPartition, long otherPlace) {
            int byPartition = Integer.compare(partition, otherPartition);
            return byPartition != 0 ? byPartition : Long.compare(place, otherPlace);
        }
    }

    /// Chooses splitters for this many partitions of about the same size.
    static RowSplitters choose(List<KeySample> samples, RowOrder order, boolean dividesEqualKeys, int partitions) {
        List<Splitter> candidates = new ArrayList<>();
        for (KeySample sample : samples) {
            for (int i = 0; i < sample.keys().length; i++) {
                candidates.add(new Splitter(sample.keys()[i], sample.partition(), sample.places()[i], sample.weight()));
            }
        }
        Comparator<InternalRow> keys = order.ofKeysAlone().comparator();
        candidates.sort(((Comparator<Splitter>) (a, b) -> keys.compare(a.key, b.key))
                .thenComparing((a, b) -> a.compareOrigin(b.partition, b.place)));
        return new RowSplitters(order, dividesEqualKeys, Quantiles.of(candidates, Splitter::weight, partitions));
    }

    /// Finds the partitions of rows. Only one thread may use the finder.
    Finder finder() {
        return new Finder();
    }

    final class Finder {
        private final KeyPrefix prefixOf = order.prefix();
        private final UnsafeProjection keysOf = order.keyProjection();
        private final Comparator<InternalRow> comparator = order.ofKeysAlone().comparator();
        private final long[] prefixes;

        private Finder() {
            KeyPrefix ofKeys = order.ofKeysAlone().prefix();
            prefixes = splitters.stream()
                    .mapToLong(splitter -> ofKeys.of(splitter.key))
                    .toArray();
        }

        /// Returns the number of the partition that a row goes to: the number of splitters that do not come after it.
        ///
        /// @param partition the partition of the input that the row is from
        /// @param place     which row of the partition this is
        int find(UnsafeRow row, int partition, long place) {
            long prefix = prefixOf.of(row);
            int low = 0;
            int high = prefixes.length;
            UnsafeRow keys = null;
            while (low < high) {
                int middle = (low + high) >>> 1;
                long other = prefixes[middle];
                boolean isBefore;
                if (prefix != other) {
                    isBefore = prefix < other;
                } else {
                    if (keys == null) {
                        keys = keysOf.apply(row);
                    }
                    isBefore = isBefore(keys, partition, place, splitters.get(middle));
                }
                if (isBefore) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            return low;
        }

        private boolean isBefore(UnsafeRow keys, int partition, long place, Splitter splitter) {
            int byKeys = comparator.compare(keys, splitter.key);
            return byKeys != 0 ? byKeys < 0 : dividesEqualKeys && splitter.compareOrigin(partition, place) > 0;
        }
    }
}
