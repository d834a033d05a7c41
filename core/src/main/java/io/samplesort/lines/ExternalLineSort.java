package io.samplesort.lines;

import io.samplesort.files.TemporaryFile;
import io.samplesort.lines.chunks.Chunk;
import io.samplesort.lines.chunks.LineGather;
import io.samplesort.lines.chunks.LineKeyTable;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineSource;
import io.samplesort.lines.keys.LineKeys;
import io.samplesort.lines.runs.LineCursor;
import io.samplesort.lines.runs.LineMerge;
import io.samplesort.lines.runs.LineRun;
import io.samplesort.lines.runs.MergePlan;
import io.samplesort.lines.runs.RunMerge;
import io.samplesort.lines.runs.RunWriters;
import io.samplesort.types.FileListener;
import io.samplesort.types.SortReport;
import io.samplesort.types.SortReportBuilder;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One sort of lines. Lines that fit in the memory are sorted there. Otherwise chunk by chunk is sorted to a run in a
/// temporary file, and the runs are merged.
public final class ExternalLineSort {
    private final LineJob job;
    private final LineKeys keys;
    private final ChunkSorter sorter;
    private final FileListener listener;
    private final MemoryShares shares;
    private final LineProgress progress;

    private final long start = System.nanoTime();
    private final Map<String, Long> phaseNanos = new LinkedHashMap<>();
    private SortReport lastReport;
    private long lineCount;

    /// @param sorter compares strings as the keys of the job say
    public ExternalLineSort(LineJob job, ChunkSorter sorter, FileListener listener) {
        this.job = job;
        this.keys = job.keys();
        this.sorter = sorter;
        this.listener = listener;
        this.shares = MemoryShares.of(job.memoryBytes(), job.threads(), keys.keyShare());
        this.progress = new LineProgress(listener);
    }

    /// Sorts all lines of the inputs to the output.
    ///
    /// @throws FileFailure if a file or disk is not fit for the sort; the message says what to do
    public SortReport sort() throws IOException {
        try (LineFiles files = LineFiles.open(job, listener)) {
            sort(files);
        }
        return report();
    }

    private void sort(LineFiles files) throws IOException {
        long bytes = files.sources().remaining();
        boolean isKnown = bytes != Long.MAX_VALUE;
        boolean willFit = isKnown && bytes * shares.bytesForByte() < shares.chunkBytes() / 2.0;
        if (isKnown) {
            files.checkDisks(willFit ? 0 : bytes, bytes);
            progress.expect(willFit ? 2 * bytes : 4 * bytes);
        }
        List<TemporaryFile> temporaries;
        RunWriters writers;
        try (Arena arena = Arena.ofShared()) {
            Chunk chunk = new Chunk(shares, job.order().terminator(), bytes, progress.consumer(), arena);
            LineGather gather = new LineGather(shares, arena);
            LineKeyTable table = keys.areLines() ? null : new LineKeyTable(keys, shares, chunk, arena);
            boolean hasLines = fill(chunk, files);
            Strings strings = strings(chunk, table);
            if (chunk.isLast(files.sources())) {
                writeResult(files, chunk.byteSize(), sink -> writeSorted(chunk, strings, gather, "write", sink));
                return;
            }
            temporaries = files.newTemporaries();
            writers = new RunWriters(temporaries, progress.consumer());
            for (Strings next = strings; hasLines; next = strings(chunk, table)) {
                writeSorted(chunk, next, gather, "write runs", writers.begin());
                writers.end();
                hasLines = fill(chunk, files);
            }
        }
        merge(files, writers.runs(), temporaries);
    }

    private boolean fill(Chunk chunk, LineFiles files) throws IOException {
        return timed("read", () -> chunk.fill(files.sources()));
    }

    /// Returns the strings that stand for the lines of a chunk. If their keys are too long for the memory, the last
    /// lines are left to the next chunk.
    private Strings strings(Chunk chunk, LineKeyTable table) throws IOException {
        return table == null ? chunk.lines() : timed("keys", () -> table.encode(chunk));
    }

    private void writeSorted(Chunk chunk, Strings strings, LineGather gather, String phase, LineSink sink)
            throws IOException {
        MemorySegment permutation = chunk.permutation();
        lastReport = timed("sort", () -> sorter.argsort(strings, permutation));
        lineCount += chunk.count();
        timed(phase, () -> {
            gather.write(chunk.lines(), permutation, job.isUnique() ? strings : null, sink);
            return null;
        });
    }

