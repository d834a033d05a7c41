package io.samplesort.bench.strings;

import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.types.SortReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The times of work on sorted strings: a copy of them in order, next to a plain copy of as many bytes, and a list of
/// the different ones.
///
/// @param result takes the times
record AfterStringSort(Map<String, Object> result, Stopwatch stopwatch) {
    private static final Contender COPY = Contender.named("copy");

    /// Adds the time of a copy in order, which is the last phases of a sorted copy, and its share of the speed of a
    /// plain copy.
    ///
    /// @param sortedCopy    makes the copy, which is kept
    /// @param copyInPhases  does the same, with a sorter that times its phases
    /// @param plainCopy     puts a plain copy to the same place on the stream
    void putCopy(Runnable sortedCopy, Supplier<SortReport> copyInPhases, Runnable plainCopy) {
        Map<String, Object> copy = new LinkedHashMap<>();
        stopwatch.putPhases(copy, copyInPhases);
        Map<String, Object> phases = new LinkedHashMap<>();
        double millis = 0;
        for (Map.Entry<?, ?> phase : ((Map<?, ?>) copy.get("phaseMillis")).entrySet()) {
            if (((String) phase.getKey()).startsWith("copy: ")) {
                phases.put((String) phase.getKey(), phase.getValue());
                millis += (Double) phase.getValue();
            }
        }
        Map<Contender, Runnable> plain = new LinkedHashMap<>();
        plain.put(COPY, plainCopy);
        double plainMillis = Statistics.median(stopwatch.device(plain).get(COPY));
        // The plain copy has overwritten it.
        sortedCopy.run();
        result.put("copyPhaseMillis", phases);
        result.put("copyMillis", millis);
        result.put("plainCopyMillis", plainMillis);
        result.put("shareOfCopySpeed", plainMillis / millis);
    }

    /// Adds how many different strings there are and how long it takes to sort and list them.
    ///
    /// @param distinct sorts and lists, and returns how many there are
    /// @return how many there are
    long putDistinct(LongSupplier distinct) {
        long[] found = new long[1];
        Statistics.put(result, "distinctWall", stopwatch.wall(() -> found[0] = distinct.getAsLong()));
        result.put("distinct", found[0]);
        return found[0];
    }
}
