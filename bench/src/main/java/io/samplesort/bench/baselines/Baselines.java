package io.samplesort.bench.baselines;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.cuda.Stream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/// CUB's sorts, from the shared library that `bench/build-baselines` makes. They run in the primary context of the GPU,
/// which is ours as well, on our buffers and stream.
public final class Baselines {
    private final String function;
    private final MethodHandle sort;
    private final int cubVersion;

    /// What CUB can be asked to sort; its name is in messages.
    public interface Input {
        /// The number that the function of the library knows it by.
        int code();
    }

    /// @param function the function of the library that sorts: `baseline_sort`, or `baseline_sort_records`
    /// @throws IllegalArgumentException if the library cannot be loaded
    public Baselines(Path library, String function) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
        this.function = function;
        // int baseline_sort(int algorithm, int input, void* temporary, size_t* temporary_bytes, const void* keys_in,
        //     void* keys_out, const void* payloads_in, void* payloads_out, long long count, void* stream)
        sort = linker.downcallHandle(
                symbols.findOrThrow(function),
                FunctionDescriptor.of(
                        JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                        JAVA_LONG, JAVA_LONG));
        // int baseline_cub_version()
        MethodHandle version =
                linker.downcallHandle(symbols.findOrThrow("baseline_cub_version"), FunctionDescriptor.of(JAVA_INT));
        try {
            cubVersion = (int) version.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError("baseline_cub_version could not be called", e);
        }
    }

    /// Such as `3.0.1`.
    public String cubVersion() {
        return cubVersion / 100_000 + "." + cubVersion / 100 % 1000 + "." + cubVersion % 100;
    }

    /// What these contenders need beside the elements; one memory for all, as they never run at once.
    ///
    /// @param baselines null where there are no contenders
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    public static DeviceMemory temporary(
            int ordinal, Baselines baselines, List<Contender> contenders, Input input, long count) {
        long bytes = contenders.stream()
                .mapToLong(contender -> baselines.call(contender, input, 0, 0, Buffers.NONE, Buffers.NONE, count, 0))
                .max()
                .orElse(0);
        return DeviceMemory.allocate(Device.gpu(ordinal), Math.max(1, bytes));
    }

    /// Puts a sort on the stream. Radix sort goes from the elements as they were drawn to where they are sorted; merge
    /// sort sorts them there in place.
    public void run(
            Contender contender,
            Input input,
            DeviceMemory temporary,
            Buffers in,
            Buffers out,
            long count,
            Stream stream) {
        call(contender, input, temporary.address(), temporary.byteSize(), in, out, count, stream.handle());
    }

    private long call(
            Contender contender,
            Input input,
            long temporary,
            long temporaryBytes,
            Buffers in,
            Buffers out,
            long count,
            long stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_LONG, temporaryBytes);
            int result;
            try {
                result = (int) sort.invokeExact(
                        contender.algorithm().orElseThrow(),
                        input.code(),
                        temporary,
                        bytes,
                        in.keys(),
                        out.keys(),
                        in.payloads(),
                        out.payloads(),
                        count,
                        stream);
            } catch (Throwable e) {
                throw new AssertionError(function + " could not be called", e);
            }
            if (result != 0) {
                throw new IllegalStateException(contender.name() + " failed with cudaError " + result + " on " + input);
            }
            return bytes.get(JAVA_LONG, 0);
        }
    }

    /// Device addresses of keys and payloads.
    public record Buffers(long keys, long payloads) {
        static final Buffers NONE = new Buffers(0, 0);
    }
}
