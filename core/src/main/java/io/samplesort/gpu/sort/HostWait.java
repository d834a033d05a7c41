package io.samplesort.gpu.sort;

import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// What the device tells the host about a sort, in pinned memory, and whether the sort may wait for it.
///
/// @param told       pinned memory for the size of the largest bucket and, if the sort may wait, after it for what the
///     device has seen of the order of the input; null if the host reads nothing
/// @param isForOrder whether the caller waits for this sort only, so that the sort itself may wait for the first look
///     at the input
public record HostWait(MemorySegment told, boolean isForOrder) {
    /// The pinned memory of [#forOrder].
    public static final int BYTES = 2 * Long.BYTES;

    /// The int that the device writes while the host reads it.
    private static final VarHandle ORDER = ValueLayout.JAVA_INT.varHandle();

    /// How long the host waits for the first look at the input without asking the driver, in ns. The look normally ends
    /// long before this.
    private static final long LOOK_NANOS = 1_000_000;

    private static final HostWait NONE = new HostWait(null, false);

    /// Returns a wait in which the host reads nothing.
    public static HostWait none() {
        return NONE;
    }

    /// Returns a wait for a caller who reads the size of the largest bucket some time after the sort.
    ///
    /// @param told pinned memory for a long
    public static HostWait forBucket(MemorySegment told) {
        return new HostWait(told, false);
    }

    /// Returns a wait for a caller who waits for this sort, so that the sort may wait, too.
    ///
    /// @param told pinned memory of [#BYTES]
    public static HostWait forOrder(MemorySegment told) {
        return new HostWait(told, true);
    }

    /// Writes the size of the largest bucket, for sorts in which the host knows it.
    public void tellBucket(long size) {
        if (told != null) {
            told.set(ValueLayout.JAVA_LONG, 0, size);
        }
    }

    /// Returns the size of the largest bucket, once the sort has ended.
    public long largestBucket() {
        return told.get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns where the device writes the size of the largest bucket; 0 if it does not.
    long bucketAddress() {
        return told == null ? 0 : told.address();
    }

    /// Returns where the device writes what it sees of the order; 0 if it does not.
    long orderAddress() {
        return isForOrder ? told.address() + Long.BYTES : 0;
    }

    /// Forgets what earlier sorts were told about their order.
    void forgetOrder() {
        if (isForOrder) {
            told.set(ValueLayout.JAVA_LONG, Long.BYTES, 0L);
        }
    }

    /// Waits for the first look at the input, a kernel of some microseconds, and returns what it has found.
    int awaitLook(Stream stream) {
        long start = System.nanoTime();
        while (order() == 0 && System.nanoTime() - start < LOOK_NANOS) {
            Thread.onSpinWait();
        }
        return order() == 0 ? awaitOrder(stream) : order();
    }

    /// Waits for the whole search for order on a stream, and returns what it has found.
    int awaitOrder(Stream stream) {
        stream.synchronize();
        return order();
    }

    private int order() {
        return (int) ORDER.getVolatile(told, (long) Long.BYTES);
    }

    // Written out, since Java generates the `equals` of a record at its first call, which takes milliseconds.
    boolean isSame(HostWait other) {
        return bucketAddress() == other.bucketAddress() && isForOrder == other.isForOrder;
    }
}
