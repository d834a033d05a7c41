package io.samplesort.gpu.exchange;

/// Where one GPU has room for each bucket in the array that its first pass writes. This class has only the arithmetic.
///
/// If this GPU sorts a bucket, the elements of other GPUs are copied right before and after its own, in the order of
/// the GPUs. So the bucket is contiguous, and equal elements keep their order. Buckets that others sort follow after
/// all of those.
public final class BucketRooms {
    /// Half the square of the slack makes up for the longer tail of small samples, as in rooms.cuh.
    private final double slack;

    private final long[] begins;
    private final long[] ends;
    private final long[] firsts;
    private final long[] lasts;
    private long size;

    /// How many keys of a sample of one GPU's elements each bucket has.
    ///
    /// @param elements the number of elements that a sampled key stands for
    /// @param count    all elements of the GPU
    public record Counted(long[] keys, double elements, long count) {}

    /// @param number  the number of the GPU
    /// @param counted of each GPU
    /// @param slack   the room beyond the expected size of a bucket, in standard deviations of that size
    public BucketRooms(int number, BucketOwners buckets, Counted[] counted, int slack) {
        this.slack = slack;
        begins = new long[buckets.count()];
        ends = new long[buckets.count()];
        firsts = new long[buckets.count()];
        lasts = new long[buckets.count()];
        boolean[] isOwn = new boolean[buckets.count()];
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            isOwn[bucket] = buckets.first(bucket) <= number && number <= buckets.last(bucket);
            if (isOwn[bucket]) {
                long before = 0;
                long behind = 0;
                for (int gpu = 0; gpu < counted.length; gpu++) {
                    before += gpu < number ? room(counted[gpu], bucket) : 0;
                    behind += gpu > number ? room(counted[gpu], bucket) : 0;
                }
                if (buckets.first(bucket) != buckets.last(bucket)) {
                    // The GPU gets no more of these elements than belong to its home.
                    before = Math.min(before, counted[number].count());
                    behind = Math.min(behind, counted[number].count());
                }
                place(bucket, before, room(counted[number], bucket), behind);
            }
        }
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            if (!isOwn[bucket]) {
                place(bucket, 0, room(counted[number], bucket), 0);
            }
        }
    }

    private long room(Counted counted, int bucket) {
        long keys = counted.keys()[bucket];
        double most = (keys + slack * Math.sqrt(keys) + slack * slack / 2) * counted.elements();
        return Math.min(counted.count(), (long) most + 1);
    }

    private void place(int bucket, long before, long own, long behind) {
        firsts[bucket] = size;
        begins[bucket] = size + before;
        ends[bucket] = begins[bucket] + own;
        lasts[bucket] = ends[bucket] + behind;
        size = lasts[bucket];
    }

    /// Returns where this GPU writes its own elements of each bucket.
    public long[] begins() {
        return begins;
    }

    /// Returns where the room for its own elements of each bucket ends.
    public long[] ends() {
        return ends;
    }

    /// Returns whether there is room for its own elements, and for these numbers of elements before and after them.
    boolean hasRoom(int bucket, long before, long own, long behind) {
        return begins[bucket] - before >= firsts[bucket] && begins[bucket] + own + behind <= lasts[bucket];
    }

    /// Returns how many elements the array has room for.
    public long size() {
        return size;
    }
}
