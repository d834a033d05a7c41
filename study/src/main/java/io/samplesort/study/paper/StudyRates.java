package io.samplesort.study.paper;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The rates that the study has measured, in the unit of the paper: 10^6 elements a second. Wrong results have no rate.
final class StudyRates {
    /// Stands for the CPU in place of the ordinal of a GPU.
    static final int CPU = -1;

    private static final double MILLIONS_OF_GIGA = 1000;

    private final Map<Series, NavigableMap<Long, Double>> curves = new HashMap<>();
    private final Map<Series, Integer> refusals = new HashMap<>();
    private final NavigableSet<Integer> devices = new TreeSet<>();

    /// One system with one kind of input on one device.
    private record Series(int device, String system, String type, String distribution) {
        static Series of(Map<String, Object> result) {
            return new Series(
                    ((Number) result.getOrDefault("device", CPU)).intValue(),
                    (String) result.get("system"),
                    (String) result.get("type"),
                    (String) result.get("distribution"));
        }
    }

    private StudyRates() {}

    static StudyRates of(List<Map<String, Object>> results) {
        StudyRates rates = new StudyRates();
        results.forEach(rates::add);
        return rates;
    }

    private void add(Map<String, Object> result) {
        Series series = Series.of(result);
        if (result.containsKey("undefined")) {
            refusals.merge(series, 1, Integer::sum);
        }
        String key =
                result.containsKey("deviceGigaKeysPerSecond") ? "deviceGigaKeysPerSecond" : "wallGigaKeysPerSecond";
        if (result.containsKey(key) && Results.isTrue(result, "verified")) {
            curves.computeIfAbsent(series, absent -> new TreeMap<>())
                    .put(Results.count(result), Results.number(result, key) * MILLIONS_OF_GIGA);
            if (series.device != CPU) {
                devices.add(series.device);
            }
        }
    }

    /// Returns the ordinals of the GPUs that have rates, ascending.
    List<Integer> devices() {
        return List.copyOf(devices);
    }

    /// Returns the rate of a system by count; empty if it was not measured.
    ///
    /// @param device the ordinal of a GPU, or [#CPU]
    NavigableMap<Long, Double> curve(int device, String system, Subject subject, InputDistribution distribution) {
        return curves.getOrDefault(
                new Series(device, system, subject.toString(), distribution.toString()),
                Collections.emptyNavigableMap());
    }

    /// Returns the rate of a system on the first GPU by count; empty if it was not measured.
    NavigableMap<Long, Double> onFirstGpu(String system, Subject subject, InputDistribution distribution) {
        return devices.isEmpty()
                ? Collections.emptyNavigableMap()
                : curve(devices.first(), system, subject, distribution);
    }

    /// Returns at how many counts a system has refused such elements on the first GPU.
    int refusals(String system, Subject subject, InputDistribution distribution) {
        return devices.isEmpty()
                ? 0
                : refusals.getOrDefault(
                        new Series(devices.first(), system, subject.toString(), distribution.toString()), 0);
    }
}
