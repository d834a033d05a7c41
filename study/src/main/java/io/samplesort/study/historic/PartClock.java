package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Measures the device times of the parts of one sort, by events between them.
public final class PartClock implements AutoCloseable {
    private final Context context;
    private final List<Event> events = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    /// A part of a sort.
    public enum Part {
        /// Drawing and sorting samples.
        SPLITTERS,
        /// Counting, prefix sums and scattering.
        DISTRIBUTION,
        /// Sorting buckets by single blocks.
        BUCKETS,
        /// Copies, and waiting for the host.
        HOST
    }

    public PartClock(Context context) {
        this.context = context;
    }

    /// Marks the place in the stream where a part begins and the one before it ends.
    void mark(Stream stream, Part part) {
        if (parts.size() == events.size()) {
            events.add(Event.create(context, true));
        }
        events.get(parts.size()).record(stream);
        parts.add(part);
    }

    /// Returns the milliseconds of each part since the last call, summed over all levels. Waits for the last part to
    /// end.
    public Map<Part, Double> millis() {
        Map<Part, Double> millis = new EnumMap<>(Part.class);
        if (!parts.isEmpty()) {
            events.get(parts.size() - 1).synchronize();
        }
        for (int i = 0; i + 1 < parts.size(); i++) {
            millis.merge(parts.get(i), (double) Event.millisBetween(events.get(i), events.get(i + 1)), Double::sum);
        }
        parts.clear();
        return millis;
    }

    @Override
    public void close() {
        events.forEach(Event::close);
    }
}
