package io.samplesort.bench.sorted;

import io.samplesort.SampleSort;
import io.samplesort.SortedOperations;
import io.samplesort.Sorter;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.Statistics;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Operations on the CPU, by turns with plain Java and with copies of as many bytes as they read and write.
final class HostSorted {
    static final String SORT_AND_COUNTS = "sort and counts";
    static final String SORTED_LOOKUPS = "lower bounds, sorted";
    static final String RANDOM_LOOKUPS = "lower bounds, random";

    private static final int WARM_UPS = 4;

    private final GpuOptions options;
    private final KeyType key;
    private final int count;
    private final long values;
    private final int threads;
    /// Null if DuckDB is left out.
    private final Path duckDb;

    /// @param values how many values keys may have where equal ones matter
    HostSorted(GpuOptions options, KeyType key, int count, long values, int threads, Path duckDb) {
        this.options = options;
        this.key = key;
        this.count = count;
        this.values = values;
        this.threads = threads;
        this.duckDb = duckDb;
    }

    /// What is measured.
    ///
    /// @param bytes that are read and written
    /// @param jdk   the same in plain Java
    /// @param isRight compares the results of both
    private record Work(String what, long bytes, Runnable samplesort, Runnable jdk, Check isRight) {}

    private interface Check {
        boolean isRight();
    }

    void measure(Consumer<Map<String, Object>> results) {
        JdkSorted jdk = JdkSorted.of(key);
        SplittableRandom random = new SplittableRandom(options.seed());
        Object wide = sorted(random, Long.MAX_VALUE);
        Object otherWide = sorted(random, Long.MAX_VALUE);
        Object few = sorted(random, values);
        Object otherFew = sorted(random, values);
        Object queries = random(random, Long.MAX_VALUE);
        Object unsorted = random(random, values);
        Object copy = array(count);
        Object target = array(2 * count);
        Object jdkTarget = array(2 * count);
        int[] numbers = new int[count + 1];
        int[] jdkNumbers = new int[count + 1];
        long[] found = new long[2];
        ElementType type = ElementType.of(key.layout());
        try (SortedOperations operations =
                        SampleSort.onCpu().cpuThreads(threads).buildSortedOperations(type);
                Sorter sorter = SampleSort.onCpu().cpuThreads(threads).build(type)) {
            MemorySegment to = segment(target);
            MemorySegment counts = segment(numbers).asSlice(0, (long) count * Integer.BYTES);
            long keyBytes = (long) count * key.byteSize();
            long intBytes = (long) count * Integer.BYTES;
            Check sameKeys = () -> found[0] == found[1]
                    && to.asSlice(0, found[0] * key.byteSize())
                                    .mismatch(segment(jdkTarget).asSlice(0, found[0] * key.byteSize()))
                            < 0;
            Check sameNumbers = () -> Arrays.equals(numbers, 0, count, jdkNumbers, 0, count);
            long distinct = operations.unique(segment(few), to);
            List<Work> works = List.of(
                    new Work(
                            "merge",
                            4 * keyBytes,
                            () -> operations.merge(List.of(segment(wide), segment(otherWide)), to),
                            () -> jdk.merge(wide, otherWide, jdkTarget),
                            () -> to.mismatch(segment(jdkTarget)) < 0),
                    new Work(
                            "unique",
                            keyBytes + distinct * key.byteSize(),
                            () -> found[0] = operations.unique(segment(few), to),
                            () -> found[1] = jdk.counts(few, jdkTarget, jdkNumbers),
                            sameKeys),
                    new Work(
                            "counts",
                            keyBytes + distinct * (key.byteSize() + Integer.BYTES),
                            () -> found[0] = operations.counts(segment(few), to, ElementType.INT, counts),
                            () -> found[1] = jdk.counts(few, jdkTarget, jdkNumbers),
                            () -> sameKeys.isRight()
                                    && Arrays.equals(numbers, 0, (int) found[0], jdkNumbers, 0, (int) found[0])),
                    new Work(
                            SORT_AND_COUNTS,
                            2 * keyBytes + distinct * (key.byteSize() + Integer.BYTES),
                            () -> {
                                sorter.sort(segment(copy).copyFrom(segment(unsorted)));
                                found[0] = operations.counts(segment(copy), to, ElementType.INT, counts);
                            },
                            () -> {
                                segment(copy).copyFrom(segment(unsorted));
                                sort(copy);
                                found[1] = jdk.counts(copy, jdkTarget, jdkNumbers);
                            },
                            () -> sameKeys.isRight()
                                    && Arrays.equals(numbers, 0, (int) found[0], jdkNumbers, 0, (int) found[0])),
                    new Work(
                            "groups",
                            keyBytes + distinct * Integer.BYTES,
                            () -> found[0] = operations.groups(segment(few), ElementType.INT, segment(numbers)),
                            () -> found[1] = jdk.counts(few, jdkTarget, jdkNumbers),
                            () -> found[0] == found[1] && numbers[1] == jdkNumbers[0]),
                    new Work(
                            SORTED_LOOKUPS,
                            2 * keyBytes + intBytes,
                            () -> operations.lowerBounds(segment(wide), segment(otherWide), counts),
                            () -> jdk.lowerBounds(wide, otherWide, jdkNumbers),
                            sameNumbers),
                    new Work(
                            RANDOM_LOOKUPS,
                            2 * keyBytes + intBytes,
                            () -> operations.lowerBounds(segment(wide), segment(queries), counts),
                            () -> jdk.lowerBounds(wide, queries, jdkNumbers),
                            sameNumbers),
                    new Work(
                            "union",
                            4 * keyBytes,
                            () -> found[0] = operations.union(segment(few), segment(otherFew), to),
                            () -> found[1] = jdk.combine(few, otherFew, jdkTarget, true),
                            sameKeys),
                    new Work(
                            "intersection",
                            3 * keyBytes,
                            () -> found[0] = operations.intersection(segment(few), segment(otherFew), to),
                            () -> found[1] = jdk.combine(few, otherFew, jdkTarget, false),
                            sameKeys));
            works.forEach(work -> measure(work, segment(wide), to, results));
            if (threads == 1) {
                OtherPrograms.numPy(
                        key,
                        count,
                        values,
                        options.repetitions(),
                        (system, what, millis, isRight) -> add(system, works, what, millis, isRight, results));
            }
            if (duckDb != null) {
                OtherPrograms.duckDb(
                        duckDb,
                        key,
                        count,
                        values,
                        threads,
                        options.repetitions(),
                        (system, what, millis, isRight) -> add(system, works, what, millis, isRight, results));
            }
        }
    }

