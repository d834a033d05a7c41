package io.samplesort.gpu.exchange;

import io.samplesort.gpu.exchange.BucketRooms.Counted;
import java.util.Arrays;

/// Which GPUs sort the elements of each bucket. This class has only the arithmetic. One GPU sorts a bucket, except that
/// an equality bucket goes to all GPUs whose places it has.
public final class BucketOwners {
    private final boolean[] areEqual;
    private final int[] first;
    private final int[] last;

    /// @param areEqual for each bucket whether all its keys are equal
    /// @param counted  of each GPU
    public BucketOwners(SharedBuckets buckets, boolean[] areEqual, Counted[] counted) {
        this.areEqual = areEqual.clone();
        first = new int[buckets.count()];
        last = new int[buckets.count()];
        double place = 0;
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            int before = bucket - 1;
            double size = 0;
            for (Counted each : counted) {
                size += each.keys()[bucket] * each.elements();
            }
            if (areEqual[bucket]) {
                // All splitters that are equal to its key are neighbours.
                int behind = bucket;
                while (behind + 1 < buckets.count() && areEqual[behind + 1]) {
                    behind++;
                }
                first[bucket] = buckets.lowest(before);
                last[bucket] = buckets.highest(behind);
            } else if (bucket == 0) {
                first[bucket] = buckets.lowest(0);
                last[bucket] = first[bucket];
            } else {
                first[bucket] = buckets.highest(before);
                if (bucket < buckets.count() - 1 && buckets.lowest(bucket) < first[bucket]) {
                    // It lies between two splitters of one border, so the GPU that has the bucket's middle takes it.
                    int behind = homeOf(place + size / 2, counted);
                    first[bucket] = behind <= buckets.lowest(bucket) ? buckets.lowest(bucket) : first[bucket];
                }
                last[bucket] = first[bucket];
            }
            place += size;
        }
    }

    private static int homeOf(double place, Counted[] counted) {
        int gpu = 0;
        double end = counted[0].count();
        while (gpu + 1 < counted.length && end <= place) {
            gpu++;
            end += counted[gpu].count();
        }
        return gpu;
    }

    /// Returns how many buckets there are.
    int count() {
        return first.length;
    }

    /// Returns the first GPU that sorts elements of a bucket.
    int first(int bucket) {
        return first[bucket];
    }

    /// Returns the last GPU that sorts elements of a bucket.
    int last(int bucket) {
        return last[bucket];
    }

    boolean isEqual(int bucket) {
        return areEqual[bucket];
    }

    @Override
    public String toString() {
        return "owners from " + Arrays.toString(first) + " to " + Arrays.toString(last);
    }
}
