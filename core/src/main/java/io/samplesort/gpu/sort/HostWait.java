package io.samplesort.gpu.sort;

import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// What the device tells the host of a sort, in pinned memory, and whether the sort may wait for that.
///
/// @param told        pinned memory for the size of the largest bucket, and where the sort may wait, behind it for what
///     the device has seen of the order of the input; null if the host reads nothing
/// @param isForOrder whether the caller waits for this sort alone, so that the sort itself may wait for the first look
///     at the input
public record HostWait(MemorySegment told, boolean isForOrder) {
    /// The pinned memory of [#forOrder].
    public static final int BYTES = 2 * Long.BYTES;

    /// What the device writes while the host reads it.
    private static final VarHandle ORDER = ValueLayout.JAVA_INT.varHandle();

    /// How long the host waits for the first look at the input without asking the driver, in ns. It is over long before
    /// what looks for order has been launched.
    private static final long LOOK_NANOS = 1_000_000;

    private static final HostWait NONE = new HostWait(null, false);

    /// The host reads nothing.
    public static HostWait none() {
        return NONE;
    }

    /// The size of the largest bucket is read some time after the sort.
    ///
    /// @param told pinned memory for a long
    public static HostWait forBucket(MemorySegment told) {
        return new HostWait(told, false);
    }

    /// The caller waits for this sort, so the sort may do so, too.
    ///
    /// @param told pinned memory of [#BYTES]
    public static HostWait forOrder(MemorySegment told) {
        return new HostWait(told, true);
    }

    /// Tells the size of the largest bucket where the host knows it.
    public void tellBucket(long size) {
        if (told != null) {
            told.set(ValueLayout.JAVA_LONG, 0, size);
        }
    }

    /// Returns the size of the largest bucket, once the sort has ended.
    public long largestBucket() {
        return told.get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns where the device writes the size of the largest bucket; 0 where it does not.
    long bucketAddress() {
        return told == null ? 0 : told.address();
    }

    /// Returns where the device writes what it sees of the order; 0 where it does not.
    long orderAddress() {
        return isForOrder ? told.address() + Long.BYTES : 0;
    }

    /// Forgets what earlier sorts were told of their order.
    void forgetOrder() {
        if (isForOrder) {
            told.set(ValueLayout.JAVA_LONG, Long.BYTES, 0L);
        }
    }

    /// Waits for the first look at the input, which is a kernel of some microseconds, and returns what it has told.
    int awaitLook(Stream stream) {
        long start = System.nanoTime();
        while (order() == 0 && System.nanoTime() - start < LOOK_NANOS) {
            Thread.onSpinWait();
        }
        return order() == 0 ? awaitOrder(stream) : order();
    }

    /// Waits for all that looks for order on a stream, and returns what has been told by then.
    int awaitOrder(Stream stream) {
        stream.synchronize();
        return order();
    }

    private int order() {
        return (int) ORDER.getVolatile(told, (long) Long.BYTES);
    }

    // Written out, since Java makes the method of a record when it is first called, which takes milliseconds.
    boolean isSame(HostWait other) {
        return bucketAddress() == other.bucketAddress() && isForOrder == other.isForOrder;
    }
}
