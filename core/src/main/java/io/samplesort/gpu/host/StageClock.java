package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Measures the time of one stage of a pipeline on the device, by pairs of events around its pieces of work, which are
/// all on one stream. A disabled clock makes no events.
public final class StageClock implements AutoCloseable {
    private static final StageClock NONE = new StageClock(null, "");

    private final Context context;
    private final String name;
    private final List<Event> begins = new ArrayList<>();
    private final List<Event> ends = new ArrayList<>();
    private final Owned owned = new Owned();
    private long bytes;

    private StageClock(Context context, String name) {
        this.context = context;
        this.name = name;
    }

    /// Makes a clock, which is disabled unless `enabled`.
    public static StageClock create(Context context, String name, boolean enabled) {
        return enabled ? new StageClock(context, name) : NONE;
    }

    static StageClock none() {
        return NONE;
    }

    /// Marks the begin of a piece of work.
    public synchronized void begin(Stream stream) {
        mark(begins, stream);
    }

    /// Marks the end of the oldest piece of work that has not ended.
    public synchronized void end(Stream stream, long pieceBytes) {
        bytes += pieceBytes;
        mark(ends, stream);
    }

    private void mark(List<Event> events, Stream stream) {
        if (context != null) {
            Event event = owned.add(Event.create(context, true));
            event.record(stream);
            events.add(event);
        }
    }

    /// Returns what the stage did. Its stream must have passed the last end.
    public synchronized SortReport.Stage stage() {
        // Pieces may overlap: one may begin before the last copies of its predecessor are on the stream.
        double busy = 0;
        double span = 0;
        for (int i = 0; i < ends.size(); i++) {
            double begin = Math.max(span, Event.millisBetween(begins.getFirst(), begins.get(i)));
            double end = Math.max(span, Event.millisBetween(begins.getFirst(), ends.get(i)));
            busy += Math.max(0, end - begin);
            span = end;
        }
        return new SortReport.Stage(name, bytes, millis(busy), millis(Math.max(0, span - busy)));
    }

    private static Duration millis(double millis) {
        return Duration.ofNanos(Math.round(millis * 1e6));
    }

    @Override
    public void close() {
        owned.close();
    }
}
