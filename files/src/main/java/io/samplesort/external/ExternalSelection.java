package io.samplesort.external;

import io.samplesort.disk.DiskSpace;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.InputFile;
import io.samplesort.disk.OutputFile;
import io.samplesort.disk.Pipeline;
import io.samplesort.disk.SortFolders;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import io.samplesort.memory.LargeMemory;
import io.samplesort.shared.ElementFilter;
import io.samplesort.types.ElementCost;
import io.samplesort.types.SortReport;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One search for the first or the last elements of a file in order. It reads the file once and keeps candidates: the
/// best elements so far, sorted, and behind them those that would be among them. When there are many, the candidates
/// are sorted and cut, and the worst one that is left is the new bound for all that follow.
public final class ExternalSelection implements Closeable {
    private static final int BUFFERS = 2;

    private static final long MOST_READ_BYTES = 4L << 20;

    /// Few candidates are not sorted again and again.
    private static final long LEAST_CANDIDATES = 1 << 16;

    /// The memory that buffers may take is all of it divided by this.
    private static final int BUFFER_SHARE = 8;

    private final PartSorter sorter;
    private final FileColumn column;
    private final byte[] header;
    private final long wanted;
    private final boolean isLast;
    private final long memoryBytes;
    private final Path temporaryFolder;
    private final FileListener listener;
    private final int elementBytes;

    private final long start = System.nanoTime();
    private final Results results;
    private final ExternalReport report = new ExternalReport();
    private final Pipeline pipeline = new Pipeline(BUFFERS);
    private final ElementFilter filter;
    private InputFile input;
    private MemorySegment candidates;
    /// The bytes of the candidates so far.
    private long held;
    /// Whether there are as many elements as are wanted, and a bound.
    private boolean isBounded;

    private long readBytes;

    /// @param column    the file, and where the elements go
    /// @param header    what is written before them; null for the header of the file
    /// @param count     how many are wanted
    /// @param isLast    whether the last ones in order are wanted
    /// @param temporary where a result lies that will overwrite a file, as by [ExternalSort]
    public ExternalSelection(
            PartSorter sorter,
            FileColumn column,
            byte[] header,
            long count,
            boolean isLast,
            long memoryBytes,
            Path temporary,
            boolean overwrites,
            FileListener listener) {
        this.sorter = sorter;
        this.column = column;
        this.header = header;
        this.wanted = count;
        this.isLast = isLast;
        this.memoryBytes = memoryBytes;
        this.temporaryFolder = temporary;
        this.listener = listener;
        this.elementBytes = sorter.columnTypes().getFirst().byteSize();
        this.results = new Results(overwrites, listener);
        this.filter = sorter.filter(isLast);
    }

    /// Writes the elements in order.
    ///
    /// @throws FileFailure              if a file or disk is not fit; the message says what to do
    /// @throws IllegalArgumentException if the memory is too little
    public SortReport run() throws IOException {
        input = InputFile.open(column.input(), column.headerBytes(), elementBytes);
        long count = input.count();
        long resultCount = Math.min(wanted, count);
        long bufferLength = Math.max(1, Math.min(MOST_READ_BYTES, memoryBytes / BUFFER_SHARE) / elementBytes);
        long capacity = capacity(resultCount, BUFFERS * bufferLength * elementBytes);
        long headerBytes = header == null ? column.headerBytes() : header.length;
        results.add(column.output(), headerBytes + resultCount * elementBytes, List.of(input));
        Path folder = results.temporaryFolder(temporaryFolder, input.path());
        if (results.needTemporaryFolder()) {
            SortFolders.checkTemporary(folder);
        }
        results.removeLeftovers(folder).forEach(listener::removed);
        DiskSpace space = new DiskSpace();
        results.addNeeds(space, folder);
        space.check();
        OutputFile output = results.open(folder).getFirst();
        FilePlan plan = new FilePlan(count, elementBytes, elementBytes, 0, bufferLength, 1, BUFFERS);
        try (Arena arena = Arena.ofShared()) {
            candidates = LargeMemory.allocate(capacity * elementBytes, arena);
            if (resultCount > 0) {
                select(count, bufferLength, arena);
            }
            sortCandidates();
            tellGrowth();
            write(output);
            results.publish();
            return report.of(plan, pipeline, Duration.ofNanos(System.nanoTime() - start));
        }
    }

