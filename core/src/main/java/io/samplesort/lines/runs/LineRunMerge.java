package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Turns;
import io.samplesort.lines.keys.LineKeys;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/// Merges sorted runs of lines with several threads. Splitters divide the lines into parts, which are merged side by
/// side and handed on in their order. A part begins in each run at the first line that is not before its splitter, so
/// equal lines meet in one part.
public final class LineRunMerge {
    private final List<LineRun> runs;
    private final LineKeys keys;
    private final byte terminator;
    private final MergePlan plan;
    private final boolean isUnique;
    private final LongConsumer moved;
    private final LineSink sink;
    private final LineTally tally;

    /// @param moved is told the bytes that were read, by several threads
    /// @param tally counts the lines
    public LineRunMerge(
            List<LineRun> runs,
            LineKeys keys,
            byte terminator,
            MergePlan plan,
            boolean isUnique,
            LongConsumer moved,
            LineSink sink,
            LineTally tally) {
        this.runs = runs;
        this.keys = keys;
        this.terminator = terminator;
        this.plan = plan;
        this.isUnique = isUnique;
        this.moved = moved;
        this.sink = sink;
        this.tally = tally;
    }

    public void merge() throws IOException {
        List<byte[]> splitters = plan.threads() == 1 ? List.of() : splitters();
        try (Arena arena = Arena.ofShared()) {
            Queue<MemorySegment> freeBlocks = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < plan.threads(); i++) {
                freeBlocks.add(arena.allocate(plan.blockBytes()));
            }
            Turns.run(plan.threads(), splitters.size() + 1L, (number, turns) -> {
                int part = (int) number;
                MemorySegment block = freeBlocks.remove();
                byte[] first = part == 0 ? null : splitters.get(part - 1);
                byte[] end = part == splitters.size() ? null : splitters.get(part);
                LineSink inTurn = lines -> {
                    turns.await(number);
                    sink.append(lines);
                };
                MemorySegment rest = new LineMerge(block, isUnique, inTurn, tally)
                        .merge(cursors(first, end), commonBytes(first, end));
                sink.end(rest, number, turns);
                freeBlocks.add(block);
            });
        }
    }

    /// Returns a cursor for each run that goes through its lines from one splitter to the next.
    ///
    /// @param first null for the beginning of the runs
    /// @param end   null for their end
    private List<LineCursor> cursors(byte[] first, byte[] end) throws IOException {
        LineKeys own = keys.copy();
        List<LineCursor> cursors = new ArrayList<>();
        for (LineRun run : runs) {
            long from = first == null ? run.from() : cut(run, first, own);
            long to = end == null ? run.to() : cut(run, end, own);
            if (from < to) {
                int buffer = (int) Math.min(plan.bufferBytes(), to - from);
                cursors.add(
                        new LineCursor(new RunInput(run.channel(), from, to, moved), keys.copy(), terminator, buffer));
            }
        }
        return cursors;
    }

    /// Returns how many bytes all keys from one splitter to the next have in common at their beginning.
    private static int commonBytes(byte[] first, byte[] end) {
        if (first == null || end == null) {
            return 0;
        }
        int different = Arrays.mismatch(first, end);
        return different < 0 ? first.length : different;
    }

    /// Chooses keys that divide the lines into parts of about the same size.
    private List<byte[]> splitters() throws IOException {
        long bytes = runs.stream().mapToLong(LineRun::byteSize).sum();
        // Parts differ in size, and each is to fit in a block.
        long partBytes = Math.max(plan.blockBytes() / 4 * 3, 1);
        int parts = (int) Math.min(1 << 16, Math.ceilDiv(bytes, partBytes));
        int samples = parts * 8;
        List<byte[]> keysOfSample = new ArrayList<>();
        LineKeys own = keys.copy();
        for (LineRun run : runs) {
            long wanted = Math.ceilDiv(samples * run.byteSize(), bytes);
            int step = (int) Math.max(1, run.markCount() / wanted);
            for (int mark = 0; mark < run.markCount(); mark += step) {
                keysOfSample.add(keyAt(run, mark, own));
            }
        }
        keysOfSample.sort(this::compare);
        List<byte[]> chosen = new ArrayList<>();
        for (int part = 1; part < parts; part++) {
            byte[] key = keysOfSample.get((int) ((long) part * keysOfSample.size() / parts));
            if (chosen.isEmpty() || compare(chosen.getLast(), key) < 0) {
                chosen.add(key);
            }
        }
        return chosen;
    }

    private int compare(byte[] key, byte[] other) {
        int ascending = Arrays.compareUnsigned(key, other);
        return keys.order().isReversed() ? -ascending : ascending;
    }

    private byte[] keyAt(LineRun run, int mark, LineKeys own) throws IOException {
        LineCursor cursor = cursorAt(run, mark, own);
        cursor.next();
        return Arrays.copyOfRange(cursor.keyBytes(), cursor.keyFrom(), cursor.keyTo());
    }

    private LineCursor cursorAt(LineRun run, int mark, LineKeys own) {
        RunInput input = new RunInput(run.channel(), run.mark(mark), run.to(), bytes -> {});
        return new LineCursor(input, own, terminator, 4 << 10);
    }

    /// Returns where the first line is in a run that is not before a key.
    private long cut(LineRun run, byte[] key, LineKeys own) throws IOException {
        // The lines at marks below `low` are before the key, and those at marks from `high` on are not.
        int low = 0;
        int high = run.markCount();
        while (low < high) {
            int middle = (low + high) >>> 1;
            LineCursor cursor = cursorAt(run, middle, own);
            cursor.next();
            if (cursor.compare(key, 0, key.length) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return run.from();
        }
        long position = run.mark(low - 1);
        long end = run.mark(low);
        LineCursor cursor = cursorAt(run, low - 1, own);
        while (position < end && cursor.next() && cursor.compare(key, 0, key.length) < 0) {
            position += cursor.to() - cursor.from() + 1;
        }
        return position;
    }
}
