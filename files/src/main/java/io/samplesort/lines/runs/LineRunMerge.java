package io.samplesort.lines.runs;

import io.samplesort.lines.flow.LineSink;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.LongLine;
import io.samplesort.lines.flow.OrderedBlocks;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.lines.keys.LineKeys;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/// Merges sorted runs of lines with several threads. [RunDivision] divides the lines into parts, which are merged at
/// the same time and handed on in their order.
public final class LineRunMerge {
    private final List<LineRun> runs;
    private final LineKeys keys;
    private final byte terminator;
    private final MergePlan plan;
    private final Repeats repeats;
    private final LongConsumer moved;
    private final LineSink sink;
    private final LineTally tally;

    /// @param repeats what becomes of equal lines
    /// @param moved   is called with the bytes that were read, by several threads
    /// @param tally   counts the lines
    public LineRunMerge(
            List<LineRun> runs,
            LineKeys keys,
            byte terminator,
            MergePlan plan,
            Repeats repeats,
            LongConsumer moved,
            LineSink sink,
            LineTally tally) {
        this.runs = runs;
        this.keys = keys;
        this.terminator = terminator;
        this.plan = plan;
        this.repeats = repeats;
        this.moved = moved;
        this.sink = sink;
        this.tally = tally;
    }

    public void merge() throws IOException {
        RunDivision division = new RunDivision(runs, keys, terminator, plan);
        try (Arena arena = Arena.ofShared()) {
            Queue<Place> freePlaces = new ConcurrentLinkedQueue<>();
            for (int i = 0; i < plan.threads(); i++) {
                freePlaces.add(new Place(arena));
            }
            OrderedBlocks.run(plan.threads(), division.parts(), (number, turns) -> {
                Place place = freePlaces.remove();
                RunDivision.Part part = division.part((int) number, place.probe);
                LineMerge merge =
                        new LineMerge(place.block, place.ranges, repeats, new InTurn(number, turns, sink), tally);
                MemorySegment rest = merge.merge(place.cursors(part), part.commonBytes());
                sink.end(rest, number, turns);
                freePlaces.add(place);
            });
        }
    }

    /// What a thread needs to merge. Its buffers are kept for the next part, because new ones for each part would keep
    /// the garbage collector busy.
    private final class Place {
        private final MemorySegment block;
        private final RangeComparison ranges;
        private final LineCursor probe = new LineCursor(null, keys.copy(), terminator, RunDivision.PROBE_BYTES);
        private final List<LineCursor> cursors = new ArrayList<>();

        Place(Arena arena) {
            this.block = arena.allocate(plan.blockBytes());
            this.ranges = new RangeComparison(arena);
        }

        /// Returns a cursor for each run that has lines in a part.
        List<LineCursor> cursors(RunDivision.Part part) {
            int used = 0;
            for (int run = 0; run < runs.size(); run++) {
                long from = part.from(run);
                long to = part.to(run);
                if (from < to) {
                    if (used == cursors.size()) {
                        cursors.add(new LineCursor(null, keys.copy(), terminator, bufferBytes()));
                    }
                    cursors.get(used++).restart(new RunInput(runs.get(run), from, to, moved));
                }
            }
            return cursors.subList(0, used);
        }

        private int bufferBytes() {
            long longest = runs.stream().mapToLong(LineRun::byteSize).max().orElse(0);
            return Math.clamp(longest, 1, plan.bufferBytes());
        }
    }

    /// Hands lines on when it is their part's turn.
    private record InTurn(long part, OrderedBlocks turns, LineSink sink) implements LineSink {
        @Override
        public long longestLine() {
            return sink.longestLine();
        }

        @Override
        public void append(MemorySegment lines) throws IOException {
            turns.await(part);
            sink.append(lines);
        }

        @Override
        public void append(LongLine line, MemorySegment window) throws IOException {
            turns.await(part);
            sink.append(line, window);
        }
    }
}
