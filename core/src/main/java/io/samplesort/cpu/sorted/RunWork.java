package io.samplesort.cpu.sorted;

/// Finds the first element of each run of equal keys, tile by tile.
final class RunWork implements TileWork {
    /// Takes what was found.
    interface Heads {
        /// Writes the runs that begin in a tile.
        ///
        /// @param tile   its picks are the first elements of runs, counted from the element `from`
        /// @param place  how many runs begin before the tile
        /// @param before where the last of these begins
        void write(Tile tile, long from, int count, long place, long before);
    }

    private final Input input;
    private final Tile tile;
    private final int size;
    private final Heads heads;
    /// The element at place 0 of the tile, which is the one before the first that is looked at.
    private long from;

    private int found;

    /// @param size how many elements a tile has; the capacity of `tile` is one more
    RunWork(Input input, Tile tile, int size, Heads heads) {
        this.input = input;
        this.tile = tile;
        this.size = size;
        this.heads = heads;
    }

    @Override
    public int find(long number) {
        // Element 0 begins a run in any case, and is not looked at.
        from = number * size;
        tile.clear();
        tile.add(input, from, (int) Math.min(size + 1L, input.count() - from));
        tile.load();
        found = tile.pickHeads();
        return found;
    }

    @Override
    public long mark(long mark) {
        return found == 0 ? mark : from + tile.picks()[found - 1];
    }

    @Override
    public void write(long place, long mark) {
        heads.write(tile, from, found, place, mark);
    }
}
