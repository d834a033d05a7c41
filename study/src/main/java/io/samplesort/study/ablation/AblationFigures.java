package io.samplesort.study.ablation;

import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.results.Sizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The results of one parameter on one input, and the pictures of them. Wrong results are left out.
///
/// @param knob     the parameter
/// @param input    the input distribution
/// @param place    count and GPU, in words
/// @param rates    10^6 elements a second by value, by type
/// @param defaults the value of the default, by type
/// @param parts    milliseconds by part, by value, by type; both sorts have the same parts
record AblationFigures(
        Knob knob,
        String input,
        String place,
        Map<String, NavigableMap<Long, Double>> rates,
        Map<String, Long> defaults,
        Map<String, NavigableMap<Long, Map<String, Double>>> parts) {
    private static final double MILLIONS_OF_GIGA = 1000;
    private static final String SPLITTERS = "splitters";
    private static final String DISTRIBUTION = "distribution";
    private static final String BUCKETS = "sorting buckets";
    private static final String REST = "rest";
    private static final List<String> PARTS = List.of(SPLITTERS, DISTRIBUTION, BUCKETS, REST);
    private static final String USUAL_INPUT = "uniform";

    /// By the names of their pictures.
    static Map<String, AblationFigures> of(List<Map<String, Object>> results) {
        Map<String, AblationFigures> all = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            if (Boolean.TRUE.equals(result.get("verified")) && result.containsKey("deviceGigaKeysPerSecond")) {
                Knob knob = Knob.parse((String) result.get("parameter"));
                String input = (String) result.get("distribution");
                String name = knob.system() + "-" + knob + (input.equals(USUAL_INPUT) ? "" : "-" + input);
                all.computeIfAbsent(
                                name,
                                absent -> new AblationFigures(
                                        knob,
                                        input,
                                        place(result),
                                        new LinkedHashMap<>(),
                                        new LinkedHashMap<>(),
                                        new LinkedHashMap<>()))
                        .add(result);
            }
        }
        return all;
    }

    /// The pictures by name: the rates of each parameter on each input, and where the time goes for the first type.
    static Map<String, Picture> pictures(List<Map<String, Object>> results) {
        Map<String, Picture> pictures = new LinkedHashMap<>();
        of(results).forEach((name, figures) -> {
            pictures.put(name, ParameterChart.ofRates(figures));
            figures.parts.keySet().stream()
                    .findFirst()
                    .ifPresent(type -> pictures.put(name + "-parts", ParameterChart.ofParts(figures, type)));
        });
        return pictures;
    }

    private static String place(Map<String, Object> result) {
        String count = Sizes.text(((Number) result.get("count")).longValue()) + " elements";
        return result.containsKey("gpu") ? count + ", " + result.get("gpu") : count;
    }

    private void add(Map<String, Object> result) {
        String type = (String) result.get("type");
        long value = ((Number) result.get("value")).longValue();
        double rate = ((Number) result.get("deviceGigaKeysPerSecond")).doubleValue() * MILLIONS_OF_GIGA;
        rates.computeIfAbsent(type, absent -> new TreeMap<>()).put(value, rate);
        if (Boolean.TRUE.equals(result.get("isDefault"))) {
            defaults.put(type, value);
        }
        if (result.get("phaseMillis") instanceof Map<?, ?> phases) {
            Map<String, Double> millis = new LinkedHashMap<>();
            PARTS.forEach(part -> millis.put(part, 0.0));
            phases.forEach(
                    (phase, time) -> millis.merge(part((String) phase), ((Number) time).doubleValue(), Double::sum));
            parts.computeIfAbsent(type, absent -> new TreeMap<>()).put(value, millis);
        }
    }

    /// The part that a phase of either sort belongs to.
    private static String part(String phase) {
        return switch (phase) {
            case "splitters", "select_splitters" -> SPLITTERS;
            case "distribution", "count_buckets", "scan_counts", "scatter" -> DISTRIBUTION;
            case "buckets", "small_sort", "merge_sort" -> BUCKETS;
            default -> REST;
        };
    }
}
