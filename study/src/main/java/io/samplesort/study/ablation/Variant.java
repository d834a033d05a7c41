package io.samplesort.study.ablation;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.HistoricElement;
import io.samplesort.study.historic.PartClock;
import io.samplesort.study.historic.SampleSort2009;
import io.samplesort.study.historic.SampleSortParameters;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A sort with certain parameters. Equal variants are the same sort.
sealed interface Variant {
    /// Compiles the sort.
    ///
    /// @param context the context of the GPU, which must be current
    /// @throws IllegalArgumentException if the GPU cannot run the sort, or the parameters do not fit each other
    Compiled compile(Context context);

    /// A variant that is ready to sort.
    interface Compiled extends AutoCloseable {
        /// Puts a sort on the stream.
        void enqueue(ElementBuffers elements, long count, Stream stream);

        /// Returns all parameters by name.
        Map<String, ? extends Number> parameters();

        /// Adds the median times of the parts of a sort, the passes and the largest bucket.
        ///
        /// @param stopwatch the stopwatch of the same workload
        void putParts(Map<String, Object> row, Stopwatch stopwatch, ElementBuffers elements, long count, Stream stream);

        @Override
        void close();
    }

    /// A variant of the published sort.
    record Published(HistoricElement element, SampleSortParameters parameters) implements Variant {
        @Override
        public Compiled compile(Context context) {
            SampleSort2009 sort = new SampleSort2009(context, element, parameters);
            return new Compiled() {
                @Override
                public void enqueue(ElementBuffers elements, long count, Stream stream) {
                    // This sort never has anything to say about an input.
                    sort.sort(stream, elements.work().keys(), elements.work().payloads(), count);
                }

                @Override
                public void putParts(
                        Map<String, Object> row,
                        Stopwatch stopwatch,
                        ElementBuffers elements,
                        long count,
                        Stream stream) {
                    try (PartClock clock = new PartClock(context)) {
                        sort.timeParts(clock);
                        row.put("phaseMillis", stopwatch.parts(() -> {
                            enqueue(elements, count, stream);
                            Map<String, Double> millis = new LinkedHashMap<>();
                            clock.millis()
                                    .forEach((part, time) ->
                                            millis.put(part.name().toLowerCase(Locale.ROOT), time));
                            return millis;
                        }));
                    } finally {
                        sort.timeParts(null);
                    }
                    row.put("passes", sort.course().levels());
                    row.put("distributions", sort.course().distributions());
                    row.put("largestBucket", sort.course().largestBucket());
                }

                @Override
                public Map<String, Long> parameters() {
                    return parameters.values();
                }

                @Override
                public void close() {
                    sort.close();
                }
            };
        }
    }

    /// A variant of our sort.
    ///
    /// @param tuning the parameters that differ from their defaults
    record Ours(Subject subject, String tuning) implements Variant {
        @Override
        public Compiled compile(Context context) {
            Sorter sorter = subject.sorter(
                    SampleSort.onGpu(context.device().ordinal()).tuning(tuning).timesPhases());
            return new Compiled() {
                @Override
                public void enqueue(ElementBuffers elements, long count, Stream stream) {
                    elements.enqueue(sorter, stream);
                }

                @Override
                public void putParts(
                        Map<String, Object> row,
                        Stopwatch stopwatch,
                        ElementBuffers elements,
                        long count,
                        Stream stream) {
                    stopwatch.putPhases(row, () -> elements.sortBy(sorter));
                }

                @Override
                public Map<String, Integer> parameters() {
                    return sorter.tuning().orElseThrow().parameters();
                }

                @Override
                public void close() {
                    sorter.close();
                }
            };
        }
    }
}
