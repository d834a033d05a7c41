package io.samplesort.cpu.sorted;

import io.samplesort.memory.SetOperation;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Combines two inputs as sets, tile by tile.
final class SetWork implements TileWork {
    private final SetOperation operation;
    private final Input first;
    private final Input second;
    private final SetCuts cuts;
    private final Tile tile;
    private final int size;
    private final int[] columnBytes;
    private final List<MemorySegment> targets;
    /// The cuts where the last tile ended.
    private long[] end = new long[2];

    private long endedTile;
    private int found;
    private boolean hasFirst;

    /// @param size how many elements of both inputs a tile has; the capacity of `tile` is one more
    SetWork(
            SetOperation operation,
            Input first,
            Input second,
            SetCuts cuts,
            Tile tile,
            int size,
            int[] columnBytes,
            List<MemorySegment> targets) {
        this.operation = operation;
        this.first = first;
        this.second = second;
        this.cuts = cuts;
        this.tile = tile;
        this.size = size;
        this.columnBytes = columnBytes;
        this.targets = targets;
    }

    @Override
    public int find(long number) {
        long[] begin = number == endedTile ? end : cuts.at(number * size);
        end = cuts.at(Math.min((number + 1) * size, first.count() + second.count()));
        endedTile = number + 1;
        // Of inputs that are not sorted, a tile may get any elements, but no more than it has room for.
        int firsts = Math.clamp(end[0] - begin[0], 0, tile.capacity());
        int seconds = Math.clamp(end[1] - begin[1], 0, tile.capacity() - firsts);
        hasFirst = firsts > 0;
        tile.clear();
        tile.add(first, begin[0], firsts);
        tile.add(second, begin[1], seconds);
        tile.load();
        found = tile.combine(operation, firsts);
        return found;
    }

    @Override
    public void write(long place, long mark) {
        int parts = operation == SetOperation.UNION ? 2 : hasFirst ? 1 : 0;
        tile.write(found, columnBytes, targets, place, parts);
    }
}
