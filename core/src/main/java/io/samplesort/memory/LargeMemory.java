package io.samplesort.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Allocates host memory for many elements, with unspecified content. It comes from `malloc`, since an arena would
/// first write zeros to all of it with a single thread. It has huge pages where the system offers them, since with
/// pages of 4 KiB the first use of so much memory takes longer than the work on it. If Java does not allow native
/// access, the memory comes from the arena after all.
public final class LargeMemory {
    /// Functions of the C library.
    ///
    /// @param malloc `void* malloc(size_t size)`
    /// @param free   `void free(void* ptr)`
    private record Functions(MethodHandle malloc, MethodHandle free) {}

    /// Linked when they are first needed.
    private static final class Linked {
        /// Null where Java does not allow native access.
        static final Functions FUNCTIONS = functions();
    }

    private static final long HUGE_PAGE_BYTES = 2L << 20;

    /// Less memory than this comes from the arena: the processor's tables hold all its pages, and linking `malloc`
    /// takes longer.
    private static final long LEAST_BYTES = 16L << 20;

    private LargeMemory() {}

    private static Functions functions() {
        if (!LargeMemory.class.getModule().isNativeAccessEnabled()) {
            // Without native access, the virtual machine would print a warning, or throw.
            return null;
        }
        Linker linker = Linker.nativeLinker();
        try {
            MethodHandle malloc = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("malloc"),
                    FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
            MethodHandle free = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
            return new Functions(malloc, free);
        } catch (IllegalCallerException e) {
            return null;
        }
    }

    /// Returns memory that all threads may use, aligned to 2 MiB, until `arena` is closed.
    ///
    /// @param arena a shared arena
    /// @throws OutOfMemoryError if the system refuses this much memory
    public static MemorySegment allocate(long byteSize, Arena arena) {
        if (byteSize < LEAST_BYTES || Linked.FUNCTIONS == null) {
            return arena.allocate(byteSize, HUGE_PAGE_BYTES);
        }
        MemorySegment allocation;
        try {
            allocation = (MemorySegment) Linked.FUNCTIONS.malloc.invokeExact(Math.addExact(byteSize, HUGE_PAGE_BYTES));
        } catch (Throwable e) {
            throw new AssertionError("malloc could not be called", e);
        }
        if (allocation.address() == 0) {
            throw new OutOfMemoryError("the system refuses " + byteSize + " bytes of memory");
        }
        long begin = (allocation.address() + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
        MemorySegment segment =
                MemorySegment.ofAddress(begin).reinterpret(byteSize, arena, ignored -> free(allocation));
        PageAdvice.useHugePages(segment);
        return segment;
    }

    private static void free(MemorySegment allocation) {
        try {
            Linked.FUNCTIONS.free.invokeExact(allocation);
        } catch (Throwable e) {
            throw new AssertionError("free could not be called", e);
        }
    }
}
