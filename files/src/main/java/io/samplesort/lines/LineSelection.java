package io.samplesort.lines;

import io.samplesort.lines.chunks.Chunk;
import io.samplesort.lines.chunks.CutLines;
import io.samplesort.lines.chunks.LineFilter;
import io.samplesort.lines.chunks.MemoryShares;
import io.samplesort.lines.flow.LineCut;
import io.samplesort.lines.flow.LineSources;
import io.samplesort.lines.flow.LineTally;
import io.samplesort.lines.flow.Repeats;
import io.samplesort.types.Strings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Reads lines of which only the first or the last ones in order are wanted. Now and then, the lines read so far are
/// sorted, and only those that are wanted stay. From then on, all lines behind the last of these are left out at once,
/// so that hardly any line is ever sorted.
final class LineSelection {
    /// Each thread reads this many blocks before lines are left out, while they are still in the processor's caches.
    private static final int BLOCKS_OF_A_THREAD = 2;

    /// If less than the memory divided by this gets free, sorting again and again would take longer than a sort in
    /// parts.
    private static final int LEAST_FREED = 4;

    private final LineJob job;
    private final LineCut cut;
    private final LineFilter filter;
    private final LineTally tally;
    private final PhaseClock clock;
    private final long step;

    /// Sorts the lines of a chunk.
    interface ChunkOrder {
        /// @return what stands for the lines; the permutation of the chunk is their order
        Strings sort() throws IOException;
    }

    /// @param job   only some of its lines are wanted
    /// @param tally counts the lines that are left out
    LineSelection(LineJob job, MemoryShares shares, LineTally tally, PhaseClock clock) {
        this.job = job;
        this.cut = job.cut();
        // Equal lines differ only where whole lines are not compared.
        boolean keepsEqual =
                cut.isLast() && job.repeats() == Repeats.KEPT && !job.order().comparesWholeLines();
        this.filter = new LineFilter(job.keys(), cut, keepsEqual, shares);
        this.tally = tally;
        this.clock = clock;
        this.step = (long) BLOCKS_OF_A_THREAD * shares.threads() * shares.readBytes();
    }

    /// Fills a chunk with lines that may be wanted. If more lines follow afterwards, there is no room in the memory for
    /// those that are wanted.
    void fill(Chunk chunk, LineSources sources, ChunkOrder order) throws IOException {
        chunk.begin();
        long kept = 0;
        while (true) {
            long checked = chunk.count();
            long most = Math.max(step, chunk.restBytes());
            boolean isFull = clock.timed("read", () -> chunk.add(sources, most));
            long filled = filled(chunk);
            clock.run("filter", () -> filter.apply(chunk, checked, tally));
            if (chunk.isLast(sources)) {
                return;
            }
            boolean hasGrown = kept == 0 || filled(chunk) - kept >= Math.max(kept, step);
            if (chunk.count() > cut.count() && (isFull || hasGrown)) {
                Strings keys = order.sort();
                clock.run("filter", () -> cut(chunk, keys).leave(chunk, tally));
                kept = chunk.byteSize();
            }
            if (isFull && filled - filled(chunk) <= filled / LEAST_FREED) {
                return;
            }
        }
    }

    private static long filled(Chunk chunk) {
        return chunk.byteSize() + chunk.restBytes();
    }

    /// Returns the lines of a sorted chunk that are wanted.
    ///
    /// @param keys what stands for the lines
    CutLines cut(Chunk chunk, Strings keys) {
        CutLines found = new CutLines(cut, chunk.lines(), keys, chunk.permutation(), job.repeats() == Repeats.LEFT_OUT);
        filter.bound(found);
        return found;
    }

    /// Counts the lines of a sorted chunk that are not wanted.
    ///
    /// @return the permutation of the others
    MemorySegment wanted(Chunk chunk, Strings keys) {
        CutLines found = cut(chunk, keys);
        found.dropOthers(tally);
        return found.permutation();
    }
}
