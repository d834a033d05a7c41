package io.samplesort.lines;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Lines that are open, for tests that close them.
public final class OpenLines {
    private OpenLines() {}

    /// Returns lines that are held in memory.
    public static AutoCloseable held() throws IOException {
        // Files are needed only for lines that do not fit.
        HeldLines held = new HeldLines(16, null);
        held.append(MemorySegment.ofArray(new byte[5]));
        return held;
    }
}
