package io.samplesort.lines;

import io.samplesort.disk.FileLimit;
import io.samplesort.disk.TemporaryFile;
import io.samplesort.files.types.FileListener;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.runs.LineCursor;
import io.samplesort.lines.runs.LineMerge;
import io.samplesort.lines.runs.MergePlan;
import io.samplesort.lines.runs.RangeComparison;
import io.samplesort.lines.runs.RunWriters;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// One merge of inputs that are sorted already. If they are too many to be open at once, or to have room in the memory,
/// they are merged in rounds, as with `--batch-size` of GNU's sort.
public final class ExternalLineMerge {
    /// Most systems let every process open this many files and a few more.
    private static final int MOST_OPEN = 200;

    /// A large input is open twice, to be read through the system's cache of files and past it.
    private static final int OPEN_BY_INPUT = 2;

    private static final int LARGEST_BLOCK = 256 << 10;

    private final LineJob job;
    private final FileListener listener;
    private final LineProgress progress;
    private final PhaseClock clock = new PhaseClock();
    /// Counts the lines on their way from the inputs to the result or the runs.
    private final LineTally tally = new LineTally();

    private long addedEnds;

    public ExternalLineMerge(LineJob job, FileListener listener) {
        this.job = job;
        this.listener = listener;
        this.progress = new LineProgress(listener);
    }

    /// Merges all inputs to the output.
    ///
    /// @throws io.samplesort.disk.FileFailure if a file or disk is not fit for the merge; the message says what to do
    public SortReport merge() throws IOException {
        try (LineFiles files = LineFiles.open(job, listener)) {
            LineTally last = merge(files);
            clock.run("publish", () -> files.publish(last));
        }
        return report();
    }

    /// Returns the tally of the lines of the result.
    LineTally merge(LineFiles files) throws IOException {
        List<LineSource> inputs = files.sources().all();
        MergePlan plan = MergePlan.of(job.memoryBytes(), 1, inputs.size(), Math.min(job.mostMerged(), mostOpen()));
        boolean isAtOnce = inputs.size() <= plan.fanIn();
        long bytes = files.sources().remaining();
        if (bytes != Long.MAX_VALUE) {
            files.checkDisks(bytes, !isAtOnce);
            progress.expect(isAtOnce ? 2 * bytes : 4 * bytes);
        }
        return isAtOnce ? mergeAtOnce(inputs, plan, files) : mergeInRounds(inputs, plan, files);
    }

    /// Returns what the merge has done by now.
    SortReport report() {
        return new SortReportBuilder("cpu, 1 thread")
                .elementCount(tally.takenLines())
                .phases(clock.phases())
                .total(clock.total())
                .build();
    }

    /// Returns how many inputs may be open at a time, at least two.
    private static int mostOpen() {
        return Math.max(2, FileLimit.spare(OPEN_BY_INPUT * MOST_OPEN) / OPEN_BY_INPUT);
    }

    private LineTally mergeAtOnce(List<LineSource> inputs, MergePlan plan, LineFiles files) throws IOException {
        merge(inputs, plan, job.repeats(), files.result(true, 0, 0, progress.consumer()));
        tally.checkRead(files.sources().bytesRead(), addedEnds);
        return tally;
    }

    private LineTally mergeInRounds(List<LineSource> inputs, MergePlan plan, LineFiles files) throws IOException {
        List<TemporaryFile> temporaries = files.newTemporaries();
        RunWriters writers = new RunWriters(temporaries, progress.consumer());
        for (List<LineSource> group : plan.groups(inputs)) {
            merge(group, plan, job.repeatsInRuns(), writers.begin());
            writers.end();
        }
        tally.checkRead(files.sources().bytesRead(), addedEnds);
        tally.checkWritten(writers.byteSize());
        return new MergeRounds(job, 1, files, progress, clock).merge(writers.runs(), temporaries, tally);
    }

    private void merge(List<LineSource> inputs, MergePlan plan, Repeats repeats, LineSink sink) throws IOException {
        List<LineCursor> cursors = new ArrayList<>();
        for (LineSource source : inputs) {
            LineCursor.Input input = target -> source.read(target, progress.consumer());
            cursors.add(new LineCursor(input, job.keys(), job.order().terminator(), plan.bufferBytes()));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(Math.min(plan.blockBytes(), LARGEST_BLOCK));
            LineMerge merge = new LineMerge(block, new RangeComparison(arena), repeats, sink, tally);
            clock.run("merge", () -> sink.append(merge.merge(cursors, 0)));
        }
        for (LineCursor cursor : cursors) {
            addedEnds += cursor.addedEnds();
        }
        for (LineSource source : inputs) {
            source.close();
        }
    }
}
