package io.samplesort.gpu.exchange;

import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.types.Tuning;
import java.util.Arrays;

/// The buckets of a first pass that several GPUs make together: at which ranks of a sorted sample their splitters are,
/// and which GPUs these are for. The arithmetic alone.
///
/// Each GPU shall have buckets of equal sizes for its home, and between two GPUs there are four splitters: two on each
/// side of where the border is thought to be, so far away from it that the border nearly always lies between them
/// ([BorderSample]). The two on one side have neighbouring ranks. So a key that is so frequent that it reaches across
/// the border is at two splitters one after the other, and gets an equality bucket, which can be divided at any place;
/// and what else lies between the two sides is little.
public final class SharedBuckets {
    private static final int SPLITTERS_A_BORDER = 4;

    private final int[] ranks;
    /// For each splitter the first and the last GPU that it may be a border of; for one within a home, that GPU.
    private final int[] lowest;

    private final int[] highest;
    private int found;

    private SharedBuckets(int bucketCount) {
        ranks = new int[bucketCount - 1];
        lowest = new int[bucketCount - 1];
        highest = new int[bucketCount - 1];
    }

    /// Returns the buckets; null where the sample, or the most buckets that a pass can have, are too few to tell the
    /// GPUs from each other.
    public static SharedBuckets of(BorderSample sample, Tuning tuning) {
        long[] sizes = sample.sizes();
        int[] gpus = new int[sizes.length];
        int found = 0;
        long largest = 0;
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            if (sizes[gpu] > 0) {
                gpus[found] = gpu;
                found++;
                largest = Math.max(largest, sizes[gpu]);
            }
        }
        gpus = Arrays.copyOf(gpus, found);
        int logGpus = Integer.SIZE - Integer.numberOfLeadingZeros(gpus.length - 1);
        int logMost = Integer.numberOfTrailingZeros(tuning.maxBucketCount()) - logGpus;
        if (gpus.length < 2 || logMost < 1) {
            return null;
        }
        int bucketCount = 1 << SortPlan.logFirstBuckets(largest, logMost, tuning) + logGpus;
        // All buckets but those that begin at one of the splitters of a border, or before the last of them.
        int homeBuckets = bucketCount - (SPLITTERS_A_BORDER - 1) * (gpus.length - 1);
        if (homeBuckets < gpus.length) {
            return null;
        }
        SharedBuckets buckets = new SharedBuckets(bucketCount);
        return buckets.choose(sample, gpus, homeBuckets) ? buckets : null;
    }

    /// Chooses the splitters; returns false if they do not ascend.
    private boolean choose(BorderSample sample, int[] gpus, int homeBuckets) {
        int sampled = sample.sampled();
        long count = BorderSample.sum(sample.sizes());
        int spare = homeBuckets - gpus.length;
        long place = 0;
        int begin = 0;
        for (int i = 0; i < gpus.length; i++) {
            int gpu = gpus[i];
            boolean isLast = i + 1 == gpus.length;
            long before = place;
            place += sample.sizes()[gpu];
            int[] border = isLast ? new int[] {sampled, sampled} : sample.ranksAround(place);
            // Buckets of equal sizes, and one more for each GPU.
            int own = 1 + (int) ((double) spare * place / count) - (int) ((double) spare * before / count);
            for (int splitter = 1; splitter < own; splitter++) {
                add(begin + (int) ((long) (border[0] - begin) * splitter / own), gpu, gpu);
            }
            if (!isLast) {
                int next = gpus[i + 1];
                if (border[0] < begin || border[0] + 1 >= border[1] || border[1] + 1 >= sampled) {
                    return false;
                }
                add(border[0], gpu, next);
                add(border[0] + 1, gpu, next);
                add(border[1], gpu, next);
                add(border[1] + 1, gpu, next);
                begin = border[1] + 1;
            }
        }
        return true;
    }

    private void add(int rank, int low, int high) {
        ranks[found] = rank;
        lowest[found] = low;
        highest[found] = high;
        found++;
    }

    public int count() {
        return ranks.length + 1;
    }

    public int logCount() {
        return Integer.numberOfTrailingZeros(count());
    }

    /// Returns the rank of each splitter in the sorted sample.
    public int[] ranks() {
        return ranks.clone();
    }

    /// Returns the GPU that a splitter belongs to, or of a border the one before it.
    int lowest(int splitter) {
        return lowest[splitter];
    }

    /// Returns the GPU that a splitter belongs to, or of a border the one behind it.
    int highest(int splitter) {
        return highest[splitter];
    }
}
