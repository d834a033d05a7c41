package io.samplesort.gpu.exchange;

import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.types.Tuning;
import java.util.Arrays;

/// The buckets of a first pass that several GPUs make together: the ranks of their splitters in a sorted sample, and
/// the GPUs of these splitters. This class has only the arithmetic.
///
/// Each GPU gets buckets of about equal sizes for its home. Between two GPUs there are four splitters: two on each side
/// of the estimated border, so far away that the border nearly always lies between them ([BorderSample]). The two on
/// one side have neighbouring ranks. A key so frequent that it reaches across the border is then at two neighbouring
/// splitters. So it gets an equality bucket, which can be divided at any place. Few other elements lie between the two
/// sides.
public final class SharedBuckets {
    private static final int SPLITTERS_A_BORDER = 4;

    private final int[] ranks;
    /// For each splitter, the first and the last GPU whose border it may be; for a splitter within a home, that GPU.
    private final int[] lowest;

    private final int[] highest;
    private int found;

    private SharedBuckets(int bucketCount) {
        ranks = new int[bucketCount - 1];
        lowest = new int[bucketCount - 1];
        highest = new int[bucketCount - 1];
    }

    /// Returns the buckets; null if the sample is too small, or a pass cannot have enough buckets, to tell the GPUs
    /// from each other.
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
        // All buckets except those between the splitters of a border.
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
            // Shares the buckets by size, and gives each GPU one more.
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

    /// Returns the GPU of a splitter, or the GPU before it for the splitter of a border.
    int lowest(int splitter) {
        return lowest[splitter];
    }

    /// Returns the GPU of a splitter, or the GPU after it for the splitter of a border.
    int highest(int splitter) {
        return highest[splitter];
    }
}