    /// Returns how many candidates there is memory for.
    private long capacity(long resultCount, long bufferBytes) {
        long count = input.count();
        ElementCost cost = sorter.cost(count);
        long each = (long) elementBytes + cost.nativeBytes() + cost.heapBytes();
        long threadBytes = Math.min(cost.threadBytes(), memoryBytes / 2);
        long room = Math.min(cost.maxCount(), (memoryBytes - threadBytes - bufferBytes) / each);
        if (cost.heapBytes() > 0) {
            room = Math.min(room, Runtime.getRuntime().maxMemory() / 2 / cost.heapBytes());
        }
        long least = Math.min(count, resultCount + Math.ceilDiv(resultCount, 8));
        if (room < least) {
            throw new IllegalArgumentException("memory of " + memoryBytes + " bytes is too little to hold "
                    + resultCount + " elements of " + elementBytes + " bytes: give "
                    + Math.min(4 * least * each, 2 * (least * each + BUFFERS * MOST_READ_BYTES))
                    + " or more, or sort all of them");
        }
        return Math.min(Math.min(room, count), Math.max(LEAST_CANDIDATES, 2 * resultCount));
    }

    private void select(long count, long bufferLength, Arena arena) throws IOException {
        long began = System.nanoTime();
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < BUFFERS; i++) {
            buffers.add(LargeMemory.allocate(bufferLength * elementBytes, arena));
        }
        pipeline.run(
                Math.toIntExact(Math.ceilDiv(count, bufferLength)),
                (piece, buffer) -> {
                    MemorySegment part = part(buffers.get(buffer), piece * bufferLength, count);
                    input.read(piece * bufferLength, part, this::moved);
                    column.conversion().afterReading(part);
                },
                (piece, buffer) -> take(part(buffers.get(buffer), piece * bufferLength, count)),
                (piece, buffer) -> {});
        report.phase("select", Duration.ofNanos(System.nanoTime() - began));
    }

    private MemorySegment part(MemorySegment buffer, long first, long count) {
        return buffer.asSlice(0, Math.min(buffer.byteSize(), (count - first) * elementBytes));
    }

    /// Adds those of some elements to the candidates that may be wanted.
    private void take(MemorySegment elements) {
        long spare = (candidates.byteSize() / elementBytes - Math.min(wanted, input.count())) / 2 * elementBytes;
        for (long at = 0; at < elements.byteSize(); ) {
            long room = candidates.byteSize() - held;
            MemorySegment source = elements.asSlice(at, Math.min(room, elements.byteSize() - at));
            MemorySegment target = candidates.asSlice(held);
            if (isBounded) {
                held += filter.copy(source, target);
            } else {
                MemorySegment.copy(source, 0, target, 0, source.byteSize());
                held += source.byteSize();
            }
            at += source.byteSize();
            // With hardly any room left, every turn would take few elements.
            if (candidates.byteSize() - held <= spare && (at < elements.byteSize() || isBounded)) {
                sortCandidates();
            }
        }
    }

    /// Sorts the candidates, and keeps as many of them as are wanted.
    private void sortCandidates() {
        report.add(sorter.sort(candidates.asSlice(0, held), List.of(), sorted -> pipeline.checkGoing()));
        long keptBytes = Math.min(held / elementBytes, wanted) * elementBytes;
        if (isLast) {
            MemorySegment.copy(candidates, held - keptBytes, candidates, 0, keptBytes);
        }
        held = keptBytes;
        isBounded = keptBytes > 0 && keptBytes == wanted * elementBytes;
        if (isBounded) {
            filter.setBound(candidates.asSlice(isLast ? 0 : keptBytes - elementBytes, elementBytes));
        }
    }

    private void write(OutputFile output) throws IOException {
        if (header == null) {
            input.copyHeader(output);
        } else {
            output.append(MemorySegment.ofArray(header), bytes -> {});
        }
        MemorySegment found = candidates.asSlice(0, held);
        column.conversion().beforeWriting(found);
        try {
            output.append(found, bytes -> {});
        } catch (IOException e) {
            throw new FileFailure("cannot write " + column.output() + "; the input is as it was", e);
        }
    }

    private void tellGrowth() throws IOException {
        long bytes = input.checkUnchanged();
        if (bytes > 0) {
            listener.grown(input.path(), bytes);
        }
    }

    private synchronized void moved(long bytes) {
        pipeline.checkGoing();
        readBytes += bytes;
        listener.moved(readBytes, input.count() * elementBytes);
    }

    /// Closes the input and removes what was not put in its place.
    @Override
    public void close() throws IOException {
        List<Closeable> open = new ArrayList<>();
        if (input != null) {
            open.add(input);
        }
        open.add(results);
        SortFolders.close(open);
    }
}
