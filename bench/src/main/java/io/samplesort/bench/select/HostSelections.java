package io.samplesort.bench.select;

import io.samplesort.SampleSort;
import io.samplesort.Selector;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.DuckDb;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Selections on the CPU. What bounds them is how fast as many threads read the same memory.
final class HostSelections {
    private static final int WARM_UPS = 8;

    private final GpuOptions options;
    private final KeyType key;
    private final int count;
    private final int threads;
    /// Null if DuckDB is left out.
    private final Path duckDb;

    HostSelections(GpuOptions options, KeyType key, int count, int threads, Path duckDb) {
        this.options = options;
        this.key = key;
        this.count = count;
        this.threads = threads;
        this.duckDb = duckDb;
    }

    void measure(List<Long> counts, Consumer<Map<String, Object>> results) {
        ElementType type = ElementType.of(key.layout());
        long bytes = (long) count * key.byteSize();
        try (Arena arena = Arena.ofShared();
                Selector selector = SampleSort.onCpu()
                        .order(BenchOrders.of(key))
                        .cpuThreads(threads)
                        .buildSelector(type);
                Sorter sorter = SampleSort.onCpu()
                        .order(BenchOrders.of(key))
                        .cpuThreads(threads)
                        .build(type);
                ExecutorService readers = Executors.newFixedThreadPool(threads)) {
            MemorySegment keys = arena.allocate(bytes, 64);
            MemorySegment sorted = arena.allocate(bytes, 64);
            InputDistribution.UNIFORM.fill(keys, key, options.seed());
            add("read", "all", results, () -> read(keys, readers), true);
            double[] sorts = times(() -> sorted.copyFrom(keys), () -> sorter.sort(sorted));
            results.accept(withThreads(new Selection("sort", key, count, "all").result(sorts, true)));
            for (long k : counts) {
                MemorySegment first = arena.allocate(k * key.byteSize(), 64);
                Runnable select = () -> selector.first(keys, k, first);
                select.run();
                boolean isRight = first.mismatch(sorted.asSlice(0, first.byteSize())) < 0;
                add("samplesort", Selection.first(k), results, select, isRight);
            }
            MemorySegment median = arena.allocate(key.byteSize(), 64);
            Runnable select = () -> selector.nth(keys, count / 2, median);
            select.run();
            boolean isRight = median.mismatch(sorted.asSlice((long) count / 2 * key.byteSize(), median.byteSize())) < 0;
            add("samplesort", "middle", results, select, isRight);
            if (threads == 1) {
                NumPyPartition.measure(key, count, counts, options.repetitions(), results);
            }
            if (duckDb != null) {
                try (DuckDb database = new DuckDb(duckDb, threads)) {
                    DuckDbLimit.measure(
                            database,
                            key,
                            count,
                            counts,
                            options.repetitions(),
                            result -> results.accept(withThreads(result)));
                }
            }
        }
    }

    private void add(
            String system, String what, Consumer<Map<String, Object>> results, Runnable work, boolean isRight) {
        double[] millis = times(() -> {}, work);
        results.accept(withThreads(new Selection(system, key, count, what).result(millis, isRight)));
    }

    private Map<String, Object> withThreads(Map<String, Object> result) {
        result.put("threads", threads);
        return result;
    }

    private double[] times(Runnable before, Runnable work) {
        double[] millis = new double[options.repetitions()];
        for (int repetition = -WARM_UPS; repetition < millis.length; repetition++) {
            before.run();
            long start = System.nanoTime();
            work.run();
            if (repetition >= 0) {
                millis[repetition] = (System.nanoTime() - start) * 1e-6;
            }
        }
        return millis;
    }

    /// Reads all of the memory, a part by each thread.
    private void read(MemorySegment keys, ExecutorService readers) {
        long part = Math.ceilDiv(keys.byteSize() / Long.BYTES, threads) * Long.BYTES;
        List<Future<Long>> sums = Collections.synchronizedList(new ArrayList<>());
        for (long from = 0; from < keys.byteSize(); from += part) {
            MemorySegment own = keys.asSlice(from, Math.min(part, keys.byteSize() - from));
            sums.add(readers.submit(() -> sum(own)));
        }
        for (Future<Long> sum : sums) {
            try {
                sum.get();
            } catch (Exception e) {
                throw new IllegalStateException("reading has failed", e);
            }
        }
    }

    private static long sum(MemorySegment longs) {
        long sum = 0;
        int count = (int) (longs.byteSize() / Long.BYTES);
        for (int i = 0; i < count; i++) {
            sum += longs.getAtIndex(ValueLayout.JAVA_LONG, i);
        }
        return sum;
    }
}
