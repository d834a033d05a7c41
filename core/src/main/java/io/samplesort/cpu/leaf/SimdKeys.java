package io.samplesort.cpu.leaf;

import io.samplesort.cpu.leaf.Kernels.Operation;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Keys, on the heap or in native memory, that the kernels of this engine work on in place, alone or with a payload
/// that moves along. Several threads may work on different ranges.
///
/// The keys are to be sorted in ascending or descending order of their type.
///
/// The kernels know only signed numbers. So unsigned and floating-point keys are sorted by their bits as signed
/// numbers, and the caller takes care of those whose sign bit is set. Kernels move all bits as they are, including
/// those of NaNs.
public final class SimdKeys {
    /// The most keys to be sorted by one call. Some garbage collectors wait for the end of a call, and this many longs
    /// take 3 ms on an AMD EPYC (Zen 5).
    public static final int CALL_LIMIT = 1 << 20;

    /// A range that is longer than this is split by several calls, each of which reads at most half as many keys at
    /// either end.
    private static final int SPLIT_LIMIT = 1 << 21;

    /// Two ranges are split as one until one of them has fewer keys than this, a few times the number that a kernel
    /// reads at a time.
    private static final int LEAST_NARROWED = 1 << 10;

    /// One key in this many is sampled, but not fewer than the least and not more than the most. Each lies on a page of
    /// its own, whose address has to be looked up.
    private static final int SAMPLED_FROM = 2048;

    private static final int LEAST_SAMPLED = 256;
    private static final int MOST_SAMPLED = 4096;

    private final Kernels kernels;
    private final Place keys;
    private final Type type;
    private final boolean isDescending;
    /// Null if there is none.
    private final Place payload;

    private final int payloadBytes;

    /// Scratch memory that no thread is using to sort pairs; null if there is no payload.
    private final ConcurrentLinkedQueue<long[]> scratch;

    SimdKeys(Kernels kernels, Place keys, Type type) {
        this(kernels, keys, type, false, null, 0);
    }

    private SimdKeys(Kernels kernels, Place keys, Type type, boolean isDescending, Place payload, int payloadBytes) {
        this.kernels = kernels;
        this.keys = keys;
        this.type = type;
        this.isDescending = isDescending;
        this.payload = payload;
        this.payloadBytes = payloadBytes;
        this.scratch = payload == null ? null : new ConcurrentLinkedQueue<>();
    }

    /// The types of keys.
    public enum Type {
        INT(Integer.BYTES, 0),
        LONG(Long.BYTES, 0),
        UNSIGNED_INT(Integer.BYTES, 1),
        UNSIGNED_LONG(Long.BYTES, 1),
        FLOAT(Integer.BYTES, 2),
        DOUBLE(Long.BYTES, 2);

        private final int bytes;
        /// The number that stands for the order in the kernels.
        private final int order;

        Type(int bytes, int order) {
            this.bytes = bytes;
            this.order = order;
        }

        int bytes() {
            return bytes;
        }

        int order() {
            return order;
        }

        public boolean isFloating() {
            return this == FLOAT || this == DOUBLE;
        }

        public boolean isUnsigned() {
            return this == UNSIGNED_INT || this == UNSIGNED_LONG;
        }
    }

    /// Begins to load the kernels, for callers who have something else to do before they sort.
    public static void load() {
        SimdLibrary.find();
    }

    /// Returns `keys` for the kernels; null if kernels may not be called in this process.
    ///
    /// @param waits whether to wait until they are loaded; otherwise this returns null until then
    public static SimdKeys of(MemorySegment keys, Type type, boolean waits) {
        Kernels kernels = kernels(waits);
        return kernels == null ? null : new SimdKeys(kernels, Place.of(keys), type);
    }

    /// Returns the keys of an array from `from` on for the kernels, as [#of(MemorySegment, Type, boolean)] does.
    ///
    /// @param array an array of `type`
    public static SimdKeys of(Object array, int from, Type type, boolean waits) {
        Kernels kernels = kernels(waits);
        return kernels == null ? null : new SimdKeys(kernels, Place.of(array, (long) from * type.bytes), type);
    }

    static Kernels kernels(boolean waits) {
        SimdSort simd = SimdLibrary.find();
        if (simd == null && waits && SimdLibrary.mayRunKernels()) {
            simd = SimdLibrary.awaitLoaded();
        }
        return simd == null ? null : simd.kernels();
    }

    /// Returns the same keys with a payload, if the kernels can move it; null if not.
    ///
    /// @param bytes bytes of an element of the payload
    public SimdKeys withPayload(MemorySegment payload, int bytes) {
        boolean canMove = bytes == Integer.BYTES || bytes == Long.BYTES;
        return canMove ? new SimdKeys(kernels, keys, type, isDescending, Place.of(payload), bytes) : null;
    }

    /// Returns the same keys, to be sorted in descending order.
    public SimdKeys descending() {
        return new SimdKeys(kernels, keys, type, true, payload, payloadBytes);
    }

