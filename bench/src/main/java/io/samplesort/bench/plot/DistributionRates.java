package io.samplesort.bench.plot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;

/// The rates of several sorts on several input distributions of one count.
///
/// @param count         elements of each input
/// @param gpu           where they were measured
/// @param distributions in the order of the results
/// @param columns       one a system and type, those of a system side by side
record DistributionRates(long count, String gpu, List<String> distributions, List<Column> columns) {
    private static final String REFERENCE = "uniform";

    /// What one system does with one type.
    ///
    /// @param rates 10^9 elements a second, by distribution
    record Column(String system, String type, Map<String, Double> rates) {
        /// The rate as a multiple of this column's rate on uniform input; empty if either is missing.
        OptionalDouble relative(String distribution) {
            Double rate = rates.get(distribution);
            Double reference = rates.get(REFERENCE);
            return rate == null || reference == null ? OptionalDouble.empty() : OptionalDouble.of(rate / reference);
        }
    }

    /// One for each count that has several distributions, ascending. What has been measured on one distribution alone
    /// is left out; of repeated measurements the last counts.
    ///
    /// @param results of `bench gpu`
    static List<DistributionRates> of(List<Map<String, Object>> results) {
        Map<Long, Map<String, Map<String, Map<String, Double>>>> byCount = new TreeMap<>();
        Map<Long, String> gpus = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            long count = ((Number) result.get("count")).longValue();
            gpus.put(count, (String) result.getOrDefault("gpu", ""));
            byCount.computeIfAbsent(count, k -> new LinkedHashMap<>())
                    .computeIfAbsent((String) result.get("system"), k -> new LinkedHashMap<>())
                    .computeIfAbsent((String) result.get("type"), k -> new LinkedHashMap<>())
                    .put(
                            (String) result.get("distribution"),
                            ((Number) result.get("deviceGigaKeysPerSecond")).doubleValue());
        }
        List<DistributionRates> all = new ArrayList<>();
        byCount.forEach((count, bySystem) -> {
            List<Column> columns = new ArrayList<>();
            Set<String> distributions = new LinkedHashSet<>();
            bySystem.forEach((system, byType) -> byType.forEach((type, rates) -> {
                if (rates.size() > 1) {
                    columns.add(new Column(system, type, rates));
                    distributions.addAll(rates.keySet());
                }
            }));
            if (!columns.isEmpty()) {
                all.add(new DistributionRates(count, gpus.get(count), List.copyOf(distributions), columns));
            }
        });
        return all;
    }
}
