package io.samplesort.bench;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.ElementType;
import io.samplesort.Order;
import io.samplesort.SampleSort;
import io.samplesort.SortReport;
import io.samplesort.Sorter;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.InputDistribution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Sorts in device memory: ours and CUB's on the same GPU, in the same process, on the same buffers, taking turns.
/// Every repetition starts from a fresh unsorted copy of the input; the copy is not timed. Times are the device's own,
/// between events; for ours also the wall time of a waiting [Sorter#sort] and the times of the phases. A result of each
/// contender is checked in full.
final class GpuBenchmark implements AutoCloseable {
    private static final int WARM_UPS = 2;

    /// Small sorts need longer than two runs until the Java code is compiled and the clocks are up.
    private static final long WARM_UP_NANOS = 300_000_000;

    private final int ordinal;
    private final int repetitions;
    private final long seed;
    private final String tuning;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final HostMemory memory = new HostMemory();

    /// @param tuning    replaces some of the default tuning parameters
    /// @param baselines null where only ours is measured
    GpuBenchmark(
            int ordinal,
            int repetitions,
            long seed,
            String tuning,
            Baselines baselines,
            Consumer<Map<String, Object>> results) {
        this.ordinal = ordinal;
        this.repetitions = repetitions;
        this.seed = seed;
        this.tuning = tuning;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on `count` elements of each of the distributions and hands each one's results on.
    ///
    /// @return whether all results were right
    /// @throws io.samplesort.InsufficientDeviceMemoryException if the GPU has too little free memory for so many
    boolean measure(Subject subject, long count, List<InputDistribution> distributions) {
        boolean allRight = true;
        try (Context context = Context.retainPrimary(CudaDevice.get(ordinal));
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Workload workload = new Workload(ordinal, subject, count, memory);
                DeviceMemory temporary = temporary(subject, count);
                Sorter sorter = sorter(subject, false);
                Sorter phaseSorter = sorter(subject, true)) {
            Map<Contender, Runnable> sorts = sorts(subject, workload, temporary, sorter, stream);
            for (InputDistribution distribution : distributions) {
                workload.fill(distribution, seed);
                Map<Contender, double[]> millis = time(sorts, context, stream, workload);
                for (Contender contender : sorts.keySet()) {
                    workload.restore(stream);
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
                        putWallTime(result, sorter, stream, workload);
                        putPhases(result, phaseSorter, stream, workload);
                        result.put("tuning", sorter.tuning().orElseThrow().parameters());
                    }
                    result.put("verified", isRight);
                    results.accept(result);
                }
            }
        }
        return allRight;
    }

    /// How each contender puts its sort on the stream.
    private Map<Contender, Runnable> sorts(
            Subject subject, Workload workload, DeviceMemory temporary, Sorter sorter, Stream stream) {
        long count = workload.count();
        Map<Contender, Runnable> sorts = new LinkedHashMap<>();
        sorts.put(Contender.OURS, () -> {
            if (subject.payload() == null) {
                sorter.sortAsync(workload.work().keys(), count, stream.handle());
            } else {
                sorter.sortAsync(workload.work().keys(), workload.work().payloads(), count, stream.handle());
            }
        });
        for (Contender contender : baselines(subject)) {
            int algorithm = contender.algorithm().orElseThrow();
            sorts.put(
                    contender,
                    () -> baselines.run(
                            algorithm,
                            subject,
                            temporary.address(),
                            temporary.byteSize(),
                            workload.pristine(),
                            workload.work(),
                            count,
                            stream.handle()));
        }
        return sorts;
    }

    private List<Contender> baselines(Subject subject) {
        return baselines != null && subject.hasBaseline()
                ? List.of(Contender.CUB_RADIX, Contender.CUB_MERGE)
                : List.of();
    }

    /// What the baselines need beside the elements; one memory for both, as they never run at once.
    private DeviceMemory temporary(Subject subject, long count) {
        long bytes = baselines(subject).stream()
                .mapToLong(contender ->
                        baselines.temporaryBytes(contender.algorithm().orElseThrow(), subject, count))
                .max()
                .orElse(0);
        return DeviceMemory.allocate(Device.gpu(ordinal), Math.max(1, bytes));
    }

    private Map<Contender, double[]> time(
            Map<Contender, Runnable> sorts, Context context, Stream stream, Workload workload) {
        Map<Contender, double[]> millis = new LinkedHashMap<>();
        sorts.keySet().forEach(contender -> millis.put(contender, new double[repetitions]));
        try (Event begin = Event.create(context, true);
                Event end = Event.create(context, true)) {
            long start = System.nanoTime();
            for (int warmUp = 0; warmUp < WARM_UPS || System.nanoTime() - start < WARM_UP_NANOS; warmUp++) {
                for (Runnable sort : sorts.values()) {
                    workload.restore(stream);
                    sort.run();
                    stream.synchronize();
                }
            }
            for (int repetition = 0; repetition < repetitions; repetition++) {
                for (Map.Entry<Contender, Runnable> sort : sorts.entrySet()) {
                    workload.restore(stream);
                    begin.record(stream);
                    sort.getValue().run();
                    end.record(stream);
                    end.synchronize();
                    millis.get(sort.getKey())[repetition] = Event.millisBetween(begin, end);
                }
            }
        }
        return millis;
    }

    private void putWallTime(Map<String, Object> result, Sorter sorter, Stream stream, Workload workload) {
        double[] millis = new double[repetitions];
        for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
            workload.restore(stream);
            stream.synchronize();
            long start = System.nanoTime();
            workload.sortBy(sorter);
            if (repetition >= 0) {
                millis[repetition] = (System.nanoTime() - start) * 1e-6;
            }
        }
        Statistics.put(result, "wall", millis, workload.count());
    }

    /// Adds the median time of each phase, and what else the report of a sort tells.
    private void putPhases(Map<String, Object> result, Sorter phaseSorter, Stream stream, Workload workload) {
        Map<String, double[]> millis = new LinkedHashMap<>();
        SortReport report = null;
        for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
            workload.restore(stream);
            stream.synchronize();
            report = workload.sortBy(phaseSorter);
            for (SortReport.Phase phase : report.phases()) {
                double[] times = millis.computeIfAbsent(phase.name(), name -> new double[repetitions]);
                if (repetition >= 0) {
                    times[repetition] = phase.time().toNanos() * 1e-6;
                }
            }
        }
        Map<String, Object> medians = new LinkedHashMap<>();
        millis.forEach((phase, times) -> medians.put(phase, Statistics.median(times)));
        result.put("passes", report.passes());
        result.put("phaseMillis", medians);
        result.put("largestBucket", report.largestBucket());
        result.put("extraBytes", report.extraBytes());
    }

    private Sorter sorter(Subject subject, boolean timesPhases) {
        Order order = subject.key().isUnsigned() ? Order.unsigned() : Order.natural();
        Sorter.Builder builder =
                SampleSort.onGpu(ordinal).order(order).tuning(tuning).timesPhases(timesPhases);
        if (subject.payload() != null) {
            builder.payload(ElementType.of(subject.payload().layout()));
        }
        return builder.build(ElementType.of(subject.key().layout()));
    }

    @Override
    public void close() {
        memory.close();
    }
}
