package io.samplesort.gpu.exchange;

/// Where to look in a sorted sample for the borders between GPUs: the arithmetic alone.
///
/// The element at a border is the one whose place, in the order of all elements, is the first of a GPU. A sample tells
/// where it is but for an error, so there are two splitters for each border, one on each side of it. What lies between
/// them is little, whatever the input is, and nearly always the border lies among it.
///
/// @param sizes       how many elements each GPU has
/// @param sampleCount how many elements the sample shall have of all GPUs together
public record BorderSample(long[] sizes, int sampleCount) {
    /// The splitters are so many standard deviations away from where the border is thought to be. Beyond them, which
    /// happens to one border in 10^4, more elements are copied.
    private static final double SIGMAS = 4;

    private static final int ELEMENTS_A_SAMPLED_KEY = 1 << 13;
    /// With G GPUs and S sampled keys, half of what lies around both borders of a GPU is 4 G / sqrt(S) of what it has:
    /// 4% with so many keys for each square of G.
    private static final long BALANCED_SAMPLE = 10_000;

    private static final int LEAST_ELEMENTS_A_SAMPLED_KEY = 4;
    /// With more GPUs the elements around a border are a larger part of what each of them has.
    private static final long MOST_SAMPLE_A_GPU = 1 << 17;
    private static final long MOST_SAMPLED_BYTES = 1 << 26;

    /// Returns a sample for elements whose keys have so many bytes. The sorted sample of most inputs is worth its time:
    /// the larger it is, the fewer elements lie around the borders.
    public static BorderSample of(long[] sizes, int keyBytes) {
        long count = sum(sizes);
        long gpus = sizes.length;
        long wanted = Math.max(count / ELEMENTS_A_SAMPLED_KEY, BALANCED_SAMPLE * gpus * gpus);
        long most = Math.min(MOST_SAMPLED_BYTES / keyBytes, MOST_SAMPLE_A_GPU * gpus);
        long sampled = Math.max(1, Math.min(Math.min(wanted, most), count / LEAST_ELEMENTS_A_SAMPLED_KEY));
        return new BorderSample(sizes, (int) sampled);
    }

    /// Adds numbers up. No streams, which take a young process longer than all that is done here.
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

    /// Returns how many elements of each GPU are sampled: of each as large a part as of the others.
    public int[] counts() {
        double part = sampleCount / (double) sum(sizes);
        int[] counts = new int[sizes.length];
        for (int gpu = 0; gpu < counts.length; gpu++) {
            counts[gpu] = (int) Math.min(sizes[gpu], Math.ceil(sizes[gpu] * part));
        }
        return counts;
    }

    /// Returns the ranks of two keys between which a place nearly always is.
    int[] ranksAround(long place) {
        int sampled = sampled();
        double before = place / (double) sum(sizes);
        // One key more for each GPU, as its share of the sample is rounded.
        double error = SIGMAS * Math.sqrt(sampled * before * (1 - before)) + sizes.length;
        return new int[] {
            (int) Math.clamp(Math.floor(sampled * before - error), 0, sampled - 1),
            (int) Math.clamp(Math.ceil(sampled * before + error), 0, sampled - 1)
        };
    }
}
