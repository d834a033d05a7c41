package io.samplesort.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/// Tells Linux how memory will be used. Does nothing if Java does not allow native access or the system does not know
/// this advice.
public final class PageAdvice {
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_POPULATE_WRITE = 23;

    /// The size of the smallest pages that systems have. Addresses to advise on are multiples of it.
    private static final long PAGE_BYTES = 4 << 10;

    /// `int madvise(void* addr, size_t length, int advice)`; null where it cannot be called.
    private static final MethodHandle MADVISE = madvise();

    private PageAdvice() {}

    private static MethodHandle madvise() {
        Linker linker = Linker.nativeLinker();
        try {
            return linker.defaultLookup()
                    .find("madvise")
                    .map(address -> linker.downcallHandle(
                            address,
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.ADDRESS,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT)))
                    .orElse(null);
        } catch (IllegalCallerException e) {
            return null;
        }
    }

    /// Asks for huge pages, of which the system may give as many as it likes.
    static void useHugePages(MemorySegment segment) {
        advise(segment, MADV_HUGEPAGE);
    }

    /// Makes the system provide all pages of memory that will be written, including mapped files, so that writing to it
    /// cannot fail, however full the disk is. Linux can do so from 5.14 on.
    ///
    /// @return whether all pages are there; false if there is too little room, or if this system cannot do it
    public static boolean provide(MemorySegment segment) {
        return segment.byteSize() == 0 || advise(segment, MADV_POPULATE_WRITE);
    }

    private static boolean advise(MemorySegment segment, int advice) {
        if (MADVISE == null) {
            return false;
        }
        long begin = segment.address() / PAGE_BYTES * PAGE_BYTES;
        long bytes = segment.address() + segment.byteSize() - begin;
        try {
            return (int) MADVISE.invokeExact(MemorySegment.ofAddress(begin), bytes, advice) == 0;
        } catch (Throwable e) {
            throw new AssertionError("madvise could not be called", e);
        }
    }
}
