package io.samplesort.bench.cpu;

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
import java.util.ArrayList;
import java.util.List;

/// The sorts of C++ libraries in the shared library that `bench/build-cpu-baselines` makes.
final class CpuBaselines {
    /// The most bytes of the name of a sort.
    private static final int NAME_BYTES = 64;

    private final MethodHandle sort;
    private final List<String> names = new ArrayList<>();

    /// @throws IllegalArgumentException if the library cannot be loaded
    CpuBaselines(Path library) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
        // int cpu_baseline_sort(int baseline, int type, void* keys, void* payload, int64_t count, int threads)
        sort = linker.downcallHandle(
                symbols.findOrThrow("cpu_baseline_sort"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
        MethodHandle count =
                linker.downcallHandle(symbols.findOrThrow("cpu_baseline_count"), FunctionDescriptor.of(JAVA_INT));
        MethodHandle name = linker.downcallHandle(
                symbols.findOrThrow("cpu_baseline_name"), FunctionDescriptor.of(ADDRESS, JAVA_INT));
        try {
            int found = (int) count.invokeExact();
            for (int i = 0; i < found; i++) {
                names.add(((MemorySegment) name.invokeExact(i))
                        .reinterpret(NAME_BYTES)
                        .getString(0));
            }
        } catch (Throwable e) {
            throw new AssertionError("the names of the sorts could not be read", e);
        }
    }

    /// Returns the names of the sorts.
    List<String> names() {
        return names;
    }

    /// Sorts native memory.
    ///
    /// @param payloads `NULL` if there are none
    /// @return whether this sort supports such elements and this many threads; otherwise it has done nothing
    boolean sort(String name, CpuInput input, MemorySegment elements, MemorySegment payloads, int threads) {
        try {
            long count = elements.byteSize() / input.elementBytes();
            return (int) sort.invokeExact(names.indexOf(name), input.ordinal(), elements, payloads, count, threads)
                    == 0;
        } catch (Throwable e) {
            throw new AssertionError("cpu_baseline_sort could not be called", e);
        }
    }
}
