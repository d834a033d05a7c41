package io.samplesort.bench.baselines;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.cuda.Stream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/// Thrust's and CUB's operations on sorted keys, from the shared library that `bench/build-baselines` makes. They run
/// in the primary context of the GPU, on our stream.
public final class SortedBaselines {
    private static final String FUNCTION = "baseline_sorted";

    private final MethodHandle operate;

    /// What is done with sorted keys, in the order of `sorted_baselines.cu`.
    public enum Operation {
        MERGE,
        UNIQUE,
        /// The different keys, and how often each comes.
        COUNTS,
        /// Of the second input in the first one.
        LOWER_BOUNDS,
        UNION,
        INTERSECTION
    }

    /// Device addresses.
    ///
    /// @param second  0 if there is one input
    /// @param out     room for all keys
    /// @param numbers room for an int for each key of the first input, or of the second one for bounds
    public record Arrays(long first, long firstCount, long second, long secondCount, long out, long numbers) {}

    /// @throws IllegalArgumentException if the library cannot be loaded
    public SortedBaselines(Path library) {
        operate = Linker.nativeLinker()
                .downcallHandle(
                        SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow(FUNCTION),
                        FunctionDescriptor.of(
                                JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                                JAVA_LONG, JAVA_LONG, ADDRESS));
    }

    /// Puts an operation on the stream and waits until it is known how many elements come out.
    ///
    /// @param type the number of the type of the keys in the library
    /// @return how many elements come out
    public long run(Operation operation, int type, Arrays arrays, Stream stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_LONG);
            int result;
            try {
                result = (int) operate.invokeExact(
                        operation.ordinal(),
                        type,
                        arrays.first,
                        arrays.firstCount,
                        arrays.second,
                        arrays.secondCount,
                        arrays.out,
                        arrays.numbers,
                        stream.handle(),
                        count);
            } catch (Throwable e) {
                throw new AssertionError(FUNCTION + " could not be called", e);
            }
            if (result != 0) {
                throw new IllegalStateException(operation + " failed with cudaError " + result);
            }
            return count.get(JAVA_LONG, 0);
        }
    }
}
