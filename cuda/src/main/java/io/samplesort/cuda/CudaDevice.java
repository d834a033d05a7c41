package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.errors.GpuUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A GPU and its properties.
///
/// @param ordinal                        its number among the visible GPUs
/// @param name                           such as `NVIDIA H200`
/// @param major                          the major number of the compute capability
/// @param minor                          the minor number of the compute capability
/// @param multiprocessorCount            how many streaming multiprocessors it has
/// @param maxSharedBytesPerBlock         how much shared memory a block can have
/// @param maxSharedBytesPerMultiprocessor shared memory of one multiprocessor
/// @param registersPerMultiprocessor     32-bit registers of one multiprocessor
/// @param totalBytes                     all device memory
/// @param supportsPools                  whether memory can be allocated in stream order
public record CudaDevice(
        int ordinal,
        String name,
        int major,
        int minor,
        int multiprocessorCount,
        int maxSharedBytesPerBlock,
        int maxSharedBytesPerMultiprocessor,
        int registersPerMultiprocessor,
        long totalBytes,
        boolean supportsPools) {
    private static final int MULTIPROCESSOR_COUNT = 16;
    private static final int COMPUTE_CAPABILITY_MAJOR = 75;
    private static final int COMPUTE_CAPABILITY_MINOR = 76;
    private static final int MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81;
    private static final int MAX_REGISTERS_PER_MULTIPROCESSOR = 82;
    private static final int MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;
    private static final int MEMORY_POOLS_SUPPORTED = 115;
    private static final int NAME_BYTES = 256;

    /// Returns how many GPUs are visible.
    public static int count() {
        Driver driver = Cuda.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.deviceGetCount.call(address(out));
            return out.get(JAVA_INT, 0);
        }
    }

    /// Returns the properties of a GPU, as the driver tells them.
    ///
    /// @throws GpuUnavailableException if there is no GPU of this ordinal
    public static CudaDevice get(int ordinal) {
        requireVisible(ordinal);
        Driver driver = Cuda.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment name = arena.allocate(NAME_BYTES);
            driver.deviceGetName.call(address(name), NAME_BYTES, ordinal);
            driver.deviceTotalMem.call(address(out), ordinal);
            return new CudaDevice(
                    ordinal,
                    name.getString(0),
                    attribute(driver, ordinal, COMPUTE_CAPABILITY_MAJOR),
                    attribute(driver, ordinal, COMPUTE_CAPABILITY_MINOR),
                    attribute(driver, ordinal, MULTIPROCESSOR_COUNT),
                    attribute(driver, ordinal, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                    attribute(driver, ordinal, MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
                    attribute(driver, ordinal, MAX_REGISTERS_PER_MULTIPROCESSOR),
                    out.get(JAVA_LONG, 0),
                    attribute(driver, ordinal, MEMORY_POOLS_SUPPORTED) != 0);
        }
    }

    /// Returns whether kernels on one GPU can use the memory of another one, once a context allows it
    /// ([Context#enablePeer]). Copies between the two work in any case. A GPU does not count as its own peer.
    ///
    /// @throws GpuUnavailableException if there is no GPU of one of these ordinals
    public static boolean canReach(int from, int to) {
        requireVisible(from);
        requireVisible(to);
        Driver driver = Cuda.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.deviceCanAccessPeer.call(address(out), from, to);
            return out.get(JAVA_INT, 0) != 0;
        }
    }

    static void requireVisible(int ordinal) {
        int count = count();
        if (ordinal < 0 || ordinal >= count) {
            throw new GpuUnavailableException("there is no GPU " + ordinal + ": " + count
                    + (count == 1 ? " is" : " are") + " visible, numbered from 0");
        }
    }

    /// Returns NVRTC's name for the machine code of this GPU, such as `sm_90`.
    public String architecture() {
        return "sm_" + major + minor;
    }

    private static int attribute(Driver driver, int ordinal, int attribute) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.deviceGetAttribute.call(address(out), attribute, ordinal);
            return out.get(JAVA_INT, 0);
        }
    }
}
