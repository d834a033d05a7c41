package io.samplesort.study.paper;

import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.HistoricElement;
import io.samplesort.study.historic.HistoricSort;
import io.samplesort.study.measure.CheckedTurns;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.InsufficientDeviceMemoryException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/// The study's sorts in device memory, on one GPU: ours, those of 2008 and 2009, and CUB's. They take turns on one
/// stream and on the same buffers; transfers are not counted, as in the paper. A run of each is checked in full.
final class GpuStudy implements AutoCloseable {
    private final int ordinal;
    private final StudyPlan plan;
    private final long seed;
    private final boolean isTimed;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();

    /// @param isTimed   whether times go into the results
    /// @param baselines null where CUB is not measured
    GpuStudy(
            int ordinal,
            StudyPlan plan,
            long seed,
            boolean isTimed,
            Baselines baselines,
            Consumer<Map<String, Object>> results) {
        this.ordinal = ordinal;
        this.plan = plan;
        this.seed = seed;
        this.isTimed = isTimed;
        this.baselines = baselines;
        this.results = results;
    }

    /// How a system puts its sort of so many elements on the stream, and what it has to say of them.
    private interface Sort {
        Optional<String> run(ElementBuffers elements, DeviceMemory temporary, long count);
    }

    /// Hands on a result for each system, size and input distribution.
    ///
    /// @return the sizes that the GPU has no memory for, in words; empty where there are none
    Optional<String> measure(Subject subject) {
        Map<Contender, HistoricSort> historic = new LinkedHashMap<>();
        try (Context context = Context.retainPrimary(ordinal);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Sorter ours = subject.sorter(SampleSort.onGpu(ordinal))) {
            try {
                open(subject, context, historic);
                Map<Contender, Sort> sorts = sorts(subject, ours, historic, stream);
                for (long count : plan.gpuSizes()) {
                    try {
                        measure(subject, count, sorts, context, stream);
                    } catch (InsufficientDeviceMemoryException e) {
                        return Optional.of(subject + " from " + Sizes.text(count) + " on: " + e.getMessage());
                    }
                }
            } finally {
                historic.values().forEach(HistoricSort::close);
            }
        }
        return Optional.empty();
    }

    private void open(Subject subject, Context context, Map<Contender, HistoricSort> historic) {
        if (!HistoricElement.isKnown(subject.key(), subject.payload())) {
            return;
        }
        HistoricElement element = new HistoricElement(subject.key(), subject.payload());
        for (HistoricSort.Algorithm algorithm : HistoricSort.Algorithm.values()) {
            if (algorithm.sorts(element) && plan.measures(algorithm.toString())) {
                historic.put(new Contender(algorithm.toString(), OptionalInt.empty()), algorithm.on(context, element));
            }
        }
    }

    private Map<Contender, Sort> sorts(
            Subject subject, Sorter ours, Map<Contender, HistoricSort> historic, Stream stream) {
        Map<Contender, Sort> sorts = new LinkedHashMap<>();
        sorts.put(Contender.OURS, (elements, temporary, count) -> {
            elements.enqueue(ours, count, stream);
            return Optional.empty();
        });
        historic.forEach((contender, sort) -> sorts.put(
                contender,
                (elements, temporary, count) -> sort.sort(
                        stream, elements.work().keys(), elements.work().payloads(), count)));
        for (Contender contender : baselines(subject)) {
            sorts.put(contender, (elements, temporary, count) -> {
                baselines.run(contender, subject, temporary, elements.pristine(), elements.work(), count, stream);
                return Optional.empty();
            });
        }
        sorts.keySet().removeIf(contender -> !plan.measures(contender.name()));
        return sorts;
    }

    private List<Contender> baselines(Subject subject) {
        return baselines != null && subject.hasBaseline()
                ? List.of(Contender.CUB_RADIX, Contender.CUB_MERGE)
                : List.of();
    }

    private void measure(Subject subject, long count, Map<Contender, Sort> sorts, Context context, Stream stream) {
        try (Workload workload = new Workload(ordinal, subject, count, memory);
                DeviceMemory temporary = Baselines.temporary(ordinal, baselines, baselines(subject), subject, count)) {
            Map<Contender, CheckedTurns.Turn> turns = new LinkedHashMap<>();
            sorts.forEach(
                    (contender, sort) -> turns.put(contender, () -> sort.run(workload.buffers(), temporary, count)));
            CheckedTurns checked =
                    new CheckedTurns(context, stream, workload, plan.repetitions(), CheckedTurns.SLOW_MILLIS);
            for (InputDistribution distribution : StudyPlan.DISTRIBUTIONS) {
                workload.fill(distribution, seed);
                Map<Contender, Map<String, Object>> rows = new LinkedHashMap<>();
                sorts.keySet().forEach(contender -> rows.put(contender, row(contender, subject, distribution, count)));
                checked.measure(turns, rows, count, isTimed);
                rows.values().forEach(results);
            }
        }
    }

    private Map<String, Object> row(Contender contender, Subject subject, InputDistribution distribution, long count) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("system", contender.name());
        row.put("type", subject.toString());
        row.put("distribution", distribution.toString());
        row.put("count", count);
        row.put("device", ordinal);
        return row;
    }

    @Override
    public void close() {
        memory.close();
    }
}
