package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/// One kernel of a [CudaModule]. Only one thread at a time may use it.
public final class Kernel {
    private static final int LOCAL_BYTES = 3;
    private static final int REGISTERS = 4;
    private static final int MAX_DYNAMIC_SHARED_BYTES = 8;
    private static final int PREFERRED_SHARED_PERCENTAGE = 9;

    /// More parameters than any kernel has.
    private static final int MAX_PARAMETERS = 64;

    /// The most bytes of arguments that every GPU supports.
    private static final int MAX_ARGUMENT_BYTES = 4096;

    /// CUDA_ERROR_INVALID_VALUE, by which the driver says that a kernel has no parameter of this number.
    private static final int NO_SUCH_PARAMETER = 1;

    /// The size of `CUlaunchConfig`. It begins with three ints for the grid's size and three for the block's; after
    /// them come the fields below: an unsigned int, a pointer, a pointer to the attributes of [#LAUNCH_ATTRIBUTE_BYTES]
    /// each, and an unsigned int.
    private static final long LAUNCH_CONFIG_BYTES = 56;

    private static final long SHARED_BYTES = 24;
    private static final long STREAM = 32;
    private static final long ATTRIBUTES = 40;
    private static final long ATTRIBUTE_COUNT = 48;

    /// The size of `CUlaunchAttribute`: an `int` says which attribute it is, and the value begins at offset 8.
    private static final long LAUNCH_ATTRIBUTE_BYTES = 72;

    private static final long LAUNCH_ATTRIBUTE_VALUE = 8;
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    private final Driver driver;
    private final long handle;
    private final String name;
    /// The sizes of the known parameters in bytes, as the kernel was compiled.
    private final int[] parameterBytes = new int[MAX_PARAMETERS];
    /// Where each argument begins in `arguments`.
    private final long[] offsets = new long[MAX_PARAMETERS];
    /// How many parameters are known; all of them after the first launch.
    private int known;

    /// The arguments that a launch hands to the driver, which copies them. This memory is kept from launch to launch,
    /// since making it anew would take some ten allocations of native memory each time.
    private final MemorySegment arguments;

    private final MemorySegment pointers;
    private final MemorySegment config;
    /// How many arguments of the next launch have been given.
    private int given;

    Kernel(Driver driver, long handle, String name) {
        this.driver = driver;
        this.handle = handle;
        this.name = name;
        Arena arena = Arena.ofAuto();
        arguments = arena.allocate(MAX_ARGUMENT_BYTES, Long.BYTES);
        pointers = arena.allocate(JAVA_LONG, MAX_PARAMETERS);
        MemorySegment attribute = arena.allocate(LAUNCH_ATTRIBUTE_BYTES, Long.BYTES);
        attribute.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
        attribute.set(JAVA_INT, LAUNCH_ATTRIBUTE_VALUE, 1);
        config = arena.allocate(LAUNCH_CONFIG_BYTES, Long.BYTES);
        // Grids and blocks have one dimension.
        MemorySegment.copy(new int[] {1, 1, 1, 1, 1, 1}, 0, config, JAVA_INT, 0, 6);
        config.set(JAVA_LONG, ATTRIBUTES, attribute.address());
    }

    /// Asks the driver for the size of a parameter when its first argument comes. The driver does not tell how many
    /// parameters a kernel has, and asking it until it refuses would show up as an error in NVIDIA's tools.
    private void learn(int index) {
        if (index == MAX_PARAMETERS) {
            throw new IllegalArgumentException("kernel " + name + " takes at most " + MAX_PARAMETERS + " arguments");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment offset = arena.allocate(JAVA_LONG);
            MemorySegment size = arena.allocate(JAVA_LONG);
            int result = driver.funcGetParamInfo.invoke(handle, index, address(offset), address(size));
            if (result == NO_SUCH_PARAMETER) {
                throw new IllegalArgumentException(
                        "kernel " + name + " takes " + index + " arguments and was given more");
            }
            driver.check(result, "cuFuncGetParamInfo of parameter " + index + " of " + name);
            parameterBytes[index] = Math.toIntExact(size.get(JAVA_LONG, 0));
        }
        // Arguments are given in units of eight bytes.
        long begin = index == 0 ? 0 : offsets[index - 1] + roundUp(parameterBytes[index - 1]);
        offsets[index] = begin;
        if (begin + roundUp(parameterBytes[index]) > arguments.byteSize()) {
            throw new IllegalArgumentException(
                    "kernel " + name + " takes more than " + MAX_ARGUMENT_BYTES + " bytes of arguments");
        }
        pointers.setAtIndex(JAVA_LONG, index, arguments.address() + begin);
        known = index + 1;
    }

    private static long roundUp(int bytes) {
        return (bytes + Long.BYTES - 1L) / Long.BYTES * Long.BYTES;
    }

    public String name() {
        return name;
    }

