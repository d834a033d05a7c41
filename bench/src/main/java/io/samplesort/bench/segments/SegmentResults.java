package io.samplesort.bench.segments;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Statistics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Writes and prints what was measured.
///
/// @param clock `wall` or `device`
record SegmentResults(Results results, String clock) {
    /// @param more what else is known of the run
    void add(String system, SegmentInput input, double[] millis, boolean isRight, Map<String, Object> more) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("type", input.type().toString());
        result.put("lengths", input.lengths().toString());
        result.put("segments", input.offsets().segmentCount());
        result.put("count", (long) input.count());
        Statistics.put(result, clock, millis, input.count());
        result.putAll(more);
        result.put("verified", isRight);
        results.add(result);
        double median = Statistics.median(millis);
        System.out.printf(
                Locale.ROOT,
                "%-20s %-4s %-10s %9d segments of %10d  %8.2f Gkeys/s  %9.3f ms (%.3f to %.3f)%s%n",
                system,
                input.type(),
                input.lengths(),
                input.offsets().segmentCount(),
                input.count(),
                input.count() / median * 1e-6,
                median,
                (double) result.get(clock + "MillisMin"),
                (double) result.get(clock + "MillisMax"),
                isRight ? "" : "  WRONG");
    }
}
