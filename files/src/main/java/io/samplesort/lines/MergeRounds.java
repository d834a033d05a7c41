package io.samplesort.lines;

import io.samplesort.disk.TemporaryFile;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.runs.LineRun;
import io.samplesort.lines.runs.LineRunMerge;
import io.samplesort.lines.runs.MergePlan;
import io.samplesort.lines.runs.RunWriters;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/// Merges sorted runs of lines, in several rounds if there are too many for the memory.
///
/// @param threads 1 for runs that may not be sorted, since several threads would have to find where to divide them
record MergeRounds(LineJob job, int threads, LineFiles files, LineProgress progress, PhaseClock clock) {
    /// Merges runs until few enough are left that the next merge can write the result.
    ///
    /// @param first the files of the runs, which are removed when they are not needed any more
    /// @param sorting the tally of the lines of the runs
    /// @return the tally of the lines of the result
    LineTally merge(List<LineRun> sorted, List<TemporaryFile> first, LineTally sorting) throws IOException {
        LineTally before = sorting;
        List<LineRun> runs = sorted;
        List<TemporaryFile> temporaries = first;
        MergePlan plan = plan(runs.size());
        while (runs.size() > plan.fanIn()) {
            List<TemporaryFile> next = files.newTemporaries();
            RunWriters writers = new RunWriters(next, bytes -> {});
            LineTally tally = new LineTally();
            for (List<LineRun> group : plan.groups(runs)) {
                merge(group, plan, job.repeatsInRuns(), bytes -> {}, writers.begin(), tally);
                writers.end();
            }
            tally.checkBehind(before);
            tally.checkWritten(writers.byteSize());
            before = tally;
            files.remove(temporaries);
            temporaries = next;
            runs = writers.runs();
            plan = plan(runs.size());
        }
        long bytes = runs.stream().mapToLong(LineRun::byteSize).sum();
        LineTally tally = new LineTally();
        LineSink result = files.result(false, 0, bytes, progress.consumer());
        CutSink cut = job.cut() == null ? null : cut(runs, plan, before, result);
        merge(runs, plan, job.repeats(), progress.consumer(), cut == null ? result : cut, tally);
        tally.checkBehind(before);
        if (cut != null) {
            cut.count(tally);
        }
        return tally;
    }

    /// Returns what hands on only the lines that are wanted. How many different lines there are is known only when all
    /// have been merged, so the last ones of these are found by merging twice.
    private CutSink cut(List<LineRun> runs, MergePlan plan, LineTally before, LineSink result) throws IOException {
        LineTally counted = before;
        if (job.repeats() == Repeats.LEFT_OUT && job.cut().isLast()) {
            counted = new LineTally();
            merge(runs, plan, job.repeats(), bytes -> {}, lines -> {}, counted);
        }
        return new CutSink(job.cut(), counted.handedLines(), job.order().terminator(), result);
    }

    private MergePlan plan(int runs) {
        long memory = job.memoryBytes() - MemoryShares.sortingBytes(job.memoryBytes(), job.threads());
        return MergePlan.of(memory, threads, runs, job.mostMerged());
    }

    private void merge(
            List<LineRun> runs, MergePlan plan, Repeats repeats, LongConsumer moved, LineSink sink, LineTally tally)
            throws IOException {
        LineRunMerge merge =
                new LineRunMerge(runs, job.keys(), job.order().terminator(), plan, repeats, moved, sink, tally);
        clock.run("merge", merge::merge);
    }
}
