package io.samplesort.cpu.sorted;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Combines two inputs as sets, tile by tile.
final class SetWork implements TileWork {
    /// Combines what two inputs have in a tile. For one thread.
    interface Combiner {
        /// Finds the results.
        ///
        /// @param begins where the tile begins in each input
        /// @return how many there are
        int combine(Input first, Input second, long[] begins, int firsts, int seconds);

        /// Writes the columns of the first `count` of these results to targets, from `place` on.
        void write(int count, int[] columnBytes, List<MemorySegment> targets, long place);
    }

    private final Input first;
    private final Input second;
    private final SetCuts cuts;
    private final Combiner combiner;
    private final int size;
    private final int[] columnBytes;
    private final List<MemorySegment> targets;
    /// The cuts where the last tile ended.
    private long[] end = new long[2];

    private long endedTile;

    /// @param combiner has room for `size + 1` elements
    /// @param size     how many elements of both inputs a tile has
    SetWork(
            Input first,
            Input second,
            SetCuts cuts,
            Combiner combiner,
            int size,
            int[] columnBytes,
            List<MemorySegment> targets) {
        this.first = first;
        this.second = second;
        this.cuts = cuts;
        this.combiner = combiner;
        this.size = size;
        this.columnBytes = columnBytes;
        this.targets = targets;
    }

    @Override
    public int find(long number) {
        long[] begin = number == endedTile ? end : cuts.at(number * size, end[0]);
        end = cuts.at(Math.min((number + 1) * size, first.count() + second.count()), begin[0]);
        endedTile = number + 1;
        // Of inputs that are not sorted, a tile may get any elements, but no more than it has room for.
        int firsts = Math.clamp(end[0] - begin[0], 0, size + 1);
        int seconds = Math.clamp(end[1] - begin[1], 0, size + 1 - firsts);
        return combiner.combine(first, second, begin, firsts, seconds);
    }

    @Override
    public void write(long place, int count, long mark) {
        combiner.write(count, columnBytes, targets, place);
    }
}
