package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Finds the first element of each run of equal keys, tile by tile.
final class RunWork implements TileWork {
    /// Finds the runs of a tile. For one thread.
    interface Finder {
        /// Finds the elements of a tile that are not equal to the one before them. The first one is not looked at.
        ///
        /// @return how many there are
        int find(Input input, long from, int count);

        /// Returns the places of these elements in the tile.
        int[] places();

        /// Writes the columns of these elements to targets, from `place` on.
        void write(int count, int[] columnBytes, List<MemorySegment> targets, long place);
    }

    /// Takes what was found.
    interface Heads {
        /// Writes the runs that begin in a tile.
        ///
        /// @param found  has the places of the first elements of these runs, counted from the element `from`
        /// @param place  how many runs begin before the tile
        /// @param before where the last of these begins
        void write(Finder found, long from, int count, long place, long before);
    }

    private final Input input;
    private final Finder finder;
    private final int size;
    private final Heads heads;
    /// The element at place 0 of the tile, which is the one before the first that is looked at.
    private long from;

    private int found;

    /// @param finder finds the runs of `size + 1` elements
    RunWork(Input input, Finder finder, int size, Heads heads) {
        this.input = input;
        this.finder = finder;
        this.size = size;
        this.heads = heads;
    }

    @Override
    public int find(long number) {
        // Element 0 begins a run in any case, and is not looked at.
        from = number * size;
        found = finder.find(input, from, (int) Math.min(size + 1L, input.count() - from));
        return found;
    }

    @Override
    public long mark(long mark) {
        return found == 0 ? mark : from + finder.places()[found - 1];
    }

    @Override
    public void write(long place, int count, long mark) {
        heads.write(finder, from, count, place, mark);
    }
}
