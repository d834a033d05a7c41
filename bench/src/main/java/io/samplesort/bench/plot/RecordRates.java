package io.samplesort.bench.plot;

import io.samplesort.bench.results.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rates of `bench records` on one input.
///
/// @param input how the first compared field was drawn
/// @param gpu   where the rates were measured
/// @param rates a row for each job
record RecordRates(String input, String gpu, RateTable rates) {
    /// Returns the rates of each input.
    ///
    /// @param results of any benchmark; those that are not of `bench records` are left out
    static List<RecordRates> of(List<Map<String, Object>> results) {
        Map<String, RecordRates> byInput = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            // Results of `bench files` have jobs, too, but no input.
            if (result.containsKey("job") && result.containsKey("input")) {
                byInput.computeIfAbsent(
                                (String) result.get("input"),
                                input -> new RecordRates(
                                        input, (String) result.getOrDefault("gpu", ""), new RateTable()))
                        .rates
                        .put(
                                (String) result.get("job"),
                                (String) result.get("system"),
                                Results.count(result),
                                Results.number(result, "deviceGigaElementsPerSecond"));
            }
        }
        return new ArrayList<>(byInput.values());
    }

    /// Returns the largest count that was measured for a job.
    long largestCount(String job) {
        return rates.counts(job).last();
    }
}
