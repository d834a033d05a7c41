package io.samplesort.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Host memory that the GPU's copy engines reach directly.
public final class PinnedMemory implements AutoCloseable {
    private static final int PORTABLE = 1;

    private final Driver driver;
    private final Arena arena;
    private final MemorySegment segment;
    private boolean closed;

    private PinnedMemory(Driver driver, Arena arena, MemorySegment segment) {
        this.driver = driver;
        this.arena = arena;
        this.segment = segment;
    }

    public static PinnedMemory allocate(Context context, long byteSize) {
        Driver driver = context.driver();
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment out = confined.allocate(ADDRESS);
            int result = Driver.invoke(
                    "cuMemHostAlloc", () -> (int) driver.memHostAlloc.invokeExact(out, byteSize, PORTABLE));
            driver.check(result, "cuMemHostAlloc of " + byteSize + " bytes");
            Arena arena = Arena.ofShared();
            return new PinnedMemory(driver, arena, out.get(ADDRESS, 0).reinterpret(byteSize, arena, null));
        }
    }

    /// The memory, readable and writable by all threads until it is closed.
    public MemorySegment segment() {
        return segment;
    }

    /// Frees the memory. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        MemorySegment address = MemorySegment.ofAddress(segment.address());
        arena.close();
        driver.call("cuMemFreeHost", () -> (int) driver.memFreeHost.invokeExact(address));
    }
}
