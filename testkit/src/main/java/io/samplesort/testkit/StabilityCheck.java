package io.samplesort.testkit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/// Checks that equal elements have kept their order in a sort.
///
/// It sorts nothing itself. It goes through the elements as they were, looks in the result for the run of elements
/// equal to each, and expects the element at the first place of that run that is not taken yet. Elements of the same
/// bytes cannot be told apart, and need not be.
public final class StabilityCheck {
    private static final int PIECE = 1 << 16;

    private StabilityCheck() {}

    /// An array of keys or payloads, before and after the sort.
    ///
    /// @param original the array before the sort
    /// @param sorted   the array after it
    /// @param byteSize the bytes of one element
    public record Column(MemorySegment original, MemorySegment sorted, int byteSize) {
        private boolean isSame(long originalIndex, long sortedIndex) {
            return MemorySegment.mismatch(
                            original,
                            originalIndex * byteSize,
                            (originalIndex + 1) * byteSize,
                            sorted,
                            sortedIndex * byteSize,
                            (sortedIndex + 1) * byteSize)
                    == -1;
        }
    }

    /// Returns an index in the result where a stable sort would put another element; empty if the sort was stable. This
    /// takes eight bytes of memory for each element.
    ///
    /// @param keys     the keys, which are known to be in order and as many as before
    /// @param payloads the payloads, which have moved along with the keys
    /// @param order    compares two segments of one key each
    public static OptionalLong violation(Column keys, List<Column> payloads, Comparator<? super MemorySegment> order) {
        long count = keys.original.byteSize() / keys.byteSize;
        try (Arena arena = Arena.ofShared()) {
            // Counts at the first place of each run how many places of the run are taken.
            MemorySegment taken = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
            for (long begin = 0; begin < count; begin += PIECE) {
                long[] runs = LongStream.range(begin, Math.min(count, begin + PIECE))
                        .parallel()
                        .map(i -> firstNotBefore(keys, i, order))
                        .toArray();
                for (int i = 0; i < runs.length; i++) {
                    long index = begin + i;
                    long place = runs[i] < count ? runs[i] + take(taken, runs[i]) : count;
                    if (place == count) {
                        return OptionalLong.of(count - 1);
                    }
                    if (!keys.isSame(index, place) || !payloads.stream().allMatch(c -> c.isSame(index, place))) {
                        return OptionalLong.of(place);
                    }
                }
            }
            return OptionalLong.empty();
        }
    }

    private static long take(MemorySegment taken, long run) {
        long before = taken.getAtIndex(ValueLayout.JAVA_LONG, run);
        taken.setAtIndex(ValueLayout.JAVA_LONG, run, before + 1);
        return before;
    }

    /// Returns where the run of elements equal to this one begins in the result.
    private static long firstNotBefore(Column keys, long originalIndex, Comparator<? super MemorySegment> order) {
        MemorySegment key = ResultCheck.element(keys.original, keys.byteSize, originalIndex);
        long low = 0;
        long high = keys.sorted.byteSize() / keys.byteSize;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (order.compare(ResultCheck.element(keys.sorted, keys.byteSize, middle), key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
