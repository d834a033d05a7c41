package io.samplesort.study.paper;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.BaselineSorts;
import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.study.historic.HistoricElement;
import io.samplesort.study.historic.HistoricSort;
import io.samplesort.study.measure.CheckedTurns;
import io.samplesort.testkit.InputDistribution;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The sorts of the study in device memory, on one GPU: ours, those of 2008 and 2009, and CUB's. They take turns on one
/// stream and on the same buffers. Transfers are not counted, as in the paper. A run of each sort is checked in full.
final class GpuStudy implements AutoCloseable {
    private final int ordinal;
    private final StudyPlan plan;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();

    /// @param baselines null if CUB is not measured
    GpuStudy(int ordinal, StudyPlan plan, Baselines baselines, Consumer<Map<String, Object>> results) {
        this.ordinal = ordinal;
        this.plan = plan;
        this.baselines = baselines;
        this.results = results;
    }

    /// Hands on a result for each system, size and input distribution.
    ///
    /// @return the sizes that the GPU has no memory for, in words; empty if there are none
    Optional<String> measure(Subject subject) {
        Map<Contender, HistoricSort> historic = new LinkedHashMap<>();
        try (Context context = Context.retainPrimary(ordinal);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Sorter ours = subject.sorter(SampleSort.onGpu(ordinal))) {
            try {
                open(subject, context, historic);
                for (long count : plan.gpuSizes()) {
                    try (Workload workload = new Workload(ordinal, subject, count, memory);
                            BaselineSorts baselineSorts = new BaselineSorts(ordinal, baselines, subject, count)) {
                        ElementBuffers elements = workload.buffers();
                        Map<Contender, CheckedTurns.Turn> turns = new LinkedHashMap<>();
                        turns.put(Contender.OURS, CheckedTurns.Turn.of(() -> elements.enqueue(ours, stream)));
                        historic.forEach((contender, sort) -> turns.put(
                                contender,
                                () -> sort.sort(
                                        stream,
                                        elements.work().keys(),
                                        elements.work().payloads(),
                                        count)));
                        baselineSorts
                                .on(elements, stream)
                                .forEach((contender, sort) -> turns.put(contender, CheckedTurns.Turn.of(sort)));
                        turns.keySet().removeIf(contender -> !plan.measures(contender.name()));
                        CheckedTurns checked = new CheckedTurns(
                                context, stream, workload, plan.repetitions(), CheckedTurns.SLOW_MILLIS);
                        measure(subject, count, workload, turns, checked);
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

    /// Opens the sorts of 2008 and 2009 that sort such elements.
    private void open(Subject subject, Context context, Map<Contender, HistoricSort> historic) {
        if (!HistoricElement.isKnown(subject.key(), subject.payload())) {
            return;
        }
        HistoricElement element = new HistoricElement(subject.key(), subject.payload());
        for (HistoricSort.Algorithm algorithm : HistoricSort.Algorithm.values()) {
            if (algorithm.sorts(element) && plan.measures(algorithm.toString())) {
                historic.put(Contender.named(algorithm.toString()), algorithm.on(context, element));
            }
        }
    }

    private void measure(
            Subject subject,
            long count,
            Workload workload,
            Map<Contender, CheckedTurns.Turn> turns,
            CheckedTurns checked) {
        for (InputDistribution distribution : StudyPlan.DISTRIBUTIONS) {
            workload.fill(distribution, plan.seed());
            Map<Contender, Map<String, Object>> rows = new LinkedHashMap<>();
            turns.keySet().forEach(contender -> rows.put(contender, row(contender, subject, distribution, count)));
            if (plan.isGpuTimed()) {
                checked.measure(turns, rows, count);
            } else {
                turns.forEach((contender, turn) -> checked.check(rows.get(contender), turn));
            }
            rows.values().forEach(results);
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
