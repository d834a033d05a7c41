package io.samplesort.study.paper;

import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The rates that the study has measured, in the paper's unit: 10^6 elements a second. Wrong results have none.
///
/// @param devices ordinals of the GPUs, ascending
/// @param rates   by device, type, distribution and system; the CPU's under [#CPU]
/// @param refused what systems have refused on the first GPU: type, distribution and system, once for each count
record StudyRates(
        List<Integer> devices,
        Map<Integer, Map<String, Map<String, Map<String, NavigableMap<Long, Double>>>>> rates,
        List<List<String>> refused) {
    static final int CPU = -1;

    private static final double MILLIONS_OF_GIGA = 1000;

    static StudyRates of(List<Map<String, Object>> results) {
        Map<Integer, Map<String, Map<String, Map<String, NavigableMap<Long, Double>>>>> rates = new TreeMap<>();
        for (Map<String, Object> result : results) {
            Object rate = result.getOrDefault("deviceGigaKeysPerSecond", result.get("wallGigaKeysPerSecond"));
            if (rate == null || !Boolean.TRUE.equals(result.get("verified"))) {
                continue;
            }
            rates.computeIfAbsent(((Number) result.getOrDefault("device", CPU)).intValue(), k -> new LinkedHashMap<>())
                    .computeIfAbsent((String) result.get("type"), k -> new LinkedHashMap<>())
                    .computeIfAbsent((String) result.get("distribution"), k -> new LinkedHashMap<>())
                    .computeIfAbsent((String) result.get("system"), k -> new TreeMap<>())
                    .put(((Number) result.get("count")).longValue(), ((Number) rate).doubleValue() * MILLIONS_OF_GIGA);
        }
        List<Integer> devices =
                rates.keySet().stream().filter(device -> device != CPU).toList();
        List<List<String>> refused = results.stream()
                .filter(result -> result.containsKey("undefined") && devices.indexOf(result.get("device")) == 0)
                .map(result -> List.of((String) result.get("type"), (String) result.get("distribution"), (String)
                        result.get("system")))
                .toList();
        return new StudyRates(devices, rates, refused);
    }

    /// The rate by count, by system, of one device.
    Map<String, NavigableMap<Long, Double>> of(int device, Subject subject, InputDistribution distribution) {
        return rates.getOrDefault(device, Map.of())
                .getOrDefault(subject.toString(), Map.of())
                .getOrDefault(distribution.toString(), Map.of());
    }

    /// The rate by count of one system on the first GPU; empty where it was not measured.
    NavigableMap<Long, Double> onFirstGpu(String system, Subject subject, InputDistribution distribution) {
        return devices.isEmpty()
                ? new TreeMap<>()
                : of(devices.getFirst(), subject, distribution).getOrDefault(system, new TreeMap<>());
    }

    /// At how many counts a system has refused such elements on the first GPU.
    long refusals(String system, Subject subject, InputDistribution distribution) {
        List<String> key = List.of(subject.toString(), distribution.toString(), system);
        return refused.stream().filter(key::equals).count();
    }
}
