package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;

/// One kernel of a [CudaModule], for one thread at a time.
public final class Kernel {
    private static final int LOCAL_BYTES = 3;
    private static final int REGISTERS = 4;
    private static final int MAX_DYNAMIC_SHARED_BYTES = 8;
    private static final int PREFERRED_SHARED_PERCENTAGE = 9;

    /// `CUlaunchConfig`, and where its fields are after three ints of the grid's size and three of the block's: an
    /// unsigned int, a pointer, a pointer to [#LAUNCH_ATTRIBUTE_BYTES] for each attribute, an unsigned int.
    private static final long LAUNCH_CONFIG_BYTES = 56;

    private static final long SHARED_BYTES = 24;
    private static final long STREAM = 32;
    private static final long ATTRIBUTES = 40;
    private static final long ATTRIBUTE_COUNT = 48;

    /// `CUlaunchAttribute`: an `int` that says which, then from the eighth byte on its value.
    private static final long LAUNCH_ATTRIBUTE_BYTES = 72;

    private static final long LAUNCH_ATTRIBUTE_VALUE = 8;
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    private final Driver driver;
    private final long handle;
    private final String name;
    private final int[] parameterBytes;
    /// Where each argument begins in `arguments`.
    private final long[] offsets;

    /// What launches hand to the driver, which copies it. Here and not anew for each launch, which would take some ten
    /// allocations of native memory.
    private final MemorySegment arguments;

    private final MemorySegment pointers;
    private final MemorySegment config;
    /// A bit for each argument that has been set since the last launch.
    private long given;

    /// @param parameterBytes the sizes of the kernel's parameters as the caller knows them, multiples of eight
    Kernel(Driver driver, long handle, String name, int[] parameterBytes) {
        this.driver = driver;
        this.handle = handle;
        this.name = name;
        this.parameterBytes = parameterBytes.clone();
        Arena arena = Arena.ofAuto();
        offsets = new long[parameterBytes.length];
        long argumentBytes = 0;
        for (int i = 0; i < parameterBytes.length; i++) {
            offsets[i] = argumentBytes;
            argumentBytes += parameterBytes[i];
        }
        arguments = arena.allocate(argumentBytes, Long.BYTES);
        pointers = arena.allocate(JAVA_LONG, parameterBytes.length);
        for (int i = 0; i < parameterBytes.length; i++) {
            pointers.setAtIndex(JAVA_LONG, i, arguments.address() + offsets[i]);
        }
        MemorySegment attribute = arena.allocate(LAUNCH_ATTRIBUTE_BYTES, Long.BYTES);
        attribute.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
        attribute.set(JAVA_INT, LAUNCH_ATTRIBUTE_VALUE, 1);
        config = arena.allocate(LAUNCH_CONFIG_BYTES, Long.BYTES);
        // Grids and blocks have one dimension.
        MemorySegment.copy(new int[] {1, 1, 1, 1, 1, 1}, 0, config, JAVA_INT, 0, 6);
        config.set(JAVA_LONG, ATTRIBUTES, attribute.address());
        checkParameters();
    }

    private void checkParameters() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocate(JAVA_LONG);
            for (int i = 0; i < parameterBytes.length; i++) {
                int result = driver.funcGetParamInfo.invoke(handle, i, address(offset), address(size));
                driver.check(result, "cuFuncGetParamInfo of parameter " + i + " of " + name);
                if (size.get(JAVA_LONG, 0) != parameterBytes[i]) {
                    throw new IllegalStateException("parameter " + i + " of kernel " + name + " has "
                            + size.get(JAVA_LONG, 0) + " bytes as compiled and " + parameterBytes[i] + " for the host");
                }
            }
        }
    }

    public String name() {
        return name;
    }

    /// Registers of one thread.
    public int registers() {
        return attribute(REGISTERS);
    }

    /// Local memory of one thread in bytes; more than 0 where registers were spilled.
    public int localBytes() {
        return attribute(LOCAL_BYTES);
    }

    private int attribute(int attribute) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.funcGetAttribute.call(address(out), attribute, handle);
            return out.get(JAVA_INT, 0);
        }
    }

    /// Allows launches with so much dynamic shared memory; without, 48 KiB are the limit.
    public void allowDynamicSharedBytes(int bytes) {
        driver.funcSetAttribute.call(handle, MAX_DYNAMIC_SHARED_BYTES, bytes);
    }

    /// Asks for as much shared memory and as little cache as a multiprocessor can have. Kernels that ask for the same
    /// can run beside each other; between others a multiprocessor has to be empty to be divided anew.
    public void preferSharedMemory() {
        driver.funcSetAttribute.call(handle, PREFERRED_SHARED_PERCENTAGE, 100);
    }

    /// How many blocks of this size fit one multiprocessor at once.
    public int activeBlocksPerMultiprocessor(int threads, int sharedBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.occupancyMaxActiveBlocks.call(address(out), handle, threads, sharedBytes);
            return out.get(JAVA_INT, 0);
        }
    }

    /// Sets an argument of the next launch.
    ///
    /// @param fields of a struct, or the one value; eight bytes each
    public Kernel set(int index, long... fields) {
        if (index >= parameterBytes.length || parameterBytes[index] != fields.length * Long.BYTES) {
            throw new IllegalArgumentException("kernel " + name + " takes arguments of "
                    + Arrays.toString(parameterBytes) + " bytes; argument " + index + " was given "
                    + fields.length * Long.BYTES);
        }
        MemorySegment.copy(fields, 0, arguments, JAVA_LONG, offsets[index], fields.length);
        given |= 1L << index;
        return this;
    }

    /// How a launch relates to what is on the stream before it.
    public enum Mode {
        /// Begins when all before it has ended.
        AFTER,
        /// Begins as soon as the blocks of the kernel just before it allow it (`griddepcontrol.launch_dependents`), and
        /// runs beside it until it waits for its end (`griddepcontrol.wait`), which it has to do; for GPUs of compute
        /// capability 9.0 and more. Where no kernel is just before it, begins as [#AFTER] does.
        BESIDE
    }

    /// Puts a launch on the stream. All arguments have to be set again for the next one.
    public void launch(Stream stream, int blocks, int threads, int sharedBytes, Mode mode) {
        int missing = parameterBytes.length - Long.bitCount(given);
        if (missing != 0) {
            throw new IllegalArgumentException("kernel " + name + " takes " + parameterBytes.length + " arguments and "
                    + missing + " are not set");
        }
        given = 0;
        config.setAtIndex(JAVA_INT, 0, blocks);
        config.setAtIndex(JAVA_INT, 3, threads);
        config.set(JAVA_INT, SHARED_BYTES, sharedBytes);
        config.set(JAVA_LONG, STREAM, stream.handle());
        config.set(JAVA_INT, ATTRIBUTE_COUNT, mode == Mode.BESIDE ? 1 : 0);
        int result;
        try {
            result = driver.launchKernel.invoke(address(config), handle, address(pointers), 0);
        } finally {
            // The memory goes with this object, of which the call has nothing but addresses.
            Reference.reachabilityFence(this);
        }
        if (result != 0) {
            driver.check(
                    result,
                    "the launch of " + name + " (" + blocks + " blocks of " + threads + " threads, " + sharedBytes
                            + " bytes of shared memory)");
        }
    }
}
