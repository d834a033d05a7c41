package io.samplesort.bench.device;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.BaselineSorts;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.InputDistribution;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// Measures how long a caller waits for a sort in device memory, in a young process and in an older one. Each sort
/// begins on an idle device, after a copy that is not timed. Nothing is sorted before the first sort, so our times
/// include all of Java's compiling.
final class WaitBenchmark implements AutoCloseable {
    /// Which sorts of the process each result is about: from one number to the next.
    private static final int[][] WINDOWS = {{1, 10}, {10, 30}, {100, 300}, {1000, 3000}, {10_000, 12_000}};

    /// How many sorts are put on the stream before the host waits.
    private static final int BURST = 50;

    private final GpuOptions options;
    private final int sorts;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();

    /// @param sorts     how often our sort runs
    /// @param baselines null if only our sort is measured
    WaitBenchmark(GpuOptions options, int sorts, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.sorts = sorts;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders one after the other, ours first, and hands on a result of each window.
    ///
    /// @return whether all results were right
    boolean measure(Subject subject, long count, InputDistribution distribution) {
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Workload workload = new Workload(options.device(), subject, count, memory);
                Sorter sorter =
                        subject.sorter(SampleSort.onGpu(options.device()).tuning(options.tuning()));
                BaselineSorts baselineSorts = new BaselineSorts(options.device(), baselines, subject, count)) {
            ElementBuffers elements = workload.buffers();
            workload.fill(distribution, options.seed());
            double[] millis = times(elements, stream, sorts, () -> elements.sortBy(sorter));
            boolean isRight = workload.isSorted();
            Map<String, Object> ours = result(Contender.OURS, subject, count, distribution, isRight);
            putWindows(ours, count, millis);
            // The host does not wait between these sorts, so the device never has to wait for the host.
            ours.put("enqueuedMillisMedian", enqueued(elements, stream, () -> elements.enqueue(sorter, stream)));
            results.accept(ours);
            boolean allRight = isRight;
            for (Map.Entry<Contender, Runnable> sort :
                    baselineSorts.on(elements, stream).entrySet()) {
                double[] baselineMillis = times(elements, stream, Math.min(sorts, 300), () -> {
                    sort.getValue().run();
                    stream.synchronize();
                });
                boolean isBaselineRight = workload.isSorted();
                allRight &= isBaselineRight;
                Map<String, Object> theirs = result(sort.getKey(), subject, count, distribution, isBaselineRight);
                putWindows(theirs, count, baselineMillis);
                Map<String, Object> burst = new LinkedHashMap<>(theirs);
                burst.put("enqueuedMillisMedian", enqueued(elements, stream, sort.getValue()));
                results.accept(burst);
            }
            return allRight;
        }
    }

    private static Map<String, Object> result(
            Contender contender, Subject subject, long count, InputDistribution distribution, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", contender.name());
        result.put("type", subject.toString());
        result.put("distribution", distribution.toString());
        result.put("count", count);
        result.put("verified", isRight);
        return result;
    }

    private void putWindows(Map<String, Object> of, long count, double[] millis) {
        for (int[] window : WINDOWS) {
            if (window[1] <= millis.length) {
                Map<String, Object> result = new LinkedHashMap<>(of);
                result.put("fromSort", window[0]);
                result.put("toSort", window[1]);
                Statistics.put(result, "wall", Arrays.copyOfRange(millis, window[0], window[1]), count);
                results.accept(result);
            }
        }
    }

    /// Returns the wall times of sorts that each wait for their end, in milliseconds.
    private static double[] times(ElementBuffers elements, Stream stream, int count, Runnable sort) {
        double[] millis = new double[count];
        for (int i = 0; i < count; i++) {
            elements.restore(stream);
            stream.synchronize();
            long start = System.nanoTime();
            sort.run();
            millis[i] = (System.nanoTime() - start) * 1e-6;
        }
        return millis;
    }

    /// Returns the wall time of a copy and a sort in milliseconds if many are put on the stream before the host waits:
    /// the median of a few rounds.
    private static double enqueued(ElementBuffers elements, Stream stream, Runnable sort) {
        double[] millis = new double[5];
        for (int round = 0; round < millis.length; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < BURST; i++) {
                elements.restore(stream);
                sort.run();
            }
            stream.synchronize();
            millis[round] = (System.nanoTime() - start) * 1e-6 / BURST;
        }
        return Statistics.median(millis);
    }

    @Override
    public void close() {
        memory.close();
    }
}
