package io.samplesort.bench.cpu;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A sort on the CPU that is measured. It sorts memory of its own, to which the input is copied before each run.
abstract class CpuContender implements AutoCloseable {
    private final String name;
    private final MemorySegment elements;
    private final MemorySegment payloads;

    CpuContender(String name, MemorySegment elements, MemorySegment payloads) {
        this.name = name;
        this.elements = elements;
        this.payloads = payloads;
    }

    /// Returns whether elements with equal keys have to keep their order.
    boolean isStable() {
        return name.contains("stable");
    }

    String name() {
        return name;
    }

    MemorySegment elements() {
        return elements;
    }

    MemorySegment payloads() {
        return payloads;
    }

    void load(MemorySegment input, MemorySegment inputPayloads) {
        elements.copyFrom(input);
        payloads.copyFrom(inputPayloads);
    }

    /// Sorts what was loaded.
    ///
    /// @return false if it cannot sort such elements with this many threads
    abstract boolean sort();

    /// Returns how many nanoseconds the last sort took by a clock of its own; -1 if it has none, and the time of
    /// [#sort] counts.
    long nanos() {
        return -1;
    }

    /// Returns the version of the program that sorts; null if it is a part of the benchmark.
    String version() {
        return null;
    }

    /// Returns the report of the last sort; null if the contender makes none.
    SortReport report() {
        return null;
    }

    @Override
    public void close() {}

    /// Our sort of an array, as users call it.
    static final class Ours extends CpuContender {
        private final Sorter sorter;
        private SortReport report;

        /// @param isStable whether equal keys keep their order
        Ours(CpuInput input, int count, int threads, boolean isStable) {
            super(
                    isStable ? "samplesort-stable" : "samplesort",
                    arrayOf(input, count),
                    arrayOf(count, input.payloadBytes()));
            SorterBuilder builder = SampleSort.onCpu().cpuThreads(threads).order(input.order());
            if (input.payloadBytes() > 0) {
                builder.payload(input.payloadBytes() == Integer.BYTES ? ElementType.INT : ElementType.LONG);
            }
            if (isStable) {
                builder.stable();
            }
            sorter = builder.build(input.elementType());
        }

        private static MemorySegment arrayOf(CpuInput input, int count) {
            return switch (input) {
                case F64 -> MemorySegment.ofArray(new double[count]);
                case RECORDS_16, RECORDS_32 ->
                    MemorySegment.ofArray(new long[Math.multiplyExact(count, input.elementBytes() / Long.BYTES)]);
                case RECORDS_100 -> MemorySegment.ofArray(new byte[Math.multiplyExact(count, input.elementBytes())]);
                default -> arrayOf(count, input.elementBytes());
            };
        }

        private static MemorySegment arrayOf(int count, int bytes) {
            return switch (bytes) {
                case 0 -> MemorySegment.NULL;
                case Integer.BYTES -> MemorySegment.ofArray(new int[count]);
                default -> MemorySegment.ofArray(new long[count]);
            };
        }

        @Override
        boolean sort() {
            report = payloads().byteSize() == 0 ? sorter.sort(elements()) : sorter.sort(elements(), payloads());
            return true;
        }

        @Override
        SortReport report() {
            return report;
        }

        @Override
        public void close() {
            sorter.close();
        }
    }

    /// `Arrays.sort` on one thread, `Arrays.parallelSort` on more; the latter uses as many threads as the common pool
    /// has.
    static final class OfJdk extends CpuContender {
        private final Object array;
        private final int threads;

        OfJdk(CpuInput input, int count, int threads) {
            this(Ours.arrayOf(input, count), threads);
        }

        private OfJdk(MemorySegment elements, int threads) {
            super(threads == 1 ? "Arrays.sort" : "Arrays.parallelSort", elements, MemorySegment.NULL);
            this.array = elements.heapBase().orElseThrow();
            this.threads = threads;
        }

        @Override
        boolean sort() {
            if (array instanceof int[] ints) {
                if (threads == 1) {
                    Arrays.sort(ints);
                } else {
                    Arrays.parallelSort(ints);
                }
            } else if (array instanceof double[] doubles) {
                if (threads == 1) {
                    Arrays.sort(doubles);
                } else {
                    Arrays.parallelSort(doubles);
                }
            } else if (threads == 1) {
                Arrays.sort((long[]) array);
            } else {
                Arrays.parallelSort((long[]) array);
            }
            return true;
        }
    }

    /// A sort of a C++ library, of native memory.
    static final class Baseline extends CpuContender {
        private final CpuBaselines baselines;
        private final CpuInput input;
        private final int threads;
        private final Arena arena;

        Baseline(CpuBaselines baselines, String name, CpuInput input, int count, int threads) {
            this(baselines, name, input, count, threads, Arena.ofShared());
        }

        private Baseline(CpuBaselines baselines, String name, CpuInput input, int count, int threads, Arena arena) {
            super(
                    name,
                    arena.allocate((long) count * input.elementBytes(), 64),
                    input.payloadBytes() == 0
                            ? MemorySegment.NULL
                            : arena.allocate((long) count * input.payloadBytes(), 64));
            this.baselines = baselines;
            this.input = input;
            this.threads = threads;
            this.arena = arena;
        }

        @Override
        boolean sort() {
            return baselines.sort(name(), input, elements(), payloads(), threads);
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
