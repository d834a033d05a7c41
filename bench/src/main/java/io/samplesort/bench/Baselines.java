package io.samplesort.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// CUB's sorts, from the shared library that `bench/build-baselines` makes. They run in the primary context of the GPU,
/// which is ours as well, on our buffers and stream.
final class Baselines {
    private final MethodHandle sort;
    private final int cubVersion;

    /// @throws IllegalArgumentException if the library cannot be loaded
    Baselines(Path library) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
        // int baseline_sort(int algorithm, int type, void* temporary, size_t* temporary_bytes, const void* keys_in,
        //     void* keys_out, const void* payloads_in, void* payloads_out, long long count, void* stream)
        sort = linker.downcallHandle(
                symbols.findOrThrow("baseline_sort"),
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
    String cubVersion() {
        return cubVersion / 100_000 + "." + cubVersion / 100 % 1000 + "." + cubVersion % 100;
    }

    /// Bytes of temporary memory that [#run] needs.
    long temporaryBytes(int algorithm, Subject subject, long count) {
        return call(algorithm, subject, 0, 0, Buffers.NONE, Buffers.NONE, count, 0);
    }

    /// Puts a sort on the stream. Radix sort goes from `in` to `out`; merge sort sorts `out` in place.
    void run(
            int algorithm,
            Subject subject,
            long temporary,
            long temporaryBytes,
            Buffers in,
            Buffers out,
            long count,
            long stream) {
        call(algorithm, subject, temporary, temporaryBytes, in, out, count, stream);
    }

    private long call(
            int algorithm,
            Subject subject,
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
                        algorithm,
                        subject.code(),
                        temporary,
                        bytes,
                        in.keys(),
                        out.keys(),
                        in.payloads(),
                        out.payloads(),
                        count,
                        stream);
            } catch (Throwable e) {
                throw new AssertionError("baseline_sort could not be called", e);
            }
            if (result != 0) {
                throw new IllegalStateException("CUB failed with cudaError " + result + " on " + subject);
            }
            return bytes.get(JAVA_LONG, 0);
        }
    }

    /// Device addresses of keys and payloads.
    record Buffers(long keys, long payloads) {
        static final Buffers NONE = new Buffers(0, 0);
    }
}
