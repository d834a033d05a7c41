package io.samplesort.cuda;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One kernel of a [CudaModule].
public final class Kernel {
    private static final int LOCAL_BYTES = 3;
    private static final int REGISTERS = 4;
    private static final int MAX_DYNAMIC_SHARED_BYTES = 8;
    private static final int PREFERRED_SHARED_PERCENTAGE = 9;

    private final Driver driver;
    private final long handle;
    private final String name;
    private final int[] parameterBytes;

    /// @param parameterBytes the sizes of the kernel's parameters as the caller knows them
    Kernel(Driver driver, long handle, String name, int[] parameterBytes) {
        this.driver = driver;
        this.handle = handle;
        this.name = name;
        this.parameterBytes = parameterBytes.clone();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocate(JAVA_LONG);
            for (int i = 0; i < parameterBytes.length; i++) {
                long index = i;
                int result = Driver.invoke("cuFuncGetParamInfo", () ->
                        (int) driver.funcGetParamInfo.invokeExact(handle, index, offset, size));
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
            driver.call("cuFuncGetAttribute", () -> (int) driver.funcGetAttribute.invokeExact(out, attribute, handle));
            return out.get(JAVA_INT, 0);
        }
    }

    private static final MemoryLayout LAUNCH_CONFIG = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(3, JAVA_INT).withName("gridDim"),
            MemoryLayout.sequenceLayout(3, JAVA_INT).withName("blockDim"),
            JAVA_INT.withName("sharedMemBytes"),
            MemoryLayout.paddingLayout(4),
            JAVA_LONG.withName("hStream"),
            ADDRESS.withName("attrs"),
            JAVA_INT.withName("numAttrs"),
            MemoryLayout.paddingLayout(4));

    /// `CUlaunchAttribute`: an `int` that says which, then from the eighth byte on its value.
    private static final long LAUNCH_ATTRIBUTE_BYTES = 72;

    private static final long LAUNCH_ATTRIBUTE_VALUE = 8;
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    /// Allows launches with so much dynamic shared memory; without, 48 KiB are the limit.
    public void allowDynamicSharedBytes(int bytes) {
        driver.call("cuFuncSetAttribute", () ->
                (int) driver.funcSetAttribute.invokeExact(handle, MAX_DYNAMIC_SHARED_BYTES, bytes));
    }

    /// Asks for as much shared memory and as little cache as a multiprocessor can have. Kernels that ask for the same
    /// can run beside each other; between others a multiprocessor has to be empty to be divided anew.
    public void preferSharedMemory() {
        driver.call("cuFuncSetAttribute", () ->
                (int) driver.funcSetAttribute.invokeExact(handle, PREFERRED_SHARED_PERCENTAGE, 100));
    }

    /// How many blocks of this size fit one multiprocessor at once.
    public int activeBlocksPerMultiprocessor(int threads, int sharedBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", () ->
                    (int) driver.occupancyMaxActiveBlocks.invokeExact(out, handle, threads, (long) sharedBytes));
            return out.get(JAVA_INT, 0);
        }
    }

    /// Arguments for one or more launches, allocated in `arena`.
    public Arguments arguments(Arena arena) {
        return new Arguments(arena);
    }

    /// The arguments of a launch, checked against the sizes the compiled kernel declares.
    public final class Arguments {
        private final MemorySegment[] values = new MemorySegment[parameterBytes.length];
        private final MemorySegment pointers;
        private int missing = parameterBytes.length;

        private Arguments(Arena arena) {
            pointers = arena.allocate(ADDRESS, Math.max(1, parameterBytes.length));
            for (int i = 0; i < parameterBytes.length; i++) {
                values[i] = arena.allocate(parameterBytes[i], Long.BYTES);
            }
        }

        public Arguments set(int index, long value) {
            slot(index, Long.BYTES).set(JAVA_LONG, 0, value);
            return this;
        }

        /// Sets an argument that is a struct.
        public Arguments set(int index, MemorySegment struct) {
            slot(index, struct.byteSize()).copyFrom(struct);
            return this;
        }

        private MemorySegment slot(int index, long bytes) {
            if (index >= parameterBytes.length || parameterBytes[index] != bytes) {
                throw new IllegalArgumentException("kernel " + name + " takes arguments of "
                        + Arrays.toString(parameterBytes) + " bytes; argument " + index + " was given " + bytes);
            }
            if (pointers.getAtIndex(ADDRESS, index).address() == 0) {
                missing--;
            }
            pointers.setAtIndex(ADDRESS, index, values[index]);
            return values[index];
        }
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

    /// Puts a launch on the stream; the arguments are copied before this returns.
    public void launch(Stream stream, int blocks, int threads, int sharedBytes, Mode mode, Arguments arguments) {
        if (arguments.missing != 0) {
            throw new IllegalArgumentException("kernel " + name + " takes " + parameterBytes.length + " arguments and "
                    + arguments.missing + " are not set");
        }
        MemorySegment pointers = arguments.pointers;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment config = config(arena, stream, blocks, threads, sharedBytes, mode);
            int result = Driver.invoke("cuLaunchKernelEx", () ->
                    (int) driver.launchKernel.invokeExact(config, handle, pointers, MemorySegment.NULL));
            if (result != 0) {
                driver.check(
                        result,
                        "the launch of " + name + " (" + blocks + " blocks of " + threads + " threads, " + sharedBytes
                                + " bytes of shared memory)");
            }
        }
    }

    private static MemorySegment config(
            Arena arena, Stream stream, int blocks, int threads, int sharedBytes, Mode mode) {
        MemorySegment config = arena.allocate(LAUNCH_CONFIG);
        int[] sizes = {blocks, 1, 1, threads, 1, 1, sharedBytes};
        MemorySegment.copy(sizes, 0, config, JAVA_INT, 0, sizes.length);
        config.set(JAVA_LONG, LAUNCH_CONFIG.byteOffset(groupElement("hStream")), stream.handle());
        if (mode == Mode.BESIDE) {
            MemorySegment attribute = arena.allocate(LAUNCH_ATTRIBUTE_BYTES, Long.BYTES);
            attribute.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
            attribute.set(JAVA_INT, LAUNCH_ATTRIBUTE_VALUE, 1);
            config.set(ADDRESS, LAUNCH_CONFIG.byteOffset(groupElement("attrs")), attribute);
            config.set(JAVA_INT, LAUNCH_CONFIG.byteOffset(groupElement("numAttrs")), 1);
        }
        return config;
    }
}
