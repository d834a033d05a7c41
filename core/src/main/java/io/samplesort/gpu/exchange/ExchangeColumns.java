package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.WorkspaceLayout;
import java.lang.foreign.MemorySegment;

/// The columns of one GPU that an exchange moves.
///
/// @param bytes   bytes of an element in each column, the compared elements first
/// @param sources device addresses of the columns; 0 for a column of indexes, which nobody has made yet
/// @param results device addresses of the sorted columns
/// @param hasKeys whether the compared elements are wanted in order, too
record ExchangeColumns(int[] bytes, long[] sources, long[] results, boolean hasKeys) {
    /// Returns columns that are sorted where they are.
    static ExchangeColumns inPlace(DeviceSort sort, ExchangePart part) {
        return new ExchangeColumns(sort.columnBytes(), part.columns(), part.columns(), true);
    }

    /// Returns elements whose indexes go elsewhere in the order of the elements.
    static ExchangeColumns indexes(DeviceSort sort, ExchangePart elements, long permutation, int indexBytes) {
        return new ExchangeColumns(
                new int[] {sort.columnBytes()[0], indexBytes},
                new long[] {elements.columns()[0], 0},
                new long[] {0, permutation},
                false);
    }

    long rowBytes() {
        long sum = 0;
        for (int each : bytes) {
            sum += each;
        }
        return sum;
    }

    /// Returns whether a column is wanted in order.
    boolean isWanted(int column) {
        return column > 0 || hasKeys;
    }

    /// Puts the sort of received columns on a stream.
    ///
    /// @param from device addresses of the columns
    /// @param to   device addresses of the sorted columns; 0 for one that is not wanted
    void enqueueSort(
            DeviceSort sort,
            Stream stream,
            WorkspaceLayout layout,
            long[] from,
            long[] to,
            MemorySegment largestBucket) {
        if (hasKeys) {
            sort.enqueueCopy(stream, layout, from, to, PhaseTimer.none(), largestBucket);
        } else {
            sort.enqueueCopyByIndex(stream, layout, from, to, bytes, PhaseTimer.none(), largestBucket);
        }
    }
}
