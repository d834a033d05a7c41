package io.samplesort.gpu;

import io.samplesort.SampleSortException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Host memory for elements of several columns while they are not on the device. From `malloc`, since an arena would
/// first write zeros to all of it, by one thread.
final class HostScratch implements AutoCloseable {
    private static final Linker LINKER = Linker.nativeLinker();
    /// `void* malloc(size_t size)`
    private static final MethodHandle MALLOC = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("malloc"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    /// `void free(void* ptr)`
    private static final MethodHandle FREE = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));

    /// `int madvise(void* addr, size_t length, int advice)`, where the system has it
    private static final Optional<MethodHandle> MADVISE = LINKER.defaultLookup()
            .find("madvise")
            .map(address -> LINKER.downcallHandle(
                    address,
                    FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT)));

    private static final int MADV_HUGEPAGE = 14;
    private static final long HUGE_PAGE_BYTES = 2L << 20;

    private final List<MemorySegment> allocations = new ArrayList<>();
    private final List<MemorySegment> columns = new ArrayList<>();

    /// @param like columns of as many bytes each
    /// @throws SampleSortException if the system has not that much
    HostScratch(List<MemorySegment> like) {
        for (MemorySegment column : like) {
            long bytes = Math.addExact(column.byteSize(), HUGE_PAGE_BYTES);
            MemorySegment memory = malloc(bytes);
            if (memory.address() == 0) {
                close();
                throw new SampleSortException("elements that do not fit the GPU take as much host memory again, and the"
                        + " system refuses " + bytes
                        + " bytes: allow more device memory, or sort fewer elements; the input is as it was");
            }
            allocations.add(memory);
            long begin = (memory.address() + HUGE_PAGE_BYTES - 1) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
            MemorySegment aligned = MemorySegment.ofAddress(begin).reinterpret(column.byteSize());
            // All of it is written soon, by many threads: with pages of 4 KiB they wait for the system most of the
            // time.
            MADVISE.ifPresent(madvise -> adviseHugePages(madvise, aligned));
            columns.add(aligned);
        }
    }

    private static void adviseHugePages(MethodHandle madvise, MemorySegment memory) {
        try {
            madvise.invokeExact(memory, memory.byteSize(), MADV_HUGEPAGE);
        } catch (Throwable e) {
            throw new AssertionError("madvise could not be called", e);
        }
    }

    private static MemorySegment malloc(long bytes) {
        try {
            return (MemorySegment) MALLOC.invokeExact(bytes);
        } catch (Throwable e) {
            throw new AssertionError("malloc could not be called", e);
        }
    }

    List<MemorySegment> columns() {
        return columns;
    }

    /// Frees the memory, which nobody may use any more. A second call does nothing.
    @Override
    public void close() {
        for (MemorySegment allocation : allocations) {
            try {
                FREE.invokeExact(allocation);
            } catch (Throwable e) {
                throw new AssertionError("free could not be called", e);
            }
        }
        allocations.clear();
        columns.clear();
    }
}
