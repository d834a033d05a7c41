package io.samplesort.bench.plot;

import io.samplesort.bench.results.Sizes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Rates in 10^9 elements a second, by row, system and count. A row is a type of elements or a job. Rows and systems
/// keep the order in which they came.
final class RateTable {
    private final Map<String, Map<String, NavigableMap<Long, Double>>> rates = new LinkedHashMap<>();

    /// Adds a rate. It replaces an earlier one of the same measurement.
    void put(String row, String system, long count, double rate) {
        rates.computeIfAbsent(row, absent -> new LinkedHashMap<>())
                .computeIfAbsent(system, absent -> new TreeMap<>())
                .put(count, rate);
    }

    Set<String> rows() {
        return rates.keySet();
    }

    /// Returns the rates of one row, by system and count.
    Map<String, NavigableMap<Long, Double>> curves(String row) {
        return rates.get(row);
    }

    /// Returns a rate; empty if it was not measured.
    OptionalDouble rate(String row, String system, long count) {
        Double rate = rates.get(row)
                .getOrDefault(system, Collections.emptyNavigableMap())
                .get(count);
        return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
    }

    /// Returns all systems of all rows.
    Set<String> systems() {
        Set<String> systems = new LinkedHashSet<>();
        rates.values().forEach(bySystem -> systems.addAll(bySystem.keySet()));
        return systems;
    }

    /// Returns all counts that were measured, ascending.
    SortedSet<Long> counts() {
        SortedSet<Long> counts = new TreeSet<>();
        rates.keySet().forEach(row -> counts.addAll(counts(row)));
        return counts;
    }

    /// Returns the counts that were measured for a row, ascending.
    SortedSet<Long> counts(String row) {
        SortedSet<Long> counts = new TreeSet<>();
        rates.get(row).values().forEach(byCount -> counts.addAll(byCount.keySet()));
        return counts;
    }

    /// Returns a Markdown table with a column for each system.
    ///
    /// @param heading what the rows are
    /// @param counts  the counts to show of each row
    String markdown(String heading, Collection<Long> counts) {
        Set<String> systems = systems();
        StringBuilder table = new StringBuilder("| " + heading + " | n |");
        systems.forEach(system -> table.append(' ').append(system).append(" |"));
        table.append("\n|---|---|").append("---|".repeat(systems.size())).append('\n');
        for (String row : rates.keySet()) {
            for (long count : counts) {
                List<String> cells = new ArrayList<>(List.of(row, Sizes.text(count)));
                for (String system : systems) {
                    OptionalDouble rate = rate(row, system, count);
                    cells.add(rate.isPresent() ? text(rate.getAsDouble()) : "");
                }
                if (counts(row).contains(count)) {
                    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
                }
            }
        }
        return table.toString();
    }

    /// Returns a rate with three digits.
    static String text(double rate) {
        return String.format(Locale.ROOT, rate < 9.995 ? "%.2f" : rate < 99.95 ? "%.1f" : "%.0f", rate);
    }
}
