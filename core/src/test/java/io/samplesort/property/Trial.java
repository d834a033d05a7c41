package io.samplesort.property;

import io.samplesort.types.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// One sort with its input, as plain values. The text of a trial is one line from which [#parse] makes it again.
///
/// @param engine    `cpu`, `tiny` for the CPU engine with buckets of a few elements, or `gpu`
/// @param operation `sort`, `argsort`, `copy`, or `file` for a sort of files
/// @param type      of the elements, as [TrialType] reads it
/// @param order     as [TrialType#order] reads it
/// @param stable    whether the sorter is stable
/// @param payloads  types of the payloads
/// @param memory    `heap`, `native`, `confined` or `mapped`; or not aligned: `bytes` for an array of bytes, `shifted`
///     for an array of the elements' type, and `odd` for native memory
/// @param margin    elements on both sides that the sort must leave alone
/// @param size      elements to sort
/// @param values    how many different values a field takes; 0 for any bits
/// @param shape     `random`, `sorted`, `reversed` or `nearly`, for sorted but for a few elements; or of values a
///     [io.samplesort.testkit.KeyShape] and a [io.samplesort.testkit.KeyArrangement] with a slash between them
/// @param seed      of the elements
public record Trial(
        String engine,
        String operation,
        String type,
        String order,
        boolean stable,
        List<String> payloads,
        String memory,
        int margin,
        int size,
        int values,
        String shape,
        long seed) {

    /// Returns the trial of that text.
    public static Trial parse(String text) {
        Map<String, String> parts = new LinkedHashMap<>();
        for (String part : text.trim().split("\\s+")) {
            int equals = part.indexOf('=');
            parts.put(part.substring(0, equals), part.substring(equals + 1));
        }
        String payloads = parts.get("payloads");
        return new Trial(
                parts.get("engine"),
                parts.get("operation"),
                parts.get("type"),
                parts.get("order"),
                Boolean.parseBoolean(parts.get("stable")),
                payloads.isEmpty() ? List.of() : Arrays.asList(payloads.split(";")),
                parts.get("memory"),
                Integer.parseInt(parts.get("margin")),
                Integer.parseInt(parts.get("size")),
                Integer.parseInt(parts.get("values")),
                parts.get("shape"),
                Long.parseLong(parts.get("seed")));
    }

    @Override
    public String toString() {
        return "engine=" + engine + " operation=" + operation + " type=" + type + " order=" + order + " stable="
                + stable + " payloads=" + String.join(";", payloads) + " memory=" + memory + " margin=" + margin
                + " size=" + size + " values=" + values + " shape=" + shape + " seed=" + seed;
    }

    /// Returns the types and the order as the library takes them.
    ///
    /// @throws IllegalArgumentException if the order is not for the type
    TrialType elements() {
        TrialType parsed = TrialType.parse(type);
        Order parsedOrder = parsed.order(order);
        parsedOrder.checkApplicableTo(parsed.type());
        return parsed;
    }

    /// Returns simpler trials, the boldest simplifications first.
    public Stream<Trial> simpler() {
        List<Trial> trials = new ArrayList<>();
        for (int fewer : new int[] {0, size / 2, size - size / 4, size - 1}) {
            if (fewer >= 0 && fewer < size) {
                trials.add(with("size", fewer));
            }
        }
        for (int i = 0; i < payloads.size(); i++) {
            int dropped = i;
            trials.add(with(
                    "payloads",
                    IntStream.range(0, payloads.size())
                            .filter(j -> j != dropped)
                            .mapToObj(payloads::get)
                            .collect(Collectors.joining(";"))));
        }
        trials.add(with("operation", "sort"));
        trials.add(with("stable", false));
        trials.add(with("margin", 0));
        trials.add(with("memory", "heap"));
        trials.add(with("shape", "random"));
        trials.addAll(simplerTypes());
        for (int fewer : new int[] {1, 2, 3}) {
            if (values == 0 || fewer < values) {
                trials.add(with("values", fewer));
            }
        }
        for (long smaller : new long[] {0, 1, 2}) {
            if (smaller < seed || seed < 0) {
                trials.add(with("seed", smaller));
            }
        }
        return trials.stream().filter(trial -> !trial.equals(this)).filter(Trial::isValid);
    }

    private List<Trial> simplerTypes() {
        List<Trial> trials = new ArrayList<>();
        List<String> terms = Arrays.asList(order.split(","));
        for (int i = 0; i < terms.size(); i++) {
            int place = i;
            if (terms.size() > 1) {
                trials.add(with("order", joined(terms, place, null)));
            }
            for (String suffix : new String[] {"[fl]\\d+$", "-", "u", "c"}) {
                trials.add(with("order", joined(terms, place, terms.get(place).replaceFirst(suffix, ""))));
            }
        }
        if (type.startsWith("{")) {
            List<String> fields =
                    Arrays.asList(type.substring(1, type.length() - 1).split(","));
            for (int i = 0; i < fields.size(); i++) {
                int last = fields.size() - 1;
                if (i == last && last > 0) {
                    trials.add(with("type", "{" + joined(fields, i, null) + "}"));
                }
                for (String simple : new String[] {"i8", "i32"}) {
                    // An i32 is no simplification of an i8.
                    if (!fields.get(i).equals("i8")) {
                        trials.add(with("type", "{" + joined(fields, i, simple) + "}"));
                    }
                }
            }
        }
        return trials;
    }

    private static String joined(List<String> parts, int place, String replacement) {
        List<String> changed = new ArrayList<>(parts);
        if (replacement == null) {
            changed.remove(place);
        } else {
            changed.set(place, replacement);
        }
        return String.join(",", changed);
    }

    private boolean isValid() {
        try {
            elements();
            boolean hasShape = !shape.contains("/") || !type.startsWith("{");
            return hasShape && (operation.equals("sort") || operation.equals("file") || payloads.isEmpty());
        } catch (RuntimeException e) {
            return false;
        }
    }

    /// Returns the same trial with another value of one component.
    private Trial with(String component, Object value) {
        return parse(toString().replaceFirst("\\b" + component + "=\\S*", component + "=" + value));
    }
}
