package io.samplesort.bench.strings;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.baselines.IndexRequest;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.StringInput;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/// The benchmark of sorts of the indexes of strings in device memory. Ours and CUB's take turns on the same GPU, in the
/// same process, on the same strings. Our sort waits for the device after each round, so its time is that of the whole
/// call. Each result is checked in full. The copy of the strings in order is timed apart, beside a plain copy of as
/// many bytes.
final class StringBenchmark {
    private static final Contender COPY = Contender.named("copy");
    private static final String RATE = "MillionStringsPerSecond";

    private final GpuOptions options;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;

    /// @param baselines null if only ours is measured
    StringBenchmark(GpuOptions options, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on `count` strings of an input, and hands a result of each on.
    ///
    /// @return whether all results were right
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    boolean measure(StringInput input, int count, ElementType offsetType) {
        IndexRequest request = new IndexRequest(
                offsetType.byteSize(), "strings with offsets of type " + offsetType, "cub-merge-prefixes");
        boolean allRight = true;
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                StringWorkload workload =
                        new StringWorkload(options.device(), input, count, offsetType, options.seed());
                DeviceMemory temporary =
                        Baselines.temporaryMemory(baselines, request, count, Device.gpu(options.device()));
                StringSorter sorter = sorter(false);
                StringSorter phaseSorter = sorter(true)) {
            Map<Contender, Runnable> sorts = new LinkedHashMap<>();
            // Ours begins when this stream is idle, and the time between its events is that of the whole call.
            sorts.put(Contender.OURS, () -> {
                stream.synchronize();
                workload.argsortBy(sorter);
            });
            if (baselines != null) {
                for (Contender contender : request.contenders()) {
                    sorts.put(contender, () -> sortBy(contender, request, workload, temporary, stream));
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
                result.put("input", input.title());
                result.put("count", count);
                result.put("textBytes", workload.textBytes());
                result.put("offsets", offsetType.toString());
                put(result, "device", millis.get(sort.getKey()), count);
                if (sort.getKey().equals(Contender.OURS)) {
                    put(result, "wall", stopwatch.wall(() -> workload.argsortBy(sorter)), count);
                    stopwatch.putPhases(result, () -> workload.argsortBy(phaseSorter));
                    putCopy(result, stopwatch, workload, phaseSorter, stream);
                    isRight &= workload.isCopied();
                    allRight &= isRight;
                }
                result.put("verified", isRight);
                results.accept(result);
            }
        }
        return allRight;
    }

    private static void put(Map<String, Object> result, String clock, double[] millis, int count) {
        Statistics.put(result, clock, millis);
        result.put(clock + RATE, count / Statistics.median(millis) * 1e-3);
    }

    /// Adds the time of a copy in order, which is the last phases of a sorted copy, and its share of the speed of a
    /// copy of as many bytes.
    private static void putCopy(
            Map<String, Object> result,
            Stopwatch stopwatch,
            StringWorkload workload,
            StringSorter sorter,
            Stream stream) {
        Map<String, Object> copy = new LinkedHashMap<>();
        stopwatch.putPhases(copy, () -> workload.sortedCopyBy(sorter));
        Map<String, Object> phases = new LinkedHashMap<>();
        double millis = 0;
        for (Map.Entry<?, ?> phase : ((Map<?, ?>) copy.get("phaseMillis")).entrySet()) {
            if (((String) phase.getKey()).startsWith("copy: ")) {
                phases.put((String) phase.getKey(), phase.getValue());
                millis += (Double) phase.getValue();
            }
        }
        Map<Contender, Runnable> plain = new LinkedHashMap<>();
        plain.put(
                COPY,
                () -> stream.copyOnDevice(
                        workload.target().bytes().address(),
                        workload.source().bytes().address(),
                        workload.textBytes()));
        double plainMillis = Statistics.median(stopwatch.device(plain).get(COPY));
        // The plain copy has overwritten it.
        workload.sortedCopyBy(sorter);
        result.put("copyPhaseMillis", phases);
        result.put("copyMillis", millis);
        result.put("plainCopyMillis", plainMillis);
        result.put("shareOfCopySpeed", plainMillis / millis);
    }

    private void sortBy(
            Contender contender, IndexRequest request, StringWorkload workload, DeviceMemory temporary, Stream stream) {
        baselines.run(
                new Baselines.Request(contender, request, workload.source().count()),
                temporary,
                new Buffers(
                        workload.source().bytes().address(),
                        workload.source().offsets().address()),
                new Buffers(0, workload.permutation().memory().address()),
                stream);
    }

    private StringSorter sorter(boolean timesPhases) {
        return SampleSort.onGpu(options.device())
                .tuning(options.tuning())
                .timesPhases(timesPhases)
                .buildStrings(StringOrder.bytes());
    }
}
