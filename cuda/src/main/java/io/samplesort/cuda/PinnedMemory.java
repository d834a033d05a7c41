package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Host memory that the GPU's copy engines can reach directly. It is allocated here, or other memory is registered for
/// a time.
public final class PinnedMemory implements AutoCloseable {
    private static final int PORTABLE = 1;
    private static final int ATTRIBUTE_MEMORY_TYPE = 2;
    private static final int MEMORY_TYPE_HOST = 1;

    private final Driver driver;
    /// Null if the memory was allocated elsewhere.
    private final Arena arena;

    private final MemorySegment segment;
    private boolean closed;

    private PinnedMemory(Driver driver, Arena arena, MemorySegment segment) {
        this.driver = driver;
        this.arena = arena;
        this.segment = segment;
    }

    /// Allocates pinned memory.
    public static PinnedMemory allocate(Context context, long byteSize) {
        Driver driver = context.driver();
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment out = confined.allocate(JAVA_LONG);
            int result = driver.memHostAlloc.invoke(address(out), byteSize, PORTABLE);
            driver.check(result, "cuMemHostAlloc of " + byteSize + " bytes");
            Arena arena = Arena.ofShared();
            return new PinnedMemory(
                    driver,
                    arena,
                    MemorySegment.ofAddress(out.get(JAVA_LONG, 0)).reinterpret(byteSize, arena, null));
        }
    }

    /// Pins native memory, which must stay allocated until this is closed.
    ///
    /// @throws io.samplesort.errors.CudaException if the system refuses, or the memory is already pinned
    public static PinnedMemory register(Context context, MemorySegment segment) {
        Driver driver = context.driver();
        int result = driver.memHostRegister.invoke(address(segment), segment.byteSize(), PORTABLE);
        driver.check(result, "cuMemHostRegister of " + segment.byteSize() + " bytes");
        return new PinnedMemory(driver, null, segment);
    }

    /// Returns whether native memory is pinned, by this library or by others. Only its first and last byte are checked;
    /// the memory in between is assumed to be the same.
    public static boolean isPinned(Context context, MemorySegment segment) {
        return segment.byteSize() > 0
                && isPinned(context, segment.address())
                && isPinned(context, segment.address() + segment.byteSize() - 1);
    }

    private static boolean isPinned(Context context, long address) {
        Driver driver = context.driver();
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment attributes = confined.allocateFrom(JAVA_INT, ATTRIBUTE_MEMORY_TYPE);
            // This stays 0 for memory that the driver does not know.
            MemorySegment type = confined.allocate(JAVA_INT);
            MemorySegment data = confined.allocateFrom(ADDRESS, type);
            driver.pointerGetAttributes.call(1, address(attributes), address(data), address);
            return type.get(JAVA_INT, 0) == MEMORY_TYPE_HOST;
        }
    }

    /// Returns the memory, which all threads can read and write until it is closed.
    public MemorySegment segment() {
        return segment;
    }

    /// Frees the memory, or unpins it if it was allocated elsewhere. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        long address = segment.address();
        if (arena == null) {
            driver.memHostUnregister.call(address);
            return;
        }
        arena.close();
        driver.memFreeHost.call(address);
    }
}
