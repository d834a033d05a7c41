package io.samplesort.bench.columns;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.baselines.IndexRequest;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// The benchmark of sorts of the indexes of rows in device memory. Ours and CUB's take turns on the same GPU, in the
/// same process, on the same rows. Our sort waits for the device several times, so its time is that of the whole call.
/// Each result is checked in full.
final class ColumnBenchmark {
    private final GpuOptions options;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final IndexRequest request = new IndexRequest(0, "rows by key columns", "cub-merge-entries");

    /// @param baselines null if only ours is measured
    ColumnBenchmark(GpuOptions options, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on `count` rows, and hands a result of each on.
    ///
    /// @return whether all results were right
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    boolean measure(int count) {
        boolean allRight = true;
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                ColumnWorkload workload = new ColumnWorkload(options.device(), count, options.seed());
                DeviceMemory temporary =
                        Baselines.temporaryMemory(baselines, request, count, Device.gpu(options.device()));
                ColumnSorter sorter = sorter(false);
                ColumnSorter phaseSorter = sorter(true)) {
            Map<Contender, Runnable> sorts = new LinkedHashMap<>();
            // Ours begins when this stream is idle, and the time between its events is that of the whole call.
            sorts.put(Contender.OURS, () -> {
                stream.synchronize();
                workload.argsortBy(sorter);
            });
            if (baselines != null) {
                for (Contender contender : request.contenders()) {
                    sorts.put(contender, () -> sortBy(contender, count, workload, temporary, stream));
                }
            }
            Stopwatch stopwatch = new Stopwatch(context, stream, options.repetitions(), () -> {});
            Map<Contender, double[]> millis = stopwatch.device(sorts);
            for (Map.Entry<Contender, Runnable> sort : sorts.entrySet()) {
                workload.permutation().forget();
                sort.getValue().run();
                stream.synchronize();
                boolean isRight = workload.isSorted();
                allRight &= isRight;
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("system", request.name(sort.getKey()));
                result.put("input", ColumnWorkload.TITLE);
                result.put("count", count);
                result.put("textBytes", workload.textBytes());
                put(result, "device", millis.get(sort.getKey()), count);
                if (sort.getKey().equals(Contender.OURS)) {
                    put(result, "wall", stopwatch.wall(() -> workload.argsortBy(sorter)), count);
                    stopwatch.putPhases(result, () -> workload.argsortBy(phaseSorter));
                }
                result.put("verified", isRight);
                results.accept(result);
            }
        }
        return allRight;
    }

    private static void put(Map<String, Object> result, String clock, double[] millis, int count) {
        Statistics.put(result, clock, millis);
        result.put(clock + "MillionRowsPerSecond", count / Statistics.median(millis) * 1e-3);
    }

    private void sortBy(
            Contender contender, int count, ColumnWorkload workload, DeviceMemory temporary, Stream stream) {
        baselines.run(
                new Baselines.Request(contender, request, count),
                temporary,
                new Buffers(workload.addresses(), 0),
                new Buffers(0, workload.permutation().memory().address()),
                stream);
    }

    private ColumnSorter sorter(boolean timesPhases) {
        return SampleSort.onGpu(options.device())
                .tuning(options.tuning())
                .timesPhases(timesPhases)
                .buildColumns();
    }
}
