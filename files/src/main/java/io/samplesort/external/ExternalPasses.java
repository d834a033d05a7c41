package io.samplesort.external;

import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.Pipeline;
import io.samplesort.disk.RunFile;
import io.samplesort.disk.SortedParts;
import io.samplesort.disk.TemporaryFile;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import io.samplesort.memory.LargeMemory;
import io.samplesort.memory.RunCuts;
import io.samplesort.shared.FileSorters;
import io.samplesort.types.SortReport;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The passes of one external sort over the elements. The first pass reads chunks of the inputs, sorts them, and writes
/// them as runs to the temporary file. The second reads buckets, which are cut from all runs, sorts them, and appends
/// them to the outputs. Chunks and buckets have the same size; both are parts. Every part goes through the pipeline. A
/// merge is the second pass alone, over inputs that are sorted already.
final class ExternalPasses implements Closeable {
    /// At least this much of a piece, or its end, is written at a time.
    private static final long LEAST_WRITTEN_BYTES = 8L << 20;

    private final PartSorter sorter;
    private final FilePlan plan;
    private final List<FileColumn> columns;
    /// Null if all columns are read and written.
    private final IndexColumn indexes;
    private final List<InputFile> inputs;
    private final List<OutputFile> outputs;
    private final FileListener listener;
    private final Arena arena;
    private final int[] elementBytes;

    /// The columns of each buffer.
    private final List<List<MemorySegment>> buffers = new ArrayList<>();

    private final Pipeline pipeline;
    private final ExternalReport report = new ExternalReport();
    /// What buckets are cut from; null until there are sorted runs.
    private SortedParts runs;
    /// The places in the runs up to which buckets have been cut.
    private long[] cuts;
    /// Of a merge, the sorted pieces that the bucket in each buffer consists of.
    private final List<List<MemorySegment>> pieces = new ArrayList<>();
    /// Of a merge, the buffer that the next bucket is merged to.
    private List<MemorySegment> spare;
    private long movedBytes;

    /// @param arena for the buffers, which are allocated at once, so that it fails before any work if the system
    ///     refuses this much memory
    ExternalPasses(
            PartSorter sorter,
            FilePlan plan,
            List<FileColumn> columns,
            IndexColumn indexes,
            List<InputFile> inputs,
            List<OutputFile> outputs,
            FileListener listener,
            Arena arena) {
        this.sorter = sorter;
        this.plan = plan;
        this.columns = columns;
        this.indexes = indexes;
        this.inputs = inputs;
        this.outputs = outputs;
        this.listener = listener;
        this.arena = arena;
        this.elementBytes = new int[sorter.columnTypes().size()];
        for (int i = 0; i < elementBytes.length; i++) {
            elementBytes[i] = sorter.columnTypes().get(i).byteSize();
        }
        this.pipeline = new Pipeline(plan.buffers());
        for (int i = 0; i < plan.buffers(); i++) {
            List<MemorySegment> buffer = new ArrayList<>();
            for (int bytes : elementBytes) {
                buffer.add(LargeMemory.allocate(plan.chunkLength() * bytes, arena));
            }
            buffers.add(buffer);
        }
    }

    /// Sorts a file that fits the memory, in a single pass without a temporary file.
    void sortAtOnce() throws IOException {
        pipeline.run(plan.runs(), this::readChunk, this::sort, this::writeBucket);
        checkComplete();
    }

    /// Sorts chunk by chunk from the inputs to runs in the temporary file.
    void sortRuns(TemporaryFile temporary) throws IOException {
        long began = System.nanoTime();
        RunFile file = new RunFile(
                temporary, plan.elementCount(), plan.chunkLength(), elementBytes, sorter.comparator(), arena);
        runs = file;
        cuts = new long[plan.runs()];
        pipeline.run(plan.runs(), this::readChunk, this::sort, (run, buffer) -> writeRun(file, run, buffer));
        finish(file);
        report.phase("runs", Duration.ofNanos(System.nanoTime() - began));
    }

    /// Sorts bucket by bucket from the runs to the outputs.
    void sortBuckets() throws IOException {
        long began = System.nanoTime();
        pipeline.run(plan.runs(), this::readBucket, this::sort, this::writeBucket);
        checkComplete();
        report.phase("buckets", Duration.ofNanos(System.nanoTime() - began));
    }

    /// Merges bucket by bucket from sorted inputs to the output.
    void merge(SortedParts sorted, FileSorters.Merger merger) throws IOException {
        long began = System.nanoTime();
        runs = sorted;
        spare = List.of(LargeMemory.allocate(plan.chunkLength() * elementBytes[0], arena));
        buffers.forEach(buffer -> pieces.add(List.of()));
        cuts = new long[sorted.count()];
        long buckets = Math.max(1, Math.ceilDiv(plan.elementCount(), Math.max(1, plan.chunkLength())));
        pipeline.run(
                Math.toIntExact(buckets),
                this::readPieces,
                (bucket, buffer) -> mergePieces(merger, bucket, buffer),
                this::writeBucket);
        for (InputFile input : inputs) {
            tellGrowth(input);
        }
        checkComplete();
        report.phase("merge", Duration.ofNanos(System.nanoTime() - began));
    }

    private long first(int part) {
        return part * plan.chunkLength();
    }

    /// Returns the columns of a chunk or bucket in a buffer. The last part is shorter than the others.
    private List<MemorySegment> part(int piece, int buffer) {
        long count = Math.min(plan.chunkLength(), plan.elementCount() - first(piece));
        List<MemorySegment> part = new ArrayList<>();
        for (int i = 0; i < elementBytes.length; i++) {
            part.add(buffers.get(buffer).get(i).asSlice(0, count * elementBytes[i]));
        }
        return part;
    }

