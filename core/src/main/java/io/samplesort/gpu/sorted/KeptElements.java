package io.samplesort.gpu.sorted;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.memory.SetOperation;
import java.lang.foreign.MemorySegment;

/// Operations on sorted arrays in device memory that keep some of the elements. Each waits until it knows how many, and
/// writes no more than there is room for.
///
/// @param sort of such elements by index
/// @param told pinned memory for a long
public record KeptElements(DeviceSort sort, Stream stream, MemorySegment told) {
    private static final String LOOKING = "looking for equal elements among %d";

    /// Keeps the first element of each run of equal neighbours, and returns how many there are.
    public long unique(long[] columns, int[] columnBytes, long count, long[] targets, long room) {
        return keepFirst(
                TileColumns.ofOne(columns, targets, columnBytes), count, room, KernelConstants.NO_RUNS, 0, 0, 0);
    }

    /// Does the same with keys alone, and writes how many elements each run has.
    public long counts(long keys, long count, long target, long room, long counts, int countBytes) {
        return keepFirst(keysTo(keys, target), count, room, KernelConstants.RUN_COUNTS, counts, countBytes, room);
    }

    /// Writes where runs begin and, behind that, the number of keys. Returns the number of runs.
    ///
    /// @param room how many offsets there is room for
    public long groups(long keys, long count, long offsets, int offsetBytes, long room) {
        if (count == 0 && room > 0) {
            stream.fill(offsets, (byte) 0, offsetBytes);
        }
        return keepFirst(keysTo(keys, 0), count, 0, KernelConstants.RUN_BEGINS, offsets, offsetBytes, room);
    }

    private TileColumns keysTo(long keys, long target) {
        return TileColumns.ofOne(new long[] {keys}, new long[] {target}, new int[] {sort.columnBytes()[0]});
    }

    private long keepFirst(
            TileColumns columns, long count, long room, int kind, long numbers, int numberBytes, long numberRoom) {
        if (count == 0) {
            return 0;
        }
        try (SortedTiles tiles = new SortedTiles(LOOKING, sort, stream, PhaseTimer.none(), count, 0)) {
            tiles.keepFirst(columns, count, room, kind, numbers, numberBytes, numberRoom);
            return tiles.total(told);
        }
    }

    /// Writes the elements of a set operation, and returns how many there are.
    public long combine(
            SetOperation operation,
            long[] first,
            long firstCount,
            long[] second,
            long secondCount,
            int[] columnBytes,
            long[] targets,
            long room) {
        if (firstCount + secondCount == 0) {
            return 0;
        }
        try (SortedTiles tiles = new SortedTiles(
                "combining %d elements", sort, stream, PhaseTimer.none(), firstCount + secondCount, 0)) {
            tiles.combine(
                    operation, new TileColumns(first, second, targets, columnBytes), firstCount, secondCount, room);
            return tiles.total(told);
        }
    }
}
