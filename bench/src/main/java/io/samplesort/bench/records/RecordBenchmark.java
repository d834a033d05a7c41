package io.samplesort.bench.records;

import io.samplesort.DeviceMemory;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
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

/// Sorts records in device memory, as [GpuBenchmark] sorts keys: ours and CUB's on the same GPU, in the same process,
/// on the same buffers, taking turns, and a result of each checked in full.
final class RecordBenchmark implements AutoCloseable {
    private static final String RATE = "GigaElementsPerSecond";

    private final GpuOptions options;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();
    private final Map<RecordJob, CompileTime> compileTimes = new EnumMap<>(RecordJob.class);

    /// @param baselines null where only ours is measured
    RecordBenchmark(GpuOptions options, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.options = options;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on `count` elements of each of the inputs and hands each one's results on.
    ///
    /// @return whether all results were right
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory for so many
    boolean measure(RecordJob job, long count, List<RecordInput> inputs) {
        boolean allRight = true;
        List<Contender> contenders = baselines == null ? List.of() : job.baselines();
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                RecordWorkload workload = new RecordWorkload(options.device(), job, count, memory);
                DeviceMemory temporary = Baselines.temporary(options.device(), baselines, contenders, job, count)) {
            CompileTime compileTime = compileTimes.computeIfAbsent(job, this::compileTime);
            try (Sorter sorter = sorter(job, false);
                    Sorter phaseSorter = sorter(job, true)) {
                ElementBuffers elements = workload.buffers();
                Map<Contender, Runnable> sorts = new LinkedHashMap<>();
                sorts.put(Contender.OURS, () -> enqueue(job, sorter, elements, count, stream));
                if (job.hasCopy()) {
                    sorts.put(Contender.OURS_COPY, () -> {
                        stream.synchronize();
                        elements.sortedCopyBy(sorter);
                    });
                }
                for (Contender contender : contenders) {
                    sorts.put(
                            contender,
                            () -> baselines.run(
                                    contender, job, temporary, elements.pristine(), elements.work(), count, stream));
                }
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
                            Statistics.put(
                                    result, "wall", RATE, stopwatch.wall(() -> sort(job, sorter, elements)), count);
                            stopwatch.putPhases(result, () -> sort(job, phaseSorter, elements));
                            result.put("compileMillisCold", compileTime.cold());
                            result.put("compileMillisWarm", compileTime.warm());
                            result.put("tuning", sorter.tuning().orElseThrow().parameters());
                        }
                        result.put("verified", isRight);
                        results.accept(result);
                    }
                }
            }
        }
        return allRight;
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

    /// An argsort of ours, and a sorted copy, are on a stream of their own and wait for their end: they begin when
    /// this stream has come to an end, and the time between its events is that of the whole call.
    private static void enqueue(RecordJob job, Sorter sorter, ElementBuffers elements, long count, Stream stream) {
        if (job.isArgsort()) {
            stream.synchronize();
            elements.argsortBy(sorter);
        } else {
            elements.enqueue(sorter, count, stream);
        }
    }

    private static SortReport sort(RecordJob job, Sorter sorter, ElementBuffers elements) {
        return job.isArgsort() ? elements.argsortBy(sorter) : elements.sortBy(sorter);
    }

    private CompileTime compileTime(RecordJob job) {
        return CompileTime.of(() -> sorter(job, false).close());
    }

    /// Ours, with all of its kernels: those of an argsort are made when it is first asked for.
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
