package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A queue of work for the GPU. All methods but [#synchronize] return at once; native memory that they are given must
/// stay as it is until the work is done.
public final class Stream implements AutoCloseable {
    private static final int NON_BLOCKING = 1;

    private final Driver driver;
    private final long handle;
    private final boolean isOwned;
    private boolean closed;

    private Stream(Driver driver, long handle, boolean isOwned) {
        this.driver = driver;
        this.handle = handle;
        this.isOwned = isOwned;
    }

    /// A new stream, which does not wait for the default stream.
    public static Stream create(Context context) {
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            driver.streamCreate.call(address(out), NON_BLOCKING);
            return new Stream(driver, out.get(JAVA_LONG, 0), true);
        }
    }

    /// Somebody else's stream; closing the returned object leaves it alone.
    public static Stream borrow(Context context, long handle) {
        return new Stream(context.driver(), handle, false);
    }

    /// The `CUstream`.
    public long handle() {
        if (closed) {
            throw new IllegalStateException("this Stream is closed");
        }
        return handle;
    }

    /// Waits for all work put here so far. An error of earlier work shows here.
    public void synchronize() {
        driver.streamSynchronize.call(handle());
    }

    /// Has what is put here from now on wait for the work before the event's latest mark; for nothing if it has none.
    public void waitFor(Event event) {
        driver.streamWaitEvent.call(handle(), event.handle(), 0);
    }

    /// Fills device memory with one byte.
    public void fill(long address, byte value, long bytes) {
        driver.memsetD8Async.call(address, value, bytes, handle());
    }

    /// @param source native memory, pinned if the copy is to overlap with other work
    public void copyToDevice(long target, MemorySegment source, long bytes) {
        driver.memcpyHtoDAsync.call(target, address(source), bytes, handle());
    }

    /// @param target native memory, pinned if the copy is to overlap with other work
    public void copyToHost(MemorySegment target, long source, long bytes) {
        driver.memcpyDtoHAsync.call(address(target), source, bytes, handle());
    }

    /// Copies within device memory.
    public void copyOnDevice(long target, long source, long bytes) {
        driver.memcpyDtoDAsync.call(target, source, bytes, handle());
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