    private void readChunk(int chunk, int buffer) throws IOException {
        List<MemorySegment> part = part(chunk, buffer);
        for (int i = 0; i < inputs.size(); i++) {
            inputs.get(i).read(first(chunk), part.get(i), this::moved);
            columns.get(i).conversion().afterReading(part.get(i));
            if (chunk == plan.runs() - 1) {
                tellGrowth(inputs.get(i));
            }
        }
        if (indexes != null) {
            indexes.fill(part.getLast(), first(chunk));
        }
    }

    private void readBucket(int bucket, int buffer) throws IOException {
        readCut(bucket, part(bucket, buffer));
    }

    /// Reads a bucket of a merge, which is a sorted piece of each input.
    private void readPieces(int bucket, int buffer) throws IOException {
        List<MemorySegment> part = part(bucket, buffer);
        long[] from = cuts;
        readCut(bucket, part);
        List<MemorySegment> read = new ArrayList<>();
        long offset = 0;
        for (int run = 0; run < from.length; run++) {
            long bytes = (cuts[run] - from[run]) * elementBytes[0];
            read.add(part.getFirst().asSlice(offset, bytes));
            offset += bytes;
        }
        pieces.set(buffer, read);
    }

    private void readCut(int bucket, List<MemorySegment> part) throws IOException {
        long end = first(bucket) + part.getFirst().byteSize() / elementBytes[0];
        try {
            long[] next = RunCuts.at(runs, end, cuts);
            runs.read(cuts, next, part, this::moved);
            cuts = next;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void sort(int piece, int buffer) {
        List<MemorySegment> part = part(piece, buffer);
        report.add(sorter.sort(part.getFirst(), part.subList(1, part.size()), pipeline::sortedUpTo));
    }

    /// Merges the pieces of a bucket to the spare buffer, which takes the place of theirs.
    private void mergePieces(FileSorters.Merger merger, int bucket, int buffer) {
        long bytes = part(bucket, buffer).getFirst().byteSize();
        report.add(merger.merge(pieces.get(buffer), spare.getFirst().asSlice(0, bytes)));
        spare = buffers.set(buffer, spare);
    }

    /// Takes elements of a piece that are final.
    private interface Sink {
        /// @param first   the number of the first of these elements in its piece
        /// @param columns the same elements of each column
        void write(long first, List<MemorySegment> columns) throws IOException;
    }

    /// Writes a piece as it becomes final, from its first element to its last.
    private void writeSorted(int piece, int buffer, Sink sink) throws IOException, InterruptedException {
        List<MemorySegment> part = part(piece, buffer);
        long count = part.getFirst().byteSize() / elementBytes[0];
        long least = Math.max(1, LEAST_WRITTEN_BYTES / plan.elementBytes());
        for (long first = 0; first < count; ) {
            long end = pipeline.awaitSorted(piece, Math.min(first + least, count), count);
            List<MemorySegment> columns = new ArrayList<>();
            for (int i = 0; i < elementBytes.length; i++) {
                columns.add(part.get(i).asSlice(first * elementBytes[i], (end - first) * elementBytes[i]));
            }
            sink.write(first, columns);
            first = end;
        }
    }

    private void writeRun(RunFile file, int run, int buffer) throws IOException, InterruptedException {
        writeSorted(run, buffer, (first, columns) -> {
            try {
                file.write(run, first, columns, this::moved);
            } catch (IOException e) {
                throw cannotWriteRuns(e);
            }
        });
    }

    private static void finish(RunFile file) throws IOException {
        try {
            file.finish();
        } catch (IOException e) {
            throw cannotWriteRuns(e);
        }
    }

    private static FileFailure cannotWriteRuns(IOException cause) {
        return new FileFailure("cannot write the temporary file; the input is as it was", cause);
    }

    private void writeBucket(int bucket, int buffer) throws IOException, InterruptedException {
        writeSorted(bucket, buffer, (first, part) -> appendToOutputs(part));
    }

    private void appendToOutputs(List<MemorySegment> part) throws IOException {
        // An argsort writes only the last column, that of the indexes.
        int notWritten = part.size() - outputs.size();
        for (int i = 0; i < outputs.size(); i++) {
            if (indexes == null) {
                columns.get(i).conversion().beforeWriting(part.get(i));
            }
            try {
                outputs.get(i).append(part.get(notWritten + i), this::moved);
            } catch (IOException e) {
                throw new FileFailure("cannot write " + columns.get(i).output() + "; the input is as it was", e);
            }
        }
    }

    private synchronized void tellGrowth(InputFile input) throws IOException {
        long bytes = input.checkUnchanged();
        if (bytes > 0) {
            listener.grown(input.path(), bytes);
        }
    }

    /// Counts what was read and written. The threads that read and the one that writes call this.
    private synchronized void moved(long bytes) {
        pipeline.checkGoing();
        movedBytes += bytes;
        listener.moved(movedBytes, plan.movedBytes());
    }

    private synchronized void checkComplete() {
        if (movedBytes != plan.movedBytes()) {
            throw new IllegalStateException("the sort has read and written " + movedBytes + " bytes and not "
                    + plan.movedBytes() + ": this is a fault of the program, and the input is as it was");
        }
    }

    /// Ends the access to the runs.
    @Override
    public void close() throws IOException {
        if (runs != null) {
            runs.close();
        }
    }

    SortReport report(long nanos) {
        return report.of(plan, pipeline, Duration.ofNanos(nanos));
    }
}
