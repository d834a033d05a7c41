package io.samplesort.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A mark in a stream, to wait for or to take the time at.
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

    /// @param timing whether the event takes the time
    public static Event create(Context context, boolean timing) {
        Driver driver = context.driver();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_LONG);
            int flags = timing ? DEFAULT : DISABLE_TIMING;
            driver.call("cuEventCreate", () -> (int) driver.eventCreate.invokeExact(out, flags));
            return new Event(driver, out.get(JAVA_LONG, 0));
        }
    }

    /// Marks the present end of the stream.
    public void record(Stream stream) {
        long event = handle();
        long streamHandle = stream.handle();
        driver.call("cuEventRecord", () -> (int) driver.eventRecord.invokeExact(event, streamHandle));
    }

    /// Waits until the stream has come past the mark; returns at once if there is none.
    public void synchronize() {
        long event = handle();
        driver.call("cuEventSynchronize", () -> (int) driver.eventSynchronize.invokeExact(event));
    }

    /// Milliseconds between two marks that the stream has passed.
    public static float millisBetween(Event begin, Event end) {
        Driver driver = begin.driver;
        long first = begin.handle();
        long last = end.handle();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(JAVA_FLOAT);
            driver.call("cuEventElapsedTime", () -> (int) driver.eventElapsedTime.invokeExact(out, first, last));
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
        driver.call("cuEventDestroy", () -> (int) driver.eventDestroy.invokeExact(handle));
    }
}