    public boolean isDescending() {
        return isDescending;
    }

    /// Returns how many bytes a key has.
    public int bytes() {
        return type.bytes;
    }

    public boolean hasPayload() {
        return payload != null;
    }

    /// Allocates what sorts by this many threads need.
    ///
    /// @return how many bytes it allocates
    public long reserve(int threads) {
        if (payload == null) {
            return 0;
        }
        while (scratch.size() < threads) {
            scratch.add(new long[Kernels.SCRATCH]);
        }
        return (long) threads * Kernels.SCRATCH * Long.BYTES;
    }

    public Type type() {
        return type;
    }

    private long call(Operation operation, long from, long to, long argument) {
        return kernels.call(operation, keys, type.bytes, payload, payloadBytes, null, from, to, argument);
    }

    /// Sorts the keys `from..to` by their bits, as signed numbers. For pairs, memory must have been reserved.
    ///
    /// @param descending whether the greatest of these numbers goes first
    public void sort(long from, long to, boolean descending) {
        Operation operation = descending ? Operation.SORT_DESCENDING : Operation.SORT;
        if (payload == null) {
            call(operation, from, to, 0);
            return;
        }
        long[] spare = scratch.remove();
        kernels.call(operation, keys, type.bytes, payload, payloadBytes, spare, from, to, 0);
        scratch.add(spare);
    }

    /// Returns a key that is near the median of the keys `from..to`, of which there are at least 512.
    public long pivot(long from, long to) {
        return call(Operation.PIVOT, from, to, 0);
    }

    /// Returns whether the range is divided more evenly if keys that equal its [#pivot] go to the first part.
    ///
    /// @param descending whether the greater keys go to the first part
    public boolean isPivotFirst(long from, long to, boolean descending) {
        return call(Operation.PIVOT_IS_FIRST, from, to, 0) != 0 != descending;
    }

    /// Moves some of the keys `from..to` before the others, by their bits as signed numbers.
    ///
    /// @return where the other keys begin
    public long split(First first, long from, long to, long pivot) {
        if (to - from <= SPLIT_LIMIT) {
            return call(first.split, from, to, pivot);
        }
        long middle = (from + to) >>> 1;
        long[] ends = {from, middle, middle, to};
        narrow(first, ends, pivot);
        return split(first, ends[0], ends[3], pivot);
    }

    /// Splits the keys `from..fromEnd` and `toBegin..to`. As far as their numbers allow, the keys that go first are
    /// moved to the first range, and the others to the second.
    ///
    /// @return where the other keys begin in each range
    public long[] splitBoth(First first, long from, long fromEnd, long toBegin, long to, long pivot) {
        long[] ends = {from, fromEnd, toBegin, to};
        narrow(first, ends, pivot);
        return new long[] {split(first, ends[0], fromEnd, pivot), split(first, toBegin, ends[3], pivot)};
    }

    /// Moves keys that go first to the beginning of the first of two ranges, and other keys to the end of the second,
    /// until hardly any unsplit key is left in one of the ranges.
    ///
    /// @param ends where the first range begins and ends, and where the second does; keys that have been moved are
    ///     excluded
    private void narrow(First first, long[] ends, long pivot) {
        while (Math.min(ends[1] - ends[0], ends[3] - ends[2]) >= LEAST_NARROWED) {
            kernels.call(first.narrow, keys, type.bytes, payload, payloadBytes, ends, 0, SPLIT_LIMIT / 2, pivot);
        }
    }

    /// Which keys are moved before all others.
    public enum First {
        LESS(Operation.SPLIT_LESS, Operation.NARROW_LESS),
        NOT_GREATER(Operation.SPLIT_NOT_GREATER, Operation.NARROW_NOT_GREATER),
        GREATER(Operation.SPLIT_GREATER, Operation.NARROW_GREATER),
        NOT_LESS(Operation.SPLIT_NOT_LESS, Operation.NARROW_NOT_LESS);

        private final Operation split;
        private final Operation narrow;

        First(Operation split, Operation narrow) {
            this.split = split;
            this.narrow = narrow;
        }

        /// Returns the choice of keys that belong before a pivot, or before and with it.
        public static First before(boolean descending, boolean withPivot) {
            return descending ? withPivot ? NOT_LESS : GREATER : withPivot ? NOT_GREATER : LESS;
        }
    }

    /// Swaps `count` keys from `first` on with those from `second` on.
    public void swap(long first, long second, long count) {
        call(Operation.SWAP, first, second, count);
    }

    /// Swaps `count` keys from `from` on with those before `to`, in reverse order. With half the size of the range
    /// `from..to` as `count`, this reverses the range.
    public void mirror(long from, long to, long count) {
        call(Operation.MIRROR, from, to, count);
    }

