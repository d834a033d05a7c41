package io.samplesort.bench.plot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The rates of several sorts on the jobs of `bench records`, drawn in one way.
///
/// @param input how the first compared field was drawn
/// @param gpu   where they were measured
/// @param rates 10^9 elements a second, by job, system and count
record RecordRates(String input, String gpu, Map<String, Map<String, TreeMap<Long, Double>>> rates) {
    /// One for each input; of repeated measurements the last counts.
    ///
    /// @param results of any benchmark; what is not of `bench records` is left out
    static List<RecordRates> of(List<Map<String, Object>> results) {
        Map<String, RecordRates> byInput = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            // Those of `bench files` have jobs, too, and no input.
            if (result.containsKey("job") && result.containsKey("input")) {
                byInput.computeIfAbsent(
                                (String) result.get("input"),
                                input -> new RecordRates(
                                        input, (String) result.getOrDefault("gpu", ""), new LinkedHashMap<>()))
                        .rates
                        .computeIfAbsent((String) result.get("job"), k -> new LinkedHashMap<>())
                        .computeIfAbsent((String) result.get("system"), k -> new TreeMap<>())
                        .put(
                                ((Number) result.get("count")).longValue(),
                                ((Number) result.get("deviceGigaElementsPerSecond")).doubleValue());
            }
        }
        return new ArrayList<>(byInput.values());
    }

    /// All systems, in the order of the results.
    Set<String> systems() {
        Set<String> systems = new LinkedHashSet<>();
        rates.values().forEach(bySystem -> systems.addAll(bySystem.keySet()));
        return systems;
    }

    /// All counts that were measured, ascending.
    SortedSet<Long> counts() {
        SortedSet<Long> counts = new TreeSet<>();
        rates.values().forEach(bySystem -> bySystem.values().forEach(byCount -> counts.addAll(byCount.keySet())));
        return counts;
    }

    /// The largest count that was measured of a job.
    long largestCount(String job) {
        return rates.get(job).values().stream()
                .mapToLong(TreeMap::lastKey)
                .max()
                .orElseThrow();
    }
}
