package io.samplesort.cli.tune;

import io.samplesort.types.Tuning;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/// Searches the fastest tuning: it changes one parameter after the other, and keeps a change that is clearly faster
/// than the best so far.
public final class TuningSearch {
    /// A tuning has to be faster by this much to count as faster: the same sort differs by less between two runs.
    public static final double MARGIN = 0.01;

    /// Compares two tunings.
    @FunctionalInterface
    public interface Comparison {
        /// Returns the time of a sort with the tuning `candidate`, in multiples of one with `best`; empty if the
        /// candidate does not fit the GPU.
        OptionalDouble time(Tuning candidate, Tuning best);
    }

    private final Tuning byDefault;
    private final Comparison comparison;
    private final Set<Tuning> tried = new HashSet<>();
    private Tuning best;

    public TuningSearch(Tuning byDefault, Comparison comparison) {
        this.byDefault = byDefault;
        this.comparison = comparison;
        this.best = byDefault;
        tried.add(byDefault);
    }

    /// Tries all values of a parameter.
    public void tryAll(TunedParameter parameter) {
        for (String candidate : parameter.candidates()) {
            tryOne(candidate);
        }
    }

    private void tryOne(String overrides) {
        Tuning candidate;
        try {
            candidate = best.with(overrides);
        } catch (IllegalArgumentException e) {
            // The value does not fit the current values of other parameters.
            return;
        }
        if (tried.add(candidate)) {
            OptionalDouble time = comparison.time(candidate, best);
            if (time.isPresent() && isFaster(time.getAsDouble())) {
                best = candidate;
            }
        }
    }

    private static boolean isFaster(double time) {
        return time < 1 - MARGIN;
    }

    /// Goes back to the default if the best is not clearly faster in another measurement, since the best of many is
    /// partly luck.
    ///
    /// @param time the time of a sort with the best, in multiples of one with the default
    public void confirm(double time) {
        if (!isFaster(time)) {
            best = byDefault;
        }
    }

    /// Returns the fastest tuning so far.
    public Tuning best() {
        return best;
    }

    /// Returns how many tunings were compared with the best so far, including those that did not fit.
    public int tried() {
        return tried.size() - 1;
    }

    /// Returns how the best differs from the default, in the form that [Tuning#with] reads; empty if it does not.
    public String overrides() {
        Map<String, Integer> changed = new LinkedHashMap<>(best.parameters());
        changed.entrySet().removeAll(byDefault.parameters().entrySet());
        return changed.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining(","));
    }

    /// Returns all parameters of the best that a search may change, in the same form. They stay the same if a later
    /// version has other defaults.
    public String values() {
        Set<String> searched = List.of(TunedParameter.values()).stream()
                .flatMap(parameter -> parameter.candidates().stream())
                .flatMap(candidate -> List.of(candidate.split(",")).stream())
                .map(assignment -> assignment.substring(0, assignment.indexOf('=')))
                .collect(Collectors.toSet());
        return best.parameters().entrySet().stream()
                .filter(parameter -> searched.contains(parameter.getKey()))
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining(","));
    }
}