    /// Returns whether the keys `from..to` are in order.
    public boolean isInOrder(long from, long to) {
        return isDescending ? runsDown(from, to) : runsUp(from, to);
    }

    /// Returns whether the keys `from..to` are in order if they are reversed.
    public boolean isInReverseOrder(long from, long to) {
        return isDescending ? runsUp(from, to) : runsDown(from, to);
    }

    private boolean runsUp(long from, long to) {
        return from == to || !isNegativeNan(from) && call(Operation.ASCENDING, from, to, type.order) != 0;
    }

    private boolean runsDown(long from, long to) {
        return from == to || !isNegativeNan(to - 1) && call(Operation.DESCENDING, from, to, type.order) != 0;
    }

    /// Samples the keys `from..to`, of which there is at least one.
    public SampledKeys sample(long from, long to) {
        long size = Math.min(to - from, Math.clamp((to - from) / SAMPLED_FROM, LEAST_SAMPLED, MOST_SAMPLED));
        long[] sampled = new long[3];
        long distinct =
                kernels.call(Operation.SAMPLE, keys, type.bytes, payload, payloadBytes, sampled, from, to, size);
        return new SampledKeys(size, distinct, sampled[0], sampled[1] != 0, sampled[2]);
    }

    /// Returns an empty table that counts these keys.
    ///
    /// @param bits the binary logarithm of the number of places; there is room for half as many keys
    public KeyCounts counts(int bits) {
        return new KeyCounts(this, bits);
    }

    /// Runs a kernel on a table or a list of counted keys, which is its scratch memory.
    long callOnCounted(Operation operation, long[] counted, long from, long to, long argument) {
        return kernels.call(operation, keys, type.bytes, null, 0, counted, from, to, argument);
    }

    /// Runs a kernel on two tables or lists of counted keys.
    long callOnCounted(Operation operation, long[] counted, long[] other, int bits) {
        long argument = bits | (long) type.order << 8 | (isDescending ? 1L << 16 : 0);
        return kernels.call(operation, Place.of(other, 0), type.bytes, null, 0, counted, 0, 0, argument);
    }

    /// Returns buckets among which such keys can be divided.
    ///
    /// @param copy       has room for the keys that are to be divided
    /// @param count      how many buckets there are, a multiple of 4
    /// @param shares     into how many shares the keys are divided before
    /// @param descending whether the greatest keys go to the first bucket, by their bits as signed numbers
    public KeyBuckets buckets(MemorySegment copy, int count, int shares, boolean descending) {
        return new KeyBuckets(this, copy, count, shares, descending);
    }

    /// Runs a kernel that divides keys among buckets.
    long callOnBuckets(Operation operation, MemorySegment copy, long[] table, long from, long to, long argument) {
        return kernels.call(operation, keys, type.bytes, Place.of(copy), 0, table, from, to, argument);
    }

    /// Returns what sorts segments of these keys, for one thread.
    public KeySegments segments() {
        return new KeySegments(this);
    }

    /// Runs the kernel that sorts segments.
    void callOnSegments(long[] memory, int count) {
        int order = type.order | (isDescending ? Kernels.DESCENDING_SEGMENTS : 0);
        kernels.call(Operation.SORT_SEGMENTS, keys, type.bytes, payload, payloadBytes, memory, 0, count, order);
    }

    /// Sorts the floating-point keys `from..to` in ascending order.
    void sortFloating(long from, long to) {
        sort(from, to, false);
        if (from < to && isNegative(from)) {
            mirror(from, signEnd(from, to), (signEnd(from, to) - from) / 2);
            moveNegativeNans(from, to);
        }
    }

    /// Among the keys `from..to`, which are sorted by their bits, returns where those end that have the sign bit of the
    /// first.
    public long signEnd(long from, long to) {
        boolean isNegative = isNegative(from);
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (isNegative(middle) == isNegative) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Returns whether key `i` has a sign bit.
    public boolean isNegative(long i) {
        return bits(i) < 0;
    }

    /// Moves NaNs with a sign bit from one end of the keys `from..to` to the other: after all other keys, or before
    /// them if the order is descending.
    public void moveNegativeNans(long from, long to) {
        if (from == to || !isNegativeNan(isDescending ? to - 1 : from)) {
            return;
        }
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (isNegativeNan(middle) != isDescending) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        mirror(from, low, (low - from) / 2);
        mirror(low, to, (to - low) / 2);
        mirror(from, to, (to - from) / 2);
    }

    /// Returns whether key `i` is not a number and has a sign bit.
    public boolean isNegativeNan(long i) {
        return switch (type) {
            case FLOAT -> bits(i) < 0 && Float.isNaN(Float.intBitsToFloat((int) bits(i)));
            case DOUBLE -> bits(i) < 0 && Double.isNaN(Double.longBitsToDouble(bits(i)));
            default -> false;
        };
    }

    private long bits(long i) {
        return type.bytes == Integer.BYTES ? keys.intAt(i) : keys.longAt(i);
    }
}
