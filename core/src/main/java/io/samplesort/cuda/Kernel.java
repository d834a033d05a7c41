package io.samplesort.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// One kernel of a [CudaModule].
public final class Kernel {
    private static final int LOCAL_BYTES = 3;
    private static final int REGISTERS = 4;
    private static final int MAX_DYNAMIC_SHARED_BYTES = 8;

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

    /// Allows launches with so much dynamic shared memory; without, 48 KiB are the limit.
    public void allowDynamicSharedBytes(int bytes) {
        driver.call("cuFuncSetAttribute", () ->
                (int) driver.funcSetAttribute.invokeExact(handle, MAX_DYNAMIC_SHARED_BYTES, bytes));
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

    /// Puts a launch on the stream; the arguments are copied before this returns.
    ///
    /// @param cooperative whether all blocks must be resident at once, so that they may wait for each other
    public void launch(
            Stream stream, int blocks, int threads, int sharedBytes, boolean cooperative, Arguments arguments) {
        if (arguments.missing != 0) {
            throw new IllegalArgumentException("kernel " + name + " takes " + parameterBytes.length + " arguments and "
                    + arguments.missing + " are not set");
        }
        long streamHandle = stream.handle();
        MemorySegment pointers = arguments.pointers;
        int result = cooperative
                ? Driver.invoke("cuLaunchCooperativeKernel", () -> (int) driver.launchCooperativeKernel.invokeExact(
                        handle, blocks, 1, 1, threads, 1, 1, sharedBytes, streamHandle, pointers))
                : Driver.invoke("cuLaunchKernel", () -> (int) driver.launchKernel.invokeExact(
                        handle, blocks, 1, 1, threads, 1, 1, sharedBytes, streamHandle, pointers, MemorySegment.NULL));
        if (result != 0) {
            driver.check(
                    result,
                    "the launch of " + name + " (" + blocks + " blocks of " + threads + " threads, " + sharedBytes
                            + " bytes of shared memory)");
        }
    }
}
