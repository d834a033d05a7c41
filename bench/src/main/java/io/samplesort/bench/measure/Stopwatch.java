package io.samplesort.bench.measure;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.results.Statistics;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Times sorts of one workload in device memory, which take turns on one stream. Each run starts from a fresh unsorted
/// copy of the input; the copy is not timed.
public final class Stopwatch {
    private static final int WARM_UPS = 2;

    /// Small sorts need more than two runs until the Java code is compiled and the clocks of the GPU are up, above all
    /// those in which the host waits for the device. Each sort gets this time for each of a few repetitions, no matter
    /// how slow the others are.
    private static final long WARM_UP_NANOS = 100_000_000;

    private static final int MOST_WARMED = 7;

    private final Context context;
    private final Stream stream;
    private final int repetitions;
    private final Runnable restore;

    /// @param restore puts the copy of the input on the stream
    public Stopwatch(Context context, Stream stream, int repetitions, Runnable restore) {
        this.context = context;
        this.stream = stream;
        this.repetitions = repetitions;
        this.restore = restore;
    }

    /// Returns the times between events on the device, in milliseconds.
    ///
    /// @param sorts how each contender puts its sort on the stream
    public Map<Contender, double[]> device(Map<Contender, Runnable> sorts) {
        Map<Contender, double[]> millis = new LinkedHashMap<>();
        sorts.keySet().forEach(contender -> millis.put(contender, new double[repetitions]));
        try (Event begin = Event.create(context, true);
                Event end = Event.create(context, true);
                HeadStart headStart = new HeadStart(context)) {
            for (Runnable sort : sorts.values()) {
                warmUp(() -> {
                    restore.run();
                    sort.run();
                    stream.synchronize();
                });
            }
            for (int repetition = 0; repetition < repetitions; repetition++) {
                for (Map.Entry<Contender, Runnable> sort : sorts.entrySet()) {
                    restore.run();
                    headStart.give(stream);
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

    private void warmUp(Runnable sort) {
        long start = System.nanoTime();
        long nanos = Math.min(repetitions, MOST_WARMED) * WARM_UP_NANOS;
        for (int warmUp = 0; warmUp < WARM_UPS || System.nanoTime() - start < nanos; warmUp++) {
            sort.run();
        }
    }

    /// Returns the wall times of a sort that waits for its end, in milliseconds.
    public double[] wall(Runnable sort) {
        double[] millis = new double[repetitions];
        warmUp(() -> {
            restore.run();
            stream.synchronize();
            sort.run();
        });
        for (int repetition = 0; repetition < repetitions; repetition++) {
            restore.run();
            stream.synchronize();
            long start = System.nanoTime();
            sort.run();
            millis[repetition] = (System.nanoTime() - start) * 1e-6;
        }
        return millis;
    }

    /// Adds the median time of each phase, and the other figures in the report of a sort.
    ///
    /// @param sort sorts with a sorter that times its phases
    public void putPhases(Map<String, Object> result, Supplier<SortReport> sort) {
        SortReport[] last = new SortReport[1];
        Map<String, Double> medians = parts(WARM_UPS, () -> {
            last[0] = sort.get();
            Map<String, Double> millis = new LinkedHashMap<>();
            last[0].phases()
                    .forEach(phase -> millis.put(phase.name(), phase.time().toNanos() * 1e-6));
            return millis;
        });
        result.put("passes", last[0].passes());
        result.put("phaseMillis", medians);
        result.put("largestBucket", last[0].largestBucket());
        result.put("extraBytes", last[0].extraBytes());
    }

    /// Returns the median time of each part of a sort, in milliseconds, without warming up.
    ///
    /// @param sort sorts, waits for the end, and returns the milliseconds of each part
    public Map<String, Double> parts(Supplier<Map<String, Double>> sort) {
        return parts(0, sort);
    }

    private Map<String, Double> parts(int warmUps, Supplier<Map<String, Double>> sort) {
        Map<String, double[]> millis = new LinkedHashMap<>();
        for (int repetition = -warmUps; repetition < repetitions; repetition++) {
            restore.run();
            stream.synchronize();
            for (Map.Entry<String, Double> part : sort.get().entrySet()) {
                double[] times = millis.computeIfAbsent(part.getKey(), name -> new double[repetitions]);
                if (repetition >= 0) {
                    times[repetition] = part.getValue();
                }
            }
        }
        Map<String, Double> medians = new LinkedHashMap<>();
        millis.forEach((part, times) -> medians.put(part, Statistics.median(times)));
        return medians;
    }
}
