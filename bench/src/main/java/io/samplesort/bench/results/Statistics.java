package io.samplesort.bench.results;

import java.util.Arrays;
import java.util.Map;

/// The statistics of repeated measurements in results.
public final class Statistics {
    private Statistics() {}

    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// Adds the median, the shortest and the longest time, and the rate at the median.
    ///
    /// @param prefix the name of the clock: `device` or `wall`
    public static void put(Map<String, Object> result, String prefix, double[] millis, double count) {
        put(result, prefix, "GigaKeysPerSecond", millis, count);
    }

    /// Does the same with a rate in another unit.
    ///
    /// @param rate the unit of the rate, such as `GigaElementsPerSecond`
    public static void put(Map<String, Object> result, String prefix, String rate, double[] millis, double count) {
        put(result, prefix, millis);
        result.put(prefix + rate, count / median(millis) * 1e-6);
    }

    /// Adds the times without a rate.
    public static void put(Map<String, Object> result, String prefix, double[] millis) {
        result.put(prefix + "MillisMedian", median(millis));
        result.put(prefix + "MillisMin", Arrays.stream(millis).min().orElseThrow());
        result.put(prefix + "MillisMax", Arrays.stream(millis).max().orElseThrow());
        result.put("repetitions", millis.length);
    }
}
