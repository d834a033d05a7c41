package io.samplesort.study.ablation;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.HistoricElement;
import io.samplesort.study.historic.SampleSortParameters;
import io.samplesort.study.measure.CheckedTurns;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Measures the effect of each parameter on one GPU: the published sort and ours run with one parameter at a time set
/// to other values than the default. The variants of a parameter, with the default among them, take turns on one stream
/// and on the same buffers. A run of each is checked in full.
final class Ablation implements AutoCloseable {
    private final int ordinal;
    private final Plan plan;
    private final Consumer<Map<String, Object>> results;
    private final ReusedMemory memory = new ReusedMemory();

    /// What is measured.
    ///
    /// @param knobs       the parameters
    /// @param repetitions how often each variant is timed
    /// @param slowMillis  variants that take this long or longer run only once, and their parts are not timed
    /// @param seed        the seed of the inputs
    record Plan(List<Knob> knobs, int repetitions, double slowMillis, long seed) {}

    Ablation(int ordinal, Plan plan, Consumer<Map<String, Object>> results) {
        this.ordinal = ordinal;
        this.plan = plan;
        this.results = results;
    }

    /// The variants of one parameter.
    ///
    /// @param byDefault the default value
    private record Series(Knob knob, long byDefault, Map<Long, Variant> variants) {}

    /// The GPU and the elements with which all variants are measured.
    private record Place(
            Subject subject,
            long count,
            VariantSet compiled,
            ElementBuffers elements,
            Stream stream,
            CheckedTurns turns) {}

    /// Hands on a result for each value of each parameter.
    ///
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    void measure(Subject subject, long count) {
        try (Context context = Context.retainPrimary(ordinal);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context)) {
            List<Series> all = plan.knobs.stream()
                    .map(knob -> series(knob, subject, context.device()))
                    .toList();
            List<Variant> variants = all.stream()
                    .flatMap(series -> series.variants.values().stream())
                    .toList();
            try (VariantSet compiled = new VariantSet(context, variants);
                    Workload workload = new Workload(ordinal, subject, count, memory)) {
                Place place = new Place(
                        subject,
                        count,
                        compiled,
                        workload.buffers(),
                        stream,
                        new CheckedTurns(context, stream, workload, plan.repetitions, plan.slowMillis));
                for (InputDistribution input : InputDistribution.values()) {
                    List<Series> ofInput = all.stream()
                            .filter(series -> series.knob.inputs().contains(input))
                            .toList();
                    if (!ofInput.isEmpty()) {
                        workload.fill(input, plan.seed);
                        ofInput.forEach(series -> measure(series, input, place));
                    }
                }
            }
        }
    }

    private static Series series(Knob knob, Subject subject, CudaDevice device) {
        Map<Long, Variant> variants = new LinkedHashMap<>();
        if (knob.isPublished()) {
            HistoricElement element = new HistoricElement(subject.key(), subject.payload());
            SampleSortParameters published = SampleSortParameters.published(element);
            long byDefault = knob == Knob.CHOICES ? 0 : published.values().get(knob.toString());
            for (long value : knob.values(byDefault)) {
                SampleSortParameters parameters = knob == Knob.CHOICES
                        ? published
                                .with("stored", Knob.isStored(value) ? 1 : 0)
                                .with("reordered", Knob.isReordered(value) ? 1 : 0)
                        : published.with(knob.toString(), value);
                variants.put(value, new Variant.Published(element, parameters));
            }
            return new Series(knob, byDefault, variants);
        }
        long byDefault = Tuning.defaultFor(
                        ElementType.of(subject.key().layout()),
                        subject.payload() == null
                                ? null
                                : ElementType.of(subject.payload().layout()),
                        device.architecture())
                .parameters()
                .get(knob.toString());
        for (long value : knob.values(byDefault)) {
            variants.put(value, new Variant.Ours(subject, value == byDefault ? "" : knob + "=" + value));
        }
        return new Series(knob, byDefault, variants);
    }

    private void measure(Series series, InputDistribution input, Place place) {
        Map<Contender, Map<String, Object>> rows = new LinkedHashMap<>();
        Map<Contender, Variant.Compiled> sorts = new LinkedHashMap<>();
        Map<Contender, CheckedTurns.Turn> turns = new LinkedHashMap<>();
        series.variants.forEach((value, variant) -> {
            Contender contender = Contender.named(series.knob + "=" + value);
            Map<String, Object> row = row(series, value, input, place);
            rows.put(contender, row);
            Optional<String> refusal = place.compiled.refusal(variant);
            refusal.ifPresent(reason -> row.put("refused", reason));
            if (refusal.isEmpty()) {
                Variant.Compiled sort = place.compiled.get(variant);
                row.put("parameters", sort.parameters());
                sorts.put(contender, sort);
                turns.put(
                        contender, CheckedTurns.Turn.of(() -> sort.enqueue(place.elements, place.count, place.stream)));
            }
        });
        for (Contender quick : place.turns.measure(turns, rows, place.count)) {
            sorts.get(quick)
                    .putParts(rows.get(quick), place.turns.stopwatch(), place.elements, place.count, place.stream);
        }
        rows.values().forEach(results);
    }

    private Map<String, Object> row(Series series, long value, InputDistribution input, Place place) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("system", series.knob.system());
        row.put("parameter", series.knob.toString());
        row.put("value", value);
        row.put("isDefault", value == series.byDefault);
        row.put("type", place.subject.toString());
        row.put("distribution", input.toString());
        row.put("count", place.count);
        row.put("device", ordinal);
        return row;
    }

    @Override
    public void close() {
        memory.close();
    }
}