    private void add(
            String system,
            List<Work> works,
            String what,
            double[] millis,
            boolean isRight,
            Consumer<Map<String, Object>> results) {
        Work same = works.stream()
                .filter(work -> work.what().equals(what))
                .findFirst()
                .orElseThrow();
        results.accept(result(system, same, millis, isRight));
    }

    private void measure(Work work, MemorySegment source, MemorySegment target, Consumer<Map<String, Object>> results) {
        double[][] millis = new double[3][options.repetitions()];
        List<Runnable> systems = List.of(() -> copy(work.bytes() / 2, source, target), work.jdk(), work.samplesort());
        for (int repetition = -WARM_UPS; repetition < options.repetitions(); repetition++) {
            for (int system = 0; system < systems.size(); system++) {
                // Plain Java takes many times as long.
                if (repetition >= 0 || system != 1 || repetition == -1) {
                    long start = System.nanoTime();
                    systems.get(system).run();
                    if (repetition >= 0) {
                        millis[system][repetition] = (System.nanoTime() - start) * 1e-6;
                    }
                }
            }
        }
        boolean isRight = work.isRight().isRight();
        List<String> names = List.of("copy", "jdk", "samplesort");
        for (int system = 0; system < names.size(); system++) {
            results.accept(result(names.get(system), work, millis[system], isRight));
        }
    }

    private Map<String, Object> result(String system, Work work, double[] millis, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("type", key.toString());
        result.put("count", count);
        result.put("values", values);
        result.put("what", work.what());
        result.put("threads", threads);
        Statistics.put(result, "wall", millis, count);
        result.put("gigabytesPerSecond", work.bytes() / Statistics.median(millis) * 1e-6);
        result.put("verified", isRight);
        return result;
    }

    /// Copies as many bytes, a part by each thread.
    private void copy(long bytes, MemorySegment source, MemorySegment target) {
        long part = Math.ceilDiv(bytes, threads);
        IntStream.range(0, threads).parallel().forEach(thread -> {
            long from = thread * part;
            long to = Math.min(from + part, bytes);
            while (from < to) {
                long at = from % source.byteSize();
                long some = Math.min(to - from, source.byteSize() - at);
                MemorySegment.copy(source, at, target, from, some);
                from += some;
            }
        });
    }

    private Object array(int length) {
        return switch (key) {
            case I32 -> new int[length];
            case I64 -> new long[length];
            default -> new double[length];
        };
    }

    private Object random(SplittableRandom random, long bound) {
        return switch (key) {
            case I32 ->
                random.ints(count, 0, (int) Math.min(bound, Integer.MAX_VALUE)).toArray();
            case I64 -> random.longs(count, 0, bound).toArray();
            default -> random.longs(count, 0, bound).asDoubleStream().toArray();
        };
    }

    private Object sorted(SplittableRandom random, long bound) {
        Object array = random(random, bound);
        sort(array);
        return array;
    }

    private static void sort(Object array) {
        switch (array) {
            case int[] ints -> Arrays.parallelSort(ints);
            case long[] longs -> Arrays.parallelSort(longs);
            default -> Arrays.parallelSort((double[]) array);
        }
    }

    private static MemorySegment segment(Object array) {
        return switch (array) {
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            default -> MemorySegment.ofArray((double[]) array);
        };
    }
}
