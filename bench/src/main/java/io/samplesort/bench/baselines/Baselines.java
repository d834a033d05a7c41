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
/// as our sorts do, and use our buffers and our stream.
public final class Baselines {
    private final String function;
    private final MethodHandle sort;
    private final int cubVersion;

    /// A kind of elements that CUB can be asked to sort. Messages call it by its `toString`.
    public interface Input {
        /// Returns the number that stands for it in the function of the library.
        int code();

        /// Returns the sorts of CUB that can sort it.
        List<Contender> contenders();
    }

    /// What CUB is asked for.
    ///
    /// @param contender one of CUB's sorts
    /// @param input     what it sorts
    /// @param count     how many elements
    public record Request(Contender contender, Input input, long count) {}

    /// Device addresses of keys and payloads.
    ///
    /// @param payloads 0 if there are none
    public record Buffers(long keys, long payloads) {
        static final Buffers NONE = new Buffers(0, 0);
    }

    /// @param function the function of the library that sorts: `baseline_sort` or `baseline_sort_records`
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

    /// Returns CUB's version, such as `3.0.1`.
    public String cubVersion() {
        return cubVersion / 100_000 + "." + cubVersion / 100 % 1000 + "." + cubVersion % 100;
    }

    /// Returns how many bytes of device memory the sort needs in addition to the elements.
    public long temporaryBytes(Request request) {
        return temporaryBytes(request, Buffers.NONE);
    }

    /// Does the same where it depends on what goes out.
    public long temporaryBytes(Request request, Buffers out) {
        return call(request, 0, 0, Buffers.NONE, out, 0);
    }

    /// Allocates as much device memory as any of CUB's sorts of an input needs in addition to the elements.
    ///
    /// @param baselines null if only our sort is measured, which needs none
    public static DeviceMemory temporaryMemory(Baselines baselines, Input input, long count, Device gpu) {
        long bytes = 1;
        if (baselines != null) {
            for (Contender contender : input.contenders()) {
                bytes = Math.max(bytes, baselines.temporaryBytes(new Request(contender, input, count)));
            }
        }
        return DeviceMemory.allocate(gpu, bytes);
    }

    /// Puts a sort on the stream. Radix sort reads from `in` and writes to `out`; merge sort sorts what is in `out`.
    ///
    /// @param temporary at least [#temporaryBytes] of device memory
    public void run(Request request, DeviceMemory temporary, Buffers in, Buffers out, Stream stream) {
        call(request, temporary.address(), temporary.byteSize(), in, out, stream.handle());
    }

    /// Calls the function of the library.
    ///
    /// @param temporary the address of device memory; if it is 0, the function only returns how much it needs
    /// @return the bytes of temporary memory, as the function leaves them
    private long call(Request request, long temporary, long temporaryBytes, Buffers in, Buffers out, long stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_LONG, temporaryBytes);
            int result;
            try {
                result = (int) sort.invokeExact(
                        request.contender.algorithm().orElseThrow(),
                        request.input.code(),
                        temporary,
                        bytes,
                        in.keys(),
                        out.keys(),
                        in.payloads(),
                        out.payloads(),
                        request.count,
                        stream);
            } catch (Throwable e) {
                throw new AssertionError(function + " could not be called", e);
            }
            if (result != 0) {
                throw new IllegalStateException(
                        request.contender.name() + " failed with cudaError " + result + " on " + request.input);
            }
            return bytes.get(JAVA_LONG, 0);
        }
    }
}
