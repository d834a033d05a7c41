package io.samplesort.cpu.sorted;

/// What one thread does with tiles whose results come one behind the other.
interface TileWork {
    /// Finds the results of a tile, without writing them.
    ///
    /// @return how many there are
    int find(long tile);

    /// Returns what the next tile has to know of this one and those before it.
    ///
    /// @param mark what this tile has to know of those before it; at first 0
    default long mark(long mark) {
        return mark;
    }

    /// Writes the first `count` of the results that were found last.
    ///
    /// @param place how many results the tiles before this one have
    /// @param mark  what this tile has to know of those before it
    void write(long place, int count, long mark);
}
