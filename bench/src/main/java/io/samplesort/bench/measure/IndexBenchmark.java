package io.samplesort.bench.measure;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.baselines.IndexRequest;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.DevicePermutation;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The benchmark of sorts of the indexes of elements that stay where they are in device memory. Our sorts and CUB's
/// take turns on the same GPU, in the same process, on the same input. Our sort waits for the device several times, so
/// its time is that of the whole call. Each result is checked in full.
public final class IndexBenchmark {
    private final GpuOptions options;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;

    /// The elements, room for their permutation, and our sorters.
    public interface Workload extends AutoCloseable {
        DevicePermutation permutation();

        /// Returns where CUB finds what is sorted.
        Buffers input();

        /// Sorts with a sorter of ours.
        SortReport argsort();

        /// Sorts with a sorter that times its phases.
        SortReport argsortInPhases();

        /// Returns whether the permutation is the right one.
        boolean isSorted();

        /// Adds what results say about the input.
        void describe(Map<String, Object> result);

        /// Measures other work with the permutation of our sort, which has been checked, and adds it to the result.
        ///
        /// @return whether all of that was right
        boolean measureMore(Map<String, Object> result, Stopwatch stopwatch, Stream stream);

        @Override
        void close();
    }

    /// @param baselines null if only our sort is measured
    public IndexBenchmark(GpuOptions options, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders, and hands on a result of each.
    ///
    /// @param rate  the name of the rates, such as `MillionRowsPerSecond`
    /// @param count how many indexes there are
    /// @param open  makes the workload, for which a context is current
    /// @return whether all results were right
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public boolean measure(IndexRequest request, String rate, int count, Supplier<? extends Workload> open) {
        boolean allRight = true;
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Workload workload = open.get();
                DeviceMemory temporary =
                        Baselines.temporaryMemory(baselines, request, count, Device.gpu(options.device()))) {
            Map<Contender, Runnable> sorts = new LinkedHashMap<>();
            // Our sort begins when this stream is idle, and the time between its events is that of the whole call.
            sorts.put(Contender.OURS, () -> {
                stream.synchronize();
                workload.argsort();
            });
            if (baselines != null) {
                for (Contender contender : request.contenders()) {
                    Baselines.Request asked = new Baselines.Request(contender, request, count);
                    Buffers target =
                            new Buffers(0, workload.permutation().memory().address());
                    sorts.put(contender, () -> baselines.run(asked, temporary, workload.input(), target, stream));
                }
            }
            Stopwatch stopwatch = new Stopwatch(context, stream, options.repetitions(), () -> {});
            Map<Contender, double[]> millis = stopwatch.device(sorts);
            for (Map.Entry<Contender, Runnable> sort : sorts.entrySet()) {
                workload.permutation().forget();
                sort.getValue().run();
                stream.synchronize();
                boolean isRight = workload.isSorted();
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("system", request.name(sort.getKey()));
                workload.describe(result);
                result.put("count", count);
                put(result, "device", rate, millis.get(sort.getKey()), count);
                if (sort.getKey().equals(Contender.OURS)) {
                    put(result, "wall", rate, stopwatch.wall(workload::argsort), count);
                    stopwatch.putPhases(result, workload::argsortInPhases);
                    isRight &= workload.measureMore(result, stopwatch, stream);
                }
                allRight &= isRight;
                result.put("verified", isRight);
                results.accept(result);
            }
        }
        return allRight;
    }

    private static void put(Map<String, Object> result, String clock, String rate, double[] millis, int count) {
        Statistics.put(result, clock, millis);
        result.put(clock + rate, count / Statistics.median(millis) * 1e-3);
    }
}
