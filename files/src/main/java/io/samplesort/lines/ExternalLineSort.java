package io.samplesort.lines;

import io.samplesort.disk.TemporaryFile;
import io.samplesort.files.types.FileListener;
import io.samplesort.lines.chunks.Chunk;
import io.samplesort.lines.chunks.LineGather;
import io.samplesort.lines.chunks.LineKeyTable;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.lines.runs.RunWriter;
import io.samplesort.lines.runs.RunWriters;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One sort of lines. Lines that fit in the memory are sorted there. Otherwise each chunk is sorted to a run in a
/// temporary file, and the runs are merged.
public final class ExternalLineSort {
    private final LineJob job;
    private final LineKeys keys;
    private final ChunkSorter sorter;
    private final FileListener listener;
    private final MemoryShares shares;
    private final LineProgress progress;
    private final PhaseClock clock = new PhaseClock();

    /// Counts the lines on their way from the inputs to the result or the runs.
    private final LineTally tally = new LineTally();

    /// Null if all lines are wanted.
    private final LineSelection selection;

    private SortReport lastReport;

    /// @param sorter compares strings as the keys of the job say
    public ExternalLineSort(LineJob job, ChunkSorter sorter, FileListener listener) {
        this.job = job;
        this.keys = job.keys();
        this.sorter = sorter;
        this.listener = listener;
        this.shares = MemoryShares.of(job.memoryBytes(), job.threads(), keys.keyShare());
        this.progress = new LineProgress(listener);
        this.selection = job.cut() == null ? null : new LineSelection(job, shares, tally, clock);
    }

    /// Sorts all lines of the inputs to the output.
    ///
    /// @throws io.samplesort.disk.FileFailure if a file or disk is not fit for the sort; the message says what to do
    public SortReport sort() throws IOException {
        try (LineFiles files = LineFiles.open(job, listener)) {
            LineTally last = sort(files);
            clock.run("publish", () -> files.publish(last));
        }
        return report();
    }

    /// Returns what the sort has done by now.
    SortReport report() {
        SortReportBuilder builder = lastReport == null
                ? new SortReportBuilder("cpu, " + job.threads() + (job.threads() == 1 ? " thread" : " threads"))
                : new SortReportBuilder(lastReport);
        return builder.elementCount(tally.takenLines())
                .phases(clock.phases())
                .total(clock.total())
                .build();
    }

    /// Checks that the lines came from another step, none missing.
    ///
    /// @param before the tally of the lines of its result
    void checkBehind(LineTally before) throws IOException {
        tally.checkBehind(before);
    }

    /// Returns the tally of the lines of the result.
    LineTally sort(LineFiles files) throws IOException {
        long bytes = files.sources().remaining();
        boolean isKnown = bytes != Long.MAX_VALUE;
        boolean willFit = isKnown && bytes * shares.bytesForByte() < shares.chunkBytes() / 2.0;
        if (isKnown) {
            // Whether lines of a size in between fit is known only when they have been read.
            files.checkDisks(bytes, bytes > shares.chunkBytes() && selection == null);
            progress.expect(selection != null ? bytes : willFit ? 2 * bytes : 4 * bytes);
        }
        if (willFit && selection == null && !files.isStream()) {
            // Room for the result is made while lines are being read.
            files.result(false, job.keepsAll() ? bytes : 0, bytes, progress.consumer());
        }
        List<TemporaryFile> temporaries;
        RunWriters writers;
        try (Arena arena = Arena.ofShared()) {
            Chunk chunk = new Chunk(shares, job.order().terminator(), bytes, progress.consumer(), arena);
            LineGather gather = new LineGather(shares, arena);
            LineKeyTable table = keys.areLines() ? null : new LineKeyTable(keys, shares, chunk, arena);
            readNext(chunk, table, files);
            if (chunk.isLast(files.sources())) {
                LineSink result = files.result(false, 0, chunk.byteSize(), progress.consumer());
                writeSorted(chunk, table, gather, "write", job.repeats(), result);
                tally.checkRead(files.sources().bytesRead(), chunk.addedEnds());
                return tally;
            }
            temporaries = files.newTemporaries();
            writers = new RunWriters(temporaries, progress.consumer());
            writeRun(chunk, table, gather, files, writers);
            while (!chunk.isLast(files.sources())) {
                readNext(chunk, table, files);
                writeRun(chunk, table, gather, files, writers);
            }
            tally.checkRead(files.sources().bytesRead(), chunk.addedEnds());
        }
        tally.checkWritten(writers.byteSize());
        return new MergeRounds(job, shares.threads(), files, progress, clock).merge(writers.runs(), temporaries, tally);
    }

    /// Reads the next lines, and makes their keys. If these are too long for the memory, the last lines, perhaps all of
    /// them, are left to the next chunk.
    ///
    /// @param table null if lines are their own keys
    private void readNext(Chunk chunk, LineKeyTable table, LineFiles files) throws IOException {
        if (selection == null) {
            clock.run("read", () -> chunk.fill(files.sources()));
        } else {
            selection.fill(chunk, files.sources(), () -> sort(chunk, table));
        }
        makeKeys(chunk, table);
    }

    private void makeKeys(Chunk chunk, LineKeyTable table) throws IOException {
        if (table == null) {
            return;
        }
        boolean areSorted = table.takesSorted(chunk);
        if (areSorted) {
            clock.run("sort", () -> sorter.argsort(chunk.lines(), chunk.permutation()));
        }
        clock.run("keys", () -> table.encode(chunk, areSorted));
    }

    /// Writes a chunk as a run. If the next line is too long for the memory, it becomes a run of its own.
    private void writeRun(Chunk chunk, LineKeyTable table, LineGather gather, LineFiles files, RunWriters writers)
            throws IOException {
        if (chunk.count() > 0) {
            writeSorted(chunk, table, gather, "write runs", job.repeatsInRuns(), writers.begin());
            writers.end();
        } else if (!chunk.isLast(files.sources())) {
            RunWriter run = writers.begin();
            clock.run(
                    "write runs",
                    () -> run.append(
                            sink -> {
                                long bytes = chunk.passFirst(files.sources(), sink);
                                tally.take(1, bytes);
                                tally.handOn(1, bytes);
                            },
                            keys));
            writers.end();
        }
    }

    /// Makes the keys of a chunk, and sorts it.
    private Strings sort(Chunk chunk, LineKeyTable table) throws IOException {
        makeKeys(chunk, table);
        return sortByKeys(chunk, table);
    }

    private Strings sortByKeys(Chunk chunk, LineKeyTable table) throws IOException {
        Strings strings = table == null ? chunk.lines() : table.strings();
        lastReport = clock.timed("sort", () -> sorter.argsort(strings, chunk.permutation()));
        return strings;
    }

    private void writeSorted(
            Chunk chunk, LineKeyTable table, LineGather gather, String phase, Repeats repeats, LineSink sink)
            throws IOException {
        Strings strings = sortByKeys(chunk, table);
        tally.take(chunk.count(), chunk.byteSize());
        MemorySegment permutation = selection == null ? chunk.permutation() : selection.wanted(chunk, strings);
        clock.run(phase, () -> {
            if (repeats.areCounted()) {
                Strings compared = repeats == Repeats.COUNTED_BY_KEYS ? strings : chunk.lines();
                gather.count(chunk.lines(), permutation, compared, sink, tally);
            } else {
                gather.write(chunk.lines(), permutation, table, repeats == Repeats.LEFT_OUT, sink, tally);
            }
        });
    }
}