    /// Returns the registers of one thread.
    public int registers() {
        return attribute(REGISTERS);
    }

    /// Returns the local memory of one thread in bytes; more than 0 if registers were spilled.
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

    /// Allows launches with this much dynamic shared memory. Without this call the limit is 48 KiB.
    public void allowDynamicSharedBytes(int bytes) {
        driver.funcSetAttribute.call(handle, MAX_DYNAMIC_SHARED_BYTES, bytes);
    }

    /// Asks for as much shared memory and as little cache as a multiprocessor can have. Kernels that ask for the same
    /// division can run at the same time. Between kernels with different divisions, a multiprocessor has to become
    /// empty before it is divided anew.
    public void preferSharedMemory() {
        driver.funcSetAttribute.call(handle, PREFERRED_SHARED_PERCENTAGE, 100);
    }

    /// Returns how many blocks of this size fit one multiprocessor at once.
    public int activeBlocksPerMultiprocessor(int threads, int sharedBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_INT);
            driver.occupancyMaxActiveBlocks.call(address(out), handle, threads, sharedBytes);
            return out.get(JAVA_INT, 0);
        }
    }

    /// Gives the next argument of the next launch. Arguments come in the order of the kernel's parameters.
    ///
    /// @param fields a single value, or the fields of a struct; eight bytes each
    public Kernel with(long... fields) {
        int index = given;
        given = 0;
        if (index == known) {
            learn(index);
        }
        if (parameterBytes[index] != fields.length * Long.BYTES) {
            throw new IllegalArgumentException("kernel " + name + " takes " + parameterBytes[index]
                    + " bytes as argument " + index + " and was given " + fields.length * Long.BYTES);
        }
        MemorySegment.copy(fields, 0, arguments, JAVA_LONG, offsets[index], fields.length);
        given = index + 1;
        return this;
    }

    /// How a launch relates to what is on the stream before it.
    public enum Mode {
        /// Begins when everything before it on the stream has ended.
        AFTER,
        /// Begins as soon as the blocks of the kernel just before it allow it (`griddepcontrol.launch_dependents`), and
        /// runs at the same time as that kernel until it waits for its end (`griddepcontrol.wait`). It has to wait
        /// before it needs anything from that kernel. This needs a GPU of compute capability 9.0 or more. If no kernel
        /// is just before it, it begins as [#AFTER] does.
        BESIDE
    }

    /// Puts a launch on the stream. The next launch needs all its arguments again.
    public void launch(Stream stream, int blocks, int threads, int sharedBytes, Mode mode) {
        int missing = known - given;
        given = 0;
        if (missing != 0) {
            throw new IllegalArgumentException(
                    "kernel " + name + " takes " + known + " arguments and " + missing + " are not set");
        }
        config.setAtIndex(JAVA_INT, 0, blocks);
        config.setAtIndex(JAVA_INT, 3, threads);
        config.set(JAVA_INT, SHARED_BYTES, sharedBytes);
        config.set(JAVA_LONG, STREAM, stream.handle());
        config.set(JAVA_INT, ATTRIBUTE_COUNT, mode == Mode.BESIDE ? 1 : 0);
        put(config, pointers);
        LaunchList recording = stream.recording();
        if (recording != null) {
            recording.add(recorded(recording));
        }
    }

    private void put(MemorySegment withConfig, MemorySegment withPointers) {
        int result;
        try {
            result = driver.launchKernel.invoke(address(withConfig), handle, address(withPointers), 0);
        } finally {
            // The call only has addresses of memory that is freed with these objects.
            Reference.reachabilityFence(this);
        }
        if (result != 0) {
            int blocks = withConfig.getAtIndex(JAVA_INT, 0);
            int threads = withConfig.getAtIndex(JAVA_INT, 3);
            driver.check(
                    result,
                    "the launch of " + name + " (" + blocks + " blocks of " + threads + " threads, "
                            + withConfig.get(JAVA_INT, SHARED_BYTES) + " bytes of shared memory)");
        }
    }

    private Launch recorded(LaunchList list) {
        long bytes = known == 0 ? 0 : offsets[known - 1] + roundUp(parameterBytes[known - 1]);
        MemorySegment keptArguments = list.copy(arguments, bytes);
        MemorySegment keptPointers = list.copy(pointers, known * (long) Long.BYTES);
        for (int index = 0; index < known; index++) {
            keptPointers.setAtIndex(JAVA_LONG, index, keptArguments.address() + offsets[index]);
        }
        return new Launch(this, list.copy(config, LAUNCH_CONFIG_BYTES), keptPointers, keptArguments);
    }

    /// A launch that can be put on its stream again.
    ///
    /// @param arguments the memory to which the pointers point, which must live as long
    record Launch(Kernel kernel, MemorySegment config, MemorySegment pointers, MemorySegment arguments) {
        void again() {
            try {
                kernel.put(config, pointers);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }
}
