package io.samplesort.bench.plot;

import io.samplesort.bench.results.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The rates of several sorts on several input distributions of one count.
///
/// @param count         elements of each input
/// @param gpu           where the rates were measured
/// @param distributions in the order of the results
/// @param columns       one for each system and type; those of one system stand side by side
record DistributionRates(long count, String gpu, List<String> distributions, List<Column> columns) {
    private static final String REFERENCE = "uniform";

    /// The rates of one system on one type.
    ///
    /// @param rates 10^9 elements a second, by distribution
    record Column(String system, String type, Map<String, Double> rates) {
        /// Returns the rate as a multiple of this column's rate on uniform input; empty if either is missing.
        OptionalDouble relative(String distribution) {
            Double rate = rates.get(distribution);
            Double reference = rates.get(REFERENCE);
            return rate == null || reference == null ? OptionalDouble.empty() : OptionalDouble.of(rate / reference);
        }
    }

    /// Returns the rates of each count at which several distributions were measured, ascending. Systems and types that
    /// were measured on only one distribution are left out. If a measurement is repeated, the last one counts.
    ///
    /// @param results of `bench gpu`
    static List<DistributionRates> of(List<Map<String, Object>> results) {
        SortedMap<Long, List<Map<String, Object>>> byCount =
                results.stream().collect(Collectors.groupingBy(Results::count, TreeMap::new, Collectors.toList()));
        List<DistributionRates> all = new ArrayList<>();
        byCount.forEach((count, ofCount) -> {
            DistributionRates rates = ofOneCount(count, ofCount);
            if (!rates.columns.isEmpty()) {
                all.add(rates);
            }
        });
        return all;
    }

    private static DistributionRates ofOneCount(long count, List<Map<String, Object>> results) {
        Map<String, Map<String, Column>> bySystem = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            String system = (String) result.get("system");
            bySystem.computeIfAbsent(system, absent -> new LinkedHashMap<>())
                    .computeIfAbsent(
                            (String) result.get("type"), type -> new Column(system, type, new LinkedHashMap<>()))
                    .rates
                    .put((String) result.get("distribution"), Results.number(result, "deviceGigaKeysPerSecond"));
        }
        List<Column> columns = bySystem.values().stream()
                .flatMap(byType -> byType.values().stream())
                .filter(column -> column.rates.size() > 1)
                .toList();
        Set<String> distributions = new LinkedHashSet<>();
        columns.forEach(column -> distributions.addAll(column.rates.keySet()));
        String gpu = (String) results.getLast().getOrDefault("gpu", "");
        return new DistributionRates(count, gpu, List.copyOf(distributions), columns);
    }
}
