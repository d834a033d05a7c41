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

/// A sort with parameters of its own. Equal ones are the same sort.
sealed interface Variant {
    /// Compiles it.
    ///
    /// @param context of the GPU, current
    /// @throws IllegalArgumentException if the GPU cannot run it, or the parameters do not fit each other
    Compiled compile(Context context);

    /// One that is ready to sort.
    interface Compiled extends AutoCloseable {
        /// Puts a sort on the stream.
        void enqueue(ElementBuffers elements, long count, Stream stream);

        /// All parameters by name.
        Map<String, ? extends Number> parameters();

        /// Adds the median times of the parts of a sort, and what it came to.
        ///
        /// @param stopwatch of the same workload
        void putParts(Map<String, Object> row, Stopwatch stopwatch, ElementBuffers elements, long count, Stream stream);

        @Override
        void close();
    }

    /// The published sort.
    record Published(HistoricElement element, SampleSortParameters parameters) implements Variant {
        @Override
        public Compiled compile(Context context) {
            SampleSort2009 sort = new SampleSort2009(context, element, parameters);
            return new Compiled() {
                @Override
                public void enqueue(ElementBuffers elements, long count, Stream stream) {
                    // Of no input has this sort anything to say.
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

    /// Ours.
    ///
    /// @param tuning what differs from the default
    record Ours(Subject subject, String tuning) implements Variant {
        @Override
        public Compiled compile(Context context) {
            Sorter sorter = subject.sorter(
                    SampleSort.onGpu(context.device().ordinal()).tuning(tuning).timesPhases(true));
            return new Compiled() {
                @Override
                public void enqueue(ElementBuffers elements, long count, Stream stream) {
                    elements.enqueue(sorter, count, stream);
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
