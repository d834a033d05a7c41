package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Device times of the parts of one sort, by events between them.
public final class PartClock implements AutoCloseable {
    private final Context context;
    private final List<Event> events = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    /// What a sort consists of.
    public enum Part {
        /// Samples, sorted.
        SPLITTERS,
        /// Counts, prefix sums and scatters.
        DISTRIBUTION,
        /// The sorts of single blocks.
        BUCKETS,
        /// None of these: copies, and waiting for the host.
        HOST
    }

    public PartClock(Context context) {
        this.context = context;
    }

    /// A part begins here in the stream, and the one before ends.
    void mark(Stream stream, Part part) {
        if (parts.size() == events.size()) {
            events.add(Event.create(context, true));
        }
        events.get(parts.size()).record(stream);
        parts.add(part);
    }

    /// The milliseconds of each part since the last time this was asked, those of several levels added up; waits for
    /// the last one to end.
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