    /// Merges runs until so few are left that the next merge can write the result.
    private void merge(LineFiles files, List<LineRun> sorted, List<TemporaryFile> first) throws IOException {
        List<LineRun> runs = sorted;
        List<TemporaryFile> temporaries = first;
        MergePlan plan = MergePlan.of(shares.mergeBytes(), shares.threads(), runs.size());
        while (runs.size() > plan.fanIn()) {
            List<TemporaryFile> next = files.newTemporaries();
            RunWriters writers = new RunWriters(next, bytes -> {});
            for (int from = 0; from < runs.size(); from += plan.fanIn()) {
                List<LineRun> group = runs.subList(from, Math.min(runs.size(), from + plan.fanIn()));
                merge(group, plan, false, writers.begin());
                writers.end();
            }
            files.remove(temporaries);
            temporaries = next;
            runs = writers.runs();
            plan = MergePlan.of(shares.mergeBytes(), shares.threads(), runs.size());
        }
        List<LineRun> last = runs;
        MergePlan lastPlan = plan;
        long bytes = runs.stream().mapToLong(LineRun::byteSize).sum();
        writeResult(files, bytes, sink -> merge(last, lastPlan, true, sink));
    }

    private void merge(List<LineRun> runs, MergePlan plan, boolean isLast, LineSink sink) throws IOException {
        timed("merge", () -> {
            new RunMerge(
                            runs,
                            keys,
                            job.order().terminator(),
                            plan,
                            job.isUnique(),
                            isLast ? progress.consumer() : bytes -> {},
                            sink)
                    .merge();
            return null;
        });
    }

    /// Merges inputs that are sorted already, as they come.
    ///
    /// @throws FileFailure as by [#sort]
    public SortReport merge() throws IOException {
        try (LineFiles files = LineFiles.open(job, listener)) {
            long bytes = files.sources().remaining();
            if (bytes != Long.MAX_VALUE) {
                files.checkDisks(0, bytes);
                progress.expect(2 * bytes);
            }
            MergePlan plan = MergePlan.of(job.memoryBytes(), 1, job.inputs().size());
            List<LineCursor> cursors = new ArrayList<>();
            for (LineSource source : files.sources().all()) {
                LineCursor.Input input = target -> source.read(target, progress.consumer());
                cursors.add(new LineCursor(input, keys.copy(), job.order().terminator(), plan.bufferBytes()));
            }
            LineSink result = result(files, true, 0);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment block = arena.allocate(Math.min(plan.blockBytes(), shares.blockBytes()));
                LineMerge merge = new LineMerge(block, job.isUnique(), result);
                timed("merge", () -> {
                    result.append(merge.merge(cursors, 0));
                    return null;
                });
                lineCount = merge.lineCount();
            }
            files.publish();
        }
        return report();
    }

    private interface Writing {
        void to(LineSink sink) throws IOException;
    }

    /// @param bytes how many bytes the result has at most
    private LineSink result(LineFiles files, boolean isReading, long bytes) throws IOException {
        ResultWriter result = new ResultWriter(files.output(isReading), files.outputPath(), progress.consumer());
        result.expect(bytes);
        return result;
    }

    private void writeResult(LineFiles files, long bytes, Writing writing) throws IOException {
        writing.to(result(files, false, bytes));
        timed("publish", () -> {
            files.publish();
            return null;
        });
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private <T> T timed(String phase, Work<T> work) throws IOException {
        long began = System.nanoTime();
        try {
            return work.run();
        } finally {
            phaseNanos.merge(phase, System.nanoTime() - began, Long::sum);
        }
    }

    private SortReport report() {
        List<SortReport.Phase> phases = new ArrayList<>();
        phaseNanos.forEach((name, nanos) -> phases.add(new SortReport.Phase(name, Duration.ofNanos(nanos))));
        SortReportBuilder builder = lastReport == null
                ? new SortReportBuilder("cpu, " + job.threads() + (job.threads() == 1 ? " thread" : " threads"))
                : new SortReportBuilder(lastReport);
        return builder.elementCount(lineCount)
                .phases(phases)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }
}
