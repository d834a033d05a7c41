package io.samplesort.gpu.exchange;

/// Where to look in a sorted sample for the borders between GPUs. This class has only the arithmetic.
///
/// The element at a border has the first place of a GPU in the order of all elements. A sample locates it only up to an
/// error, so each border has two splitters, one on each side. Whatever the input is, few elements lie between them, and
/// nearly always the border is among these.
///
/// @param sizes       how many elements each GPU has
/// @param sampleCount the number of elements to sample on all GPUs together
public record BorderSample(long[] sizes, int sampleCount) {
    /// The splitters are this many standard deviations away from the estimated border. One border in 10^4 lies beyond
    /// them, and then more elements are copied.
    private static final double SIGMAS = 4;

    private static final int ELEMENTS_A_SAMPLED_KEY = 1 << 13;
    /// With G GPUs and S sampled keys, half of the elements around both borders of a GPU are 4 G / sqrt(S) of its
    /// elements: 4% if S is this number times G².
    private static final long BALANCED_SAMPLE = 10_000;

    private static final int LEAST_ELEMENTS_A_SAMPLED_KEY = 4;
    /// With more GPUs the elements around a border are a larger part of what each of them has.
    private static final long MOST_SAMPLE_A_GPU = 1 << 17;
    private static final long MOST_SAMPLED_BYTES = 1 << 26;

    /// Returns a sample for elements whose keys have this many bytes. The time of a large sorted sample pays off for
    /// most inputs: the larger it is, the fewer elements lie around the borders.
    public static BorderSample of(long[] sizes, int keyBytes) {
        long count = sum(sizes);
        long gpus = sizes.length;
        long wanted = Math.max(count / ELEMENTS_A_SAMPLED_KEY, BALANCED_SAMPLE * gpus * gpus);
        long most = Math.min(MOST_SAMPLED_BYTES / keyBytes, MOST_SAMPLE_A_GPU * gpus);
        long sampled = Math.max(1, Math.min(Math.min(wanted, most), count / LEAST_ELEMENTS_A_SAMPLED_KEY));
        return new BorderSample(sizes, (int) sampled);
    }

    /// Adds numbers up, without Java streams: their first use in a process takes longer than everything here.
    public static long sum(long[] numbers) {
        long sum = 0;
        for (long number : numbers) {
            sum += number;
        }
        return sum;
    }

    /// Returns how many elements of all GPUs are sampled.
    int sampled() {
        int sampled = 0;
        for (int count : counts()) {
            sampled += count;
        }
        return sampled;
    }

    /// Returns how many elements of each GPU are sampled: the same part of each.
    public int[] counts() {
        double part = sampleCount / (double) sum(sizes);
        int[] counts = new int[sizes.length];
        for (int gpu = 0; gpu < counts.length; gpu++) {
            counts[gpu] = (int) Math.min(sizes[gpu], Math.ceil(sizes[gpu] * part));
        }
        return counts;
    }

    /// Returns the ranks of two sampled keys between which a place nearly always lies.
    int[] ranksAround(long place) {
        int sampled = sampled();
        double before = place / (double) sum(sizes);
        // Adds one key for each GPU, as its share of the sample is rounded.
        double error = SIGMAS * Math.sqrt(sampled * before * (1 - before)) + sizes.length;
        return new int[] {
            (int) Math.clamp(Math.floor(sampled * before - error), 0, sampled - 1),
            (int) Math.clamp(Math.ceil(sampled * before + error), 0, sampled - 1)
        };
    }
}
