package io.samplesort.study.ablation;

import io.samplesort.bench.plot.Picture;
import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The results of one parameter on one input, and their pictures. Wrong results are left out.
final class AblationFigures {
    private static final double MILLIONS_OF_GIGA = 1000;
    private static final String SPLITTERS = "splitters";
    private static final String DISTRIBUTION = "distribution";
    private static final String BUCKETS = "sorting buckets";
    private static final String REST = "rest";
    private static final List<String> PARTS = List.of(SPLITTERS, DISTRIBUTION, BUCKETS, REST);
    private static final String USUAL_INPUT = "uniform";

    private final Knob knob;
    private final String input;
    private final String place;
    private final Map<String, NavigableMap<Long, Double>> rates = new LinkedHashMap<>();
    private final Map<String, Long> defaults = new LinkedHashMap<>();
    private final Map<String, NavigableMap<Long, Map<String, Double>>> parts = new LinkedHashMap<>();

    private AblationFigures(Knob knob, String input, String place) {
        this.knob = knob;
        this.input = input;
        this.place = place;
    }

    /// Returns the results of each parameter on each input, by the names of their pictures.
    static Map<String, AblationFigures> of(List<Map<String, Object>> results) {
        Map<String, AblationFigures> all = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            if (Results.isTrue(result, "verified") && result.containsKey("deviceGigaKeysPerSecond")) {
                Knob knob = Knob.parse((String) result.get("parameter"));
                String input = (String) result.get("distribution");
                String name = knob.system() + "-" + knob + (input.equals(USUAL_INPUT) ? "" : "-" + input);
                all.computeIfAbsent(name, absent -> new AblationFigures(knob, input, place(result)))
                        .add(result);
            }
        }
        return all;
    }

    /// Returns the pictures by name: the rates of each parameter on each input, and where the time goes for the first
    /// type.
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
        String count = Sizes.text(Results.count(result)) + " elements";
        return result.containsKey("gpu") ? count + ", " + result.get("gpu") : count;
    }

    private void add(Map<String, Object> result) {
        String type = (String) result.get("type");
        long value = ((Number) result.get("value")).longValue();
        double rate = Results.number(result, "deviceGigaKeysPerSecond") * MILLIONS_OF_GIGA;
        rates.computeIfAbsent(type, absent -> new TreeMap<>()).put(value, rate);
        if (Results.isTrue(result, "isDefault")) {
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

    /// Returns the part that a phase belongs to. Both sorts have the same parts.
    private static String part(String phase) {
        return switch (phase) {
            case "splitters", "select_splitters" -> SPLITTERS;
            case "distribution", "count_buckets", "scan_counts", "scatter" -> DISTRIBUTION;
            case "buckets", "small_sort", "merge_sort" -> BUCKETS;
            default -> REST;
        };
    }

    Knob knob() {
        return knob;
    }

    /// Returns the name of the input distribution.
    String input() {
        return input;
    }

    /// Returns the count and the GPU, in words.
    String place() {
        return place;
    }

    /// Returns 10^6 elements a second by value, by type.
    Map<String, NavigableMap<Long, Double>> rates() {
        return rates;
    }

    /// Returns the default value of each type.
    Map<String, Long> defaults() {
        return defaults;
    }

    /// Returns milliseconds by part, by value, by type.
    Map<String, NavigableMap<Long, Map<String, Double>>> parts() {
        return parts;
    }
}
