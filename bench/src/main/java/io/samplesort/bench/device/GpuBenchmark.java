package io.samplesort.bench.device;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.BaselineSorts;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.InputDistribution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The benchmark of sorts in device memory. Our sorts and CUB's take turns on the same GPU, in the same process, on the
/// same buffers. Times are those of the device's own clock; for ours there are also the wall time of a [Sorter#sort],
/// which waits for its end, and the times of the phases. With the tuning parameter `inPlaceSize`, our sort waits in
/// either case. One result of each contender is checked in full.
final class GpuBenchmark implements AutoCloseable {
    private final GpuOptions options;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();

    /// @param baselines null if only our sort is measured
    GpuBenchmark(GpuOptions options, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on `count` elements of each distribution, and hands on a result of each.
    ///
    /// @return whether all results were right
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    boolean measure(Subject subject, long count, List<InputDistribution> distributions) {
        boolean allRight = true;
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Workload workload = new Workload(options.device(), subject, count, memory);
                BaselineSorts baselineSorts = new BaselineSorts(options.device(), baselines, subject, count);
                Sorter sorter = sorter(subject, false);
                Sorter phaseSorter = sorter(subject, true)) {
            ElementBuffers elements = workload.buffers();
            Map<Contender, Runnable> sorts = new LinkedHashMap<>();
            sorts.put(Contender.OURS, ours(elements, sorter, stream));
            sorts.putAll(baselineSorts.on(elements, stream));
            Stopwatch stopwatch = new Stopwatch(context, stream, options.repetitions(), () -> elements.restore(stream));
            for (InputDistribution distribution : distributions) {
                workload.fill(distribution, options.seed());
                Map<Contender, double[]> millis = stopwatch.device(sorts);
                for (Contender contender : sorts.keySet()) {
                    elements.restore(stream);
                    sorts.get(contender).run();
                    stream.synchronize();
                    boolean isRight = workload.isSorted();
                    allRight &= isRight;
                    Map<String, Object> result = new LinkedHashMap<>();
                    result.put("system", contender.name());
                    result.put("type", subject.toString());
                    result.put("distribution", distribution.toString());
                    result.put("count", count);
                    Statistics.put(result, "device", millis.get(contender), count);
                    if (contender.equals(Contender.OURS)) {
                        Statistics.put(result, "wall", stopwatch.wall(() -> elements.sortBy(sorter)), count);
                        stopwatch.putPhases(result, () -> elements.sortBy(phaseSorter));
                        result.put("tuning", sorter.tuning().orElseThrow().parameters());
                    }
                    result.put("verified", isRight);
                    results.accept(result);
                }
            }
        }
        return allRight;
    }

    /// Returns our sort of the elements, which runs after what is on the stream. Sorts in place wait for their end, and
    /// so their times are those of a caller.
    private static Runnable ours(ElementBuffers elements, Sorter sorter, Stream stream) {
        if (sorter.tuning().orElseThrow().inPlaceSize() == 0) {
            return () -> elements.enqueue(sorter, stream);
        }
        return () -> {
            stream.synchronize();
            elements.sortBy(sorter);
        };
    }

    private Sorter sorter(Subject subject, boolean timesPhases) {
        SorterBuilder builder = SampleSort.onGpu(options.device()).tuning(options.tuning());
        return subject.sorter(timesPhases ? builder.timesPhases() : builder);
    }

    @Override
    public void close() {
        memory.close();
    }
}
