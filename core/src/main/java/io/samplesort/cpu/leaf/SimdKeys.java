package io.samplesort.cpu.leaf;

import io.samplesort.cpu.leaf.Kernels.Operation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Keys in memory, on the heap or not, that the kernels of this engine work on where they lie, alone or with a payload
/// that moves along. Several threads may work on different ranges.
///
/// The kernels know signed numbers alone, so unsigned and floating-point ones are sorted by their bits as such, and the
/// caller takes care of those whose sign bit is set. A kernel moves all bits as they are, those of NaNs too.
public final class SimdKeys {
    /// The most keys to be sorted by one call. Some collectors of garbage wait for its end, and so many longs take 3 ms
    /// on an AMD EPYC (Zen 5).
    public static final int CALL_LIMIT = 1 << 20;

    private final Kernels kernels;
    private final MemorySegment keys;
    private final Type type;
    /// Null if there is none.
    private final MemorySegment payload;

    private final int payloadBytes;

    /// Scratch memory of threads that are not sorting pairs right now.
    private final ConcurrentLinkedQueue<long[]> scratch = new ConcurrentLinkedQueue<>();

    SimdKeys(Kernels kernels, MemorySegment keys, Type type) {
        this(kernels, keys, type, null, 0);
    }

    private SimdKeys(Kernels kernels, MemorySegment keys, Type type, MemorySegment payload, int payloadBytes) {
        this.kernels = kernels;
        this.keys = keys;
        this.type = type;
        this.payload = payload;
        this.payloadBytes = payloadBytes;
    }

    /// The types of keys, in ascending order.
    public enum Type {
        INT(Integer.BYTES, 0),
        LONG(Long.BYTES, 0),
        UNSIGNED_INT(Integer.BYTES, 1),
        UNSIGNED_LONG(Long.BYTES, 1),
        FLOAT(Integer.BYTES, 2),
        DOUBLE(Long.BYTES, 2);

        private final int bytes;
        /// The number that the kernels have for the order.
        private final int order;

        Type(int bytes, int order) {
            this.bytes = bytes;
            this.order = order;
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
        SimdSort.find();
    }

    /// Returns `keys` for the kernels; null if these may not be called in this process.
    ///
    /// @param waits whether to wait until they are loaded; otherwise it is null, too, before
    public static SimdKeys of(MemorySegment keys, Type type, boolean waits) {
        SimdSort simd = waits && Allowed.IS ? SimdSort.awaitLoaded() : SimdSort.find();
        return simd == null || simd.kernels() == null ? null : new SimdKeys(simd.kernels(), keys, type);
    }

    /// Returns the same keys with a payload, if the kernels can move it; null if not.
    ///
    /// @param bytes of an element of the payload
    public SimdKeys withPayload(MemorySegment payload, int bytes) {
        boolean canMove = type.bytes == Long.BYTES && (bytes == Integer.BYTES || bytes == Long.BYTES);
        return canMove ? new SimdKeys(kernels, keys, type, payload, bytes) : null;
    }

    /// Allocates what sorts by so many threads need.
    ///
    /// @return the bytes
    public long reserve(int threads) {
        if (payload == null) {
            return 0;
        }
        while (scratch.size() < threads) {
            scratch.add(new long[Kernels.SCRATCH]);
        }
        return (long) threads * Kernels.SCRATCH * Long.BYTES;
    }

    /// Whether it makes sense to wait for the kernels.
    private static final class Allowed {
        static final boolean IS = find();

        private static boolean find() {
            try {
                SimdLibrary.Processor processor = SimdSort.isAllowed() ? SimdLibrary.processor() : null;
                return processor != null && processor.runsKernels();
            } catch (IOException e) {
                return false;
            }
        }
    }

    public Type type() {
        return type;
    }

    private long call(Operation operation, long from, long to, long argument) {
        return kernels.call(operation, keys, type.bytes, payload, payloadBytes, null, from, to, argument);
    }

    /// Sorts the keys `from..to` by their bits, as signed numbers. For pairs, memory must have been reserved.
    public void sort(long from, long to) {
        if (payload == null) {
            call(Operation.SORT, from, to, 0);
            return;
        }
        long[] spare = scratch.remove();
        kernels.call(Operation.SORT, keys, type.bytes, payload, payloadBytes, spare, from, to, 0);
        scratch.add(spare);
    }

    /// Returns a key that is near the median of the keys `from..to`, of which there are at least 512.
    public long pivot(long from, long to) {
        return call(Operation.PIVOT, from, to, 0);
    }

    /// Returns whether the range is divided more evenly if keys that equal its [#pivot] go before the others.
    public boolean isPivotFirst(long from, long to) {
        return call(Operation.PIVOT_IS_FIRST, from, to, 0) != 0;
    }

    /// Moves some of the keys `from..to` before the others, by their bits as signed numbers.
    ///
    /// @return where the others begin
    public long split(First first, long from, long to, long pivot) {
        return call(first.operation, from, to, pivot);
    }

    /// Which keys are moved before all others.
    public enum First {
        LESS(Operation.SPLIT_LESS),
        NOT_GREATER(Operation.SPLIT_NOT_GREATER),
        NOT_LESS(Operation.SPLIT_NOT_LESS);

        private final Operation operation;

        First(Operation operation) {
            this.operation = operation;
        }
    }

    /// Swaps `count` keys from `first` on with as many from `second` on.
    public void swap(long first, long second, long count) {
        call(Operation.SWAP, first, second, count);
    }

    /// Swaps `count` keys from `from` on with as many before `to`, the other way round, so that half of the range
    /// `from..to` reverses it.
    public void mirror(long from, long to, long count) {
        call(Operation.MIRROR, from, to, count);
    }

    /// Returns whether no key of `from..to` is greater than the next.
    public boolean isAscending(long from, long to) {
        return from == to || !isNegativeNan(from) && call(Operation.ASCENDING, from, to, type.order) != 0;
    }

    /// Returns whether no key of `from..to` is less than the next.
    public boolean isDescending(long from, long to) {
        return from == to || !isNegativeNan(to - 1) && call(Operation.DESCENDING, from, to, type.order) != 0;
    }

    /// Sorts the keys `from..to`.
    void sortAll(long from, long to) {
        if (type.isUnsigned()) {
            long middle = split(First.NOT_LESS, from, to, 0);
            sort(from, middle);
            sort(middle, to);
            return;
        }
        sort(from, to);
        if (type.isFloating()) {
            long end = negativeEnd(from, to);
            mirror(from, end, (end - from) / 2);
            moveNegativeNans(from, end, to);
        }
    }

    /// Returns where the keys with a sign bit end among `from..to`, which are sorted by their bits.
    public long negativeEnd(long from, long to) {
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (bits(middle) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Moves NaNs with a sign bit behind all other keys `from..to`. The kernels put them first.
    ///
    /// @param end where the keys with a sign bit end
    public void moveNegativeNans(long from, long end, long to) {
        long low = from;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (isNegativeNan(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low > from) {
            mirror(from, low, (low - from) / 2);
            mirror(low, to, (to - low) / 2);
            mirror(from, to, (to - from) / 2);
        }
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
        return type.bytes == Integer.BYTES
                ? keys.get(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES)
                : keys.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
    }
}
