package io.samplesort.bench.records;

import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.BaselineSorts;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.RecordInput;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The benchmark of sorts of records in device memory. Our sorts and CUB's take turns on the same GPU, in the same
/// process, on the same buffers. One result of each is checked in full.
final class RecordBenchmark implements AutoCloseable {
    private static final String RATE = "GigaElementsPerSecond";

    private final GpuOptions options;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();
    private final Map<RecordJob, CompileTime> compileTimes = new EnumMap<>(RecordJob.class);

    /// @param baselines null if only our sort is measured
    RecordBenchmark(GpuOptions options, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on `count` elements of each input, and hands on a result of each.
    ///
    /// @return whether all results were right
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    boolean measure(RecordJob job, long count, List<RecordInput> inputs) {
        boolean allRight = true;
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                RecordWorkload workload = new RecordWorkload(options.device(), job, count, memory);
                BaselineSorts baselineSorts = new BaselineSorts(options.device(), baselines, job, count)) {
            CompileTime compileTime = compileTimes.computeIfAbsent(job, this::compileTime);
            try (Sorter sorter = sorter(job, false);
                    Sorter phaseSorter = sorter(job, true)) {
                ElementBuffers elements = workload.buffers();
                Map<Contender, Runnable> sorts = ours(job, sorter, elements, stream);
                sorts.putAll(baselineSorts.on(elements, stream));
                Runnable restore = () -> elements.restore(stream);
                Stopwatch stopwatch = new Stopwatch(context, stream, options.repetitions(), restore);
                for (RecordInput input : inputs) {
                    workload.fill(input, options.seed());
                    Map<Contender, double[]> millis = stopwatch.device(sorts);
                    for (Contender contender : sorts.keySet()) {
                        boolean isOurs = contender.equals(Contender.OURS);
                        restore.run();
                        sorts.get(contender).run();
                        stream.synchronize();
                        boolean isRight = workload.isSorted(isOurs && job.isArgsort());
                        allRight &= isRight;
                        Map<String, Object> result = description(contender, job, input, count);
                        Statistics.put(result, "device", RATE, millis.get(contender), count);
                        if (isOurs) {
                            double[] wall = stopwatch.wall(() -> sort(job, sorter, elements));
                            Statistics.put(result, "wall", RATE, wall, count);
                            stopwatch.putPhases(result, () -> sort(job, phaseSorter, elements));
                            result.put("compileMillisCold", compileTime.cold());
                            result.put("compileMillisWarm", compileTime.warm());
                            result.put("tuning", sorter.tuning().orElseThrow().parameters());
                        } else if (job.isArgsort() || job.hasCopy()) {
                            // Our sorts are calls that wait, so the others are timed with a wait as well.
                            double[] wall = stopwatch.wall(() -> {
                                sorts.get(contender).run();
                                stream.synchronize();
                            });
                            Statistics.put(result, "wall", RATE, wall, count);
                        }
                        result.put("verified", isRight);
                        results.accept(result);
                    }
                }
            }
        }
        return allRight;
    }

    /// Returns how each of our sorts is put on the stream. An argsort and a sorted copy use a stream of their own and
    /// wait for their end. So they begin when this stream is idle, and the time between its events is that of the whole
    /// call.
    private static Map<Contender, Runnable> ours(RecordJob job, Sorter sorter, ElementBuffers elements, Stream stream) {
        Map<Contender, Runnable> sorts = new LinkedHashMap<>();
        if (job.isArgsort()) {
            sorts.put(Contender.OURS, () -> {
                stream.synchronize();
                elements.argsortBy(sorter);
            });
        } else {
            sorts.put(Contender.OURS, () -> elements.enqueue(sorter, stream));
        }
        if (job.hasCopy()) {
            sorts.put(Contender.OURS_COPY, () -> {
                stream.synchronize();
                elements.sortedCopyBy(sorter);
            });
        }
        return sorts;
    }

    private static Map<String, Object> description(Contender contender, RecordJob job, RecordInput input, long count) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", contender.name());
        result.put("job", job.toString());
        result.put("order", job.order().toString());
        result.put("elementBytes", job.elements().type().byteSize());
        result.put("input", input.toString());
        result.put("count", count);
        return result;
    }

    private static SortReport sort(RecordJob job, Sorter sorter, ElementBuffers elements) {
        return job.isArgsort() ? elements.argsortBy(sorter) : elements.sortBy(sorter);
    }

    private CompileTime compileTime(RecordJob job) {
        return CompileTime.of(() -> sorter(job, false).close());
    }

    /// Builds our sorter with all its kernels. The kernels of an argsort are made when one is first asked for.
    private Sorter sorter(RecordJob job, boolean timesPhases) {
        Sorter sorter = job.sorter(options.device(), options.tuning(), timesPhases);
        if (job.isArgsort()) {
            try (Arena arena = Arena.ofConfined()) {
                sorter.argsort(arena.allocate(job.elements().type().layout()));
            } catch (RuntimeException | Error e) {
                sorter.close();
                throw e;
            }
        }
        return sorter;
    }

    @Override
    public void close() {
        memory.close();
    }
}
