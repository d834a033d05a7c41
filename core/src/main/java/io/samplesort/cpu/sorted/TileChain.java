package io.samplesort.cpu.sorted;

import io.samplesort.cpu.threads.Crew;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Lets threads work on tiles whose results come one behind the other. Threads take tiles from first to last. Each
/// finds the results of its tile, waits until those of all tiles before it are counted, and then writes its own while
/// the tile is still in its cache. So memory is read once, and a thread waits only for a few others that are at work.
final class TileChain {
    /// So often a thread looks for its turn before it lets others run on its core.
    private static final int PATIENCE = 1 << 12;

    private static final long PAUSE_NANOS = 10_000;

    private final Crew crew;
    private final long tiles;
    /// How many results there can be. Tiles of inputs that are not sorted may overlap, and so find more.
    private final long most;
    /// Results beyond this place are not written.
    private final long room;
    private final AtomicLong next = new AtomicLong();
    /// The tile whose turn it is to count its results. This guards the next two.
    private volatile long turn;

    private long total;
    private long mark;
    /// Whether a thread has failed, for which others would wait forever.
    private volatile boolean isBroken;

    TileChain(Crew crew, long tiles, long most, long room) {
        this.crew = crew;
        this.tiles = tiles;
        this.most = most;
        this.room = room;
    }

    /// Runs the work of all tiles and returns how many results there are.
    ///
    /// @param works makes the work of a thread
    long run(Supplier<TileWork> works) {
        crew.forRanges(Math.min(crew.size(), tiles), 1, (from, to) -> {
            boolean isDone = false;
            try {
                work(works);
                isDone = true;
            } finally {
                isBroken |= !isDone;
            }
        });
        return total;
    }

    private void work(Supplier<TileWork> works) {
        TileWork work = null;
        for (long tile = next.getAndIncrement(); tile < tiles && !isBroken; tile = next.getAndIncrement()) {
            crew.watch().mayStopReading();
            if (work == null) {
                work = works.get();
            }
            int found = work.find(tile);
            if (!awaitTurn(tile)) {
                return;
            }
            long place = total;
            found = (int) Math.min(found, most - place);
            long before = mark;
            total = place + found;
            mark = work.mark(before);
            turn = tile + 1;
            if (place + found <= room) {
                work.write(place, found, before);
            }
        }
    }

    /// Returns the mark after the last tile.
    long mark() {
        return mark;
    }

    /// Returns false if the turn of this tile never comes.
    private boolean awaitTurn(long tile) {
        for (int looks = 0; turn != tile; looks++) {
            if (isBroken) {
                return false;
            }
            if (looks < PATIENCE) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return true;
    }
}
