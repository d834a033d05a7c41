package io.samplesort.study.measure;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.Workload;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.UndefinedInputException;
import io.samplesort.types.CudaException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Sorts of one workload in device memory, each of which may refuse the input or take very long: first each one runs
/// once and is checked in full, then they take turns on one stream and are timed.
public final class CheckedTurns {
    /// Where a sort degenerates on a GPU, one run says enough.
    public static final double SLOW_MILLIS = 1000;

    private static final int OUT_OF_MEMORY = 2;

    private final Context context;
    private final Stream stream;
    private final Workload workload;
    private final Stopwatch stopwatch;
    private final double slowMillis;

    /// Puts a sort on the stream, and tells what it has to say of the input.
    public interface Turn {
        Optional<String> run();
    }

    /// @param slowMillis sorts that take as long or longer are not run again
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

    /// Notes in each sort's row whether its result is right, or why there is none, and its times.
    ///
    /// @param isTimed whether times are noted as well
    /// @return those that were quick enough to take turns
    public Set<Contender> measure(
            Map<Contender, Turn> sorts, Map<Contender, Map<String, Object>> rows, long count, boolean isTimed) {
        Map<Contender, Runnable> quickOnes = new LinkedHashMap<>();
        sorts.forEach((contender, sort) -> {
            Map<String, Object> row = rows.get(contender);
            double millis = check(row, sort);
            if (isTimed && Boolean.TRUE.equals(row.get("verified"))) {
                if (millis < slowMillis) {
                    quickOnes.put(contender, sort::run);
                } else {
                    Statistics.put(row, "device", new double[] {millis}, count);
                }
            }
        });
        if (!quickOnes.isEmpty()) {
            stopwatch
                    .device(quickOnes)
                    .forEach((contender, millis) -> Statistics.put(rows.get(contender), "device", millis, count));
        }
        return quickOnes.keySet();
    }

    /// Runs a sort once and notes whether the result is right, or why there is none.
    ///
    /// @return how long it took, in milliseconds
    private double check(Map<String, Object> row, Turn sort) {
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
            row.put("undefined", "the GPU has too little memory for what this sort needs beside the input");
            return 0;
        }
    }
}
