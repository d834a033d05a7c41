package io.samplesort.spark.shuffle;

import org.apache.spark.Partitioner;

/// Takes the keys of a shuffle as the numbers of partitions.
public final class RangeNumbers extends Partitioner {
    private static final long serialVersionUID = 1;

    private final int count;

    public RangeNumbers(int count) {
        this.count = count;
    }

    @Override
    public int numPartitions() {
        return count;
    }

    @Override
    public int getPartition(Object key) {
        return (Integer) key;
    }
}
