package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A queue of work for the GPU. All methods but [#synchronize] return at once. Native memory that is passed to them
/// must not change until the work is done.
public final class Stream implements AutoCloseable {
    private static final int NON_BLOCKING = 1;

    private final Driver driver;
    private final long handle;
    private final boolean isOwned;
    /// The list in which launches are kept; null if they are not.
    private LaunchList recording;

    private boolean closed;

    private Stream(Driver driver, long handle, boolean isOwned) {
        this.driver = driver;
        this.handle = handle;
        this.isOwned = isOwned;
    }

    /// Makes a stream that does not wait for the default stream.
    public static Stream create(Context context) {
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            driver.streamCreate.call(address(out), NON_BLOCKING);
            return new Stream(driver, out.get(JAVA_LONG, 0), true);
        }
    }

    /// Wraps a stream that was made elsewhere. Closing the returned object does not destroy the stream.
    public static Stream borrow(Context context, long handle) {
        return new Stream(context.driver(), handle, false);
    }

    /// Returns the driver's handle, a `CUstream`.
    public long handle() {
        if (closed) {
            throw new IllegalStateException("this Stream is closed");
        }
        return handle;
    }

    /// Keeps all further launches on this stream in a list, in addition to putting them on the stream, until the next
    /// call.
    ///
    /// @param list null for none
    public void record(LaunchList list) {
        recording = list;
    }

    LaunchList recording() {
        return recording;
    }

    /// Waits for all work that is on this stream. Throws errors of earlier work.
    public void synchronize() {
        driver.streamSynchronize.call(handle());
    }

    /// Makes all further work on this stream wait for the work before the event's latest mark. If the event has no
    /// mark, nothing waits. The event may belong to another GPU.
    public void waitFor(Event event) {
        driver.streamWaitEvent.call(handle(), event.handle(), 0);
    }

    /// Fills device memory with one byte.
    public void fill(long address, byte value, long bytes) {
        driver.memsetD8Async.call(address, value, bytes, handle());
    }

    /// Copies from the host to the device.
    ///
    /// @param source native memory, pinned if the copy is to overlap with other work
    public void copyToDevice(long target, MemorySegment source, long bytes) {
        driver.memcpyHtoDAsync.call(target, address(source), bytes, handle());
    }

    /// Copies from the device to the host.
    ///
    /// @param target native memory, pinned if the copy is to overlap with other work
    public void copyToHost(MemorySegment target, long source, long bytes) {
        driver.memcpyDtoHAsync.call(address(target), source, bytes, handle());
    }

    /// Copies within device memory.
    public void copyOnDevice(long target, long source, long bytes) {
        driver.memcpyDtoDAsync.call(target, source, bytes, handle());
    }

    /// Copies between the memory of two GPUs, on a stream of one of them. If the two cannot reach each other, the
    /// driver stages the bytes in host memory.
    public void copyBetween(long target, Context targetContext, long source, Context sourceContext, long bytes) {
        driver.memcpyPeerAsync.call(target, targetContext.handle(), source, sourceContext.handle(), bytes, handle());
    }

    /// Destroys the stream once its work is done. A second call does nothing.
    @Override
    public void close() {
        if (closed || !isOwned) {
            return;
        }
        closed = true;
        driver.streamDestroy.call(handle);
    }
}
