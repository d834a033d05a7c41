package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A mark in a stream. Threads and streams can wait for it, and the time between two marks can be measured.
public final class Event implements AutoCloseable {
    private static final int DEFAULT = 0;
    private static final int DISABLE_TIMING = 2;

    private final Driver driver;
    private final long handle;
    private boolean closed;

    private Event(Driver driver, long handle) {
        this.driver = driver;
        this.handle = handle;
    }

    /// Makes an event, which has not been recorded yet.
    ///
    /// @param timing whether the event records the time
    public static Event create(Context context, boolean timing) {
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            driver.eventCreate.call(address(out), timing ? DEFAULT : DISABLE_TIMING);
            return new Event(driver, out.get(JAVA_LONG, 0));
        }
    }

    /// Marks the end of the work that is on the stream now.
    public void record(Stream stream) {
        driver.eventRecord.call(handle(), stream.handle());
    }

    /// Waits until the stream has passed the mark; returns at once if the event has not been recorded.
    public void synchronize() {
        driver.eventSynchronize.call(handle());
    }

    /// Returns the milliseconds between two marks that the stream has passed.
    public static float millisBetween(Event begin, Event end) {
        Driver driver = begin.driver;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_FLOAT);
            driver.eventElapsedTime.call(address(out), begin.handle(), end.handle());
            return out.get(JAVA_FLOAT, 0);
        }
    }

    long handle() {
        if (closed) {
            throw new IllegalStateException("this Event is closed");
        }
        return handle;
    }

    /// Destroys the event. A second call does nothing.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        driver.eventDestroy.call(handle);
    }
}
