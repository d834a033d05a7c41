package io.samplesort.bench.select;

import io.samplesort.bench.results.Sizes;
import io.samplesort.bench.results.Statistics;
import io.samplesort.testkit.KeyType;
import java.util.LinkedHashMap;
import java.util.Map;

/// One measurement of this benchmark.
///
/// @param system whose selection it is
/// @param what   what is selected
record Selection(String system, KeyType key, long count, String what) {
    /// Returns what is selected where the first `k` are.
    static String first(long k) {
        return "first " + (k == 1 ? "1" : Sizes.text(k));
    }

    /// Returns the result.
    Map<String, Object> result(double[] millis, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("type", key.toString());
        result.put("distribution", "uniform");
        result.put("count", count);
        result.put("what", what);
        Statistics.put(result, "wall", millis, count);
        result.put("inputGigabytesPerSecond", count * (double) key.byteSize() / Statistics.median(millis) * 1e-6);
        result.put("verified", isRight);
        return result;
    }
}
