package io.samplesort.lines.runs;

import io.samplesort.disk.TemporaryFile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Writes sorted runs to several temporary files in turn, so that several disks share the work.
public final class RunWriters {
    private final List<RunWriter> writers = new ArrayList<>();
    private final List<LineRun> runs = new ArrayList<>();

    /// @param moved is called with the bytes that were written
    public RunWriters(List<TemporaryFile> files, LongConsumer moved) {
        for (TemporaryFile file : files) {
            writers.add(new RunWriter(file, moved));
        }
    }

    /// Begins the next run. The caller writes all of its lines and ends it with [#end].
    public RunWriter begin() {
        RunWriter writer = current();
        writer.begin();
        return writer;
    }

    /// Ends the run that was begun last.
    public void end() {
        runs.add(current().end());
    }

    private RunWriter current() {
        return writers.get(runs.size() % writers.size());
    }

    /// Returns the bytes of all runs.
    public long byteSize() {
        return runs.stream().mapToLong(LineRun::byteSize).sum();
    }

    /// Returns the runs in the order in which they were written.
    public List<LineRun> runs() {
        return runs;
    }
}
