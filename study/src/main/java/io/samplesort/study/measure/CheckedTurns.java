package io.samplesort.study.measure;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.CudaException;
import io.samplesort.study.historic.UndefinedInputException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Measures sorts of one workload in device memory, each of which may refuse the input or take very long. First each
/// sort runs once, and its result is checked in full. Then the sorts take turns on one stream and are timed.
public final class CheckedTurns {
    /// A sort that takes this long degenerates on the input, and one run of it says enough.
    public static final double SLOW_MILLIS = 1000;

    private static final int OUT_OF_MEMORY = 2;

    private final Context context;
    private final Stream stream;
    private final Workload workload;
    private final Stopwatch stopwatch;
    private final double slowMillis;

    /// A sort that takes turns with others.
    public interface Turn {
        /// Puts the sort on the stream. Returns what it has to say about the input, in words; usually that is nothing.
        Optional<String> run();

        /// Returns a turn of a sort that never says anything.
        static Turn of(Runnable sort) {
            return () -> {
                sort.run();
                return Optional.empty();
            };
        }
    }

    /// @param slowMillis sorts that take this long or longer run only once
    public CheckedTurns(Context context, Stream stream, Workload workload, int repetitions, double slowMillis) {
        this.context = context;
        this.stream = stream;
        this.workload = workload;
        this.slowMillis = slowMillis;
        stopwatch = new Stopwatch(
                context, stream, repetitions, () -> workload.buffers().restore(stream));
    }

    public Stopwatch stopwatch() {
        return stopwatch;
    }

    /// Checks all sorts and times them. The row of each tells whether its result was right, or why there is none, and
    /// its times.
    ///
    /// @return the sorts that were quick enough to take turns
    public Set<Contender> measure(Map<Contender, Turn> sorts, Map<Contender, Map<String, Object>> rows, long count) {
        Map<Contender, Runnable> quickOnes = new LinkedHashMap<>();
        sorts.forEach((contender, sort) -> {
            Map<String, Object> row = rows.get(contender);
            double millis = check(row, sort);
            if (!Results.isTrue(row, "verified")) {
                return;
            }
            if (millis < slowMillis) {
                quickOnes.put(contender, sort::run);
            } else {
                Statistics.put(row, "device", new double[] {millis}, count);
            }
        });
        if (!quickOnes.isEmpty()) {
            stopwatch
                    .device(quickOnes)
                    .forEach((contender, millis) -> Statistics.put(rows.get(contender), "device", millis, count));
        }
        return quickOnes.keySet();
    }

    /// Runs a sort once. Its row tells whether the result is right, or why there is none.
    ///
    /// @return how long the sort took, in milliseconds
    public double check(Map<String, Object> row, Turn sort) {
        try (Event begin = Event.create(context, true);
                Event end = Event.create(context, true)) {
            workload.buffers().restore(stream);
            begin.record(stream);
            Optional<String> remark = sort.run();
            end.record(stream);
            end.synchronize();
            row.put("verified", workload.isSorted());
            remark.ifPresent(text -> row.put("remark", text));
            return Event.millisBetween(begin, end);
        } catch (UndefinedInputException e) {
            stream.synchronize();
            row.put("undefined", e.getMessage());
            return 0;
        } catch (CudaException e) {
            if (e.code() != OUT_OF_MEMORY) {
                throw e;
            }
            row.put("undefined", "the GPU has too little memory for what this sort needs in addition to the input");
            return 0;
        }
    }
}
