package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Times the phases of a sort by events between the kernels. A disabled timer records nothing.
public final class PhaseTimer implements AutoCloseable {
    private static final PhaseTimer NONE = new PhaseTimer(null, null);

    private final Context context;
    private final Stream stream;
    private final List<String> names = new ArrayList<>();
    private final List<Event> begins = new ArrayList<>();
    private final Owned owned = new Owned();
    private String prefix = "";

    private PhaseTimer(Context context, Stream stream) {
        this.context = context;
        this.stream = stream;
    }

    public static PhaseTimer create(Context context, Stream stream, boolean enabled) {
        return enabled ? new PhaseTimer(context, stream) : NONE;
    }

    public static PhaseTimer none() {
        return NONE;
    }

    boolean isOn() {
        return context != null;
    }

    /// Makes the names of all further phases begin with this name, for sorts that consist of several parts.
    public void part(String name) {
        if (context != null) {
            prefix = name + ": ";
        }
    }

    /// Begins a phase and ends the one before it.
    public void phase(String name) {
        if (context != null) {
            names.add(name.isEmpty() ? name : prefix + name);
            Event event = owned.add(Event.create(context, true));
            begins.add(event);
            event.record(stream);
        }
    }

    /// Ends the last phase.
    public void end() {
        phase("");
    }

    /// Returns the times of all phases; the times of phases of the same name are added up. The stream must have passed
    /// the end.
    List<SortReport.Phase> phases() {
        if (context == null) {
            return List.of();
        }
        Map<String, Double> millis = new LinkedHashMap<>();
        for (int i = 0; i + 1 < begins.size(); i++) {
            if (!names.get(i).isEmpty()) {
                millis.merge(names.get(i), (double) Event.millisBetween(begins.get(i), begins.get(i + 1)), Double::sum);
            }
        }
        return millis.entrySet().stream()
                .map(e -> new SortReport.Phase(e.getKey(), Duration.ofNanos(Math.round(e.getValue() * 1e6))))
                .toList();
    }

    @Override
    public void close() {
        owned.close();
    }
}
