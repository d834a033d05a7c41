package io.samplesort.cpu.segments;

import io.samplesort.cpu.select.CopyMemory;
import io.samplesort.cpu.select.CpuSelector;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Finds the elements that come first or last in each segment of an array, on the CPU. A long segment of which few
/// elements are wanted is filtered by a [CpuSelector]. All others are sorted, many at a time, in a copy. Two threads
/// must not use it at once.
public final class SegmentSelection {
    /// About this many elements are copied at a time, and as many segments.
    private static final int MOST_COPIED = 1 << 20;

    /// Shorter segments are sorted as fast as they are filtered.
    private static final int LEAST_FILTERED = 1 << 14;

    /// If more than one in this many elements is wanted, the segment is sorted.
    private static final int MOST_WANTED = 4;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final ElementType element;
    private final SegmentCpuSorter sorter;
    private final CpuSelector selector;
    private final int parallelism;

    /// @param sorter   of such elements without payloads
    /// @param selector of such elements in the same order
    public SegmentSelection(ElementType element, SegmentCpuSorter sorter, CpuSelector selector, int parallelism) {
        this.element = element;
        this.sorter = sorter;
        this.selector = selector;
        this.parallelism = parallelism;
    }

    /// Writes the first or the last `k` elements of each segment, in order, to `target`: one segment after the other, a
    /// shorter one as a whole.
    ///
    /// @param target room for exactly these elements
    public void select(MemorySegment elements, SegmentOffsets offsets, long k, boolean isLast, MemorySegment target) {
        int bytes = element.byteSize();
        forParts(offsets, k, new Work() {
            @Override
            public void filter(Part part) {
                MemorySegment filtered = slice(elements, part.from, part.to, bytes);
                long first = isLast ? part.to - part.from - k : 0;
                selector.select(
                        List.of(filtered),
                        new int[] {bytes},
                        first,
                        first + k,
                        List.of(slice(target, part.at, part.at + k, bytes)));
            }

            @Override
            public void sort(Part part) {
                try (CopyMemory copy = new CopyMemory(element, part.to - part.from)) {
                    copy.segment().copyFrom(slice(elements, part.from, part.to, bytes));
                    sorter.sort(copy.segment(), List.of(), part.offsets);
                    part.forSegments(
                            k,
                            isLast,
                            isShared(target),
                            (from, count, at) -> MemorySegment.copy(
                                    copy.segment(), from * bytes, target, at * bytes, count * bytes));
                }
            }
        });
    }

    /// Writes the indexes of the first or the last `k` elements of each segment, in the order of these. Of equal
    /// elements of a segment, the one with the smaller index comes first.
    ///
    /// @param indexes    room for exactly as many indexes, counted in the whole array
    /// @param indexBytes bytes of an index, 4 or 8
    public void argselect(
            MemorySegment elements,
            SegmentOffsets offsets,
            long k,
            boolean isLast,
            MemorySegment indexes,
            int indexBytes) {
        int bytes = element.byteSize();
        forParts(offsets, k, new Work() {
            @Override
            public void filter(Part part) {
                long first = isLast ? part.to - part.from - k : 0;
                MemorySegment target = slice(indexes, part.at, part.at + k, indexBytes);
                selector.argselect(slice(elements, part.from, part.to, bytes), first, first + k, target);
                for (long i = 0; i < k; i++) {
                    put(target, i, part.from + get(target, i));
                }
            }

            @Override
            public void sort(Part part) {
                SegmentCpuSorter.checkLengths(part.offsets);
                int[] sorted = new int[(int) (part.to - part.from)];
                sorter.argsort(slice(elements, part.from, part.to, bytes), part.offsets, MemorySegment.ofArray(sorted));
                part.forSegments(k, isLast, isShared(indexes), (from, count, at) -> {
                    for (long i = 0; i < count; i++) {
                        put(indexes, at + i, part.from + sorted[(int) (from + i)]);
                    }
                });
            }

            private long get(MemorySegment target, long place) {
                return indexBytes == Integer.BYTES
                        ? target.get(INT, place * Integer.BYTES)
                        : target.get(LONG, place * Long.BYTES);
            }

            private void put(MemorySegment target, long place, long index) {
                if (indexBytes == Integer.BYTES) {
                    target.set(INT, place * Integer.BYTES, (int) index);
                } else {
                    target.set(LONG, place * Long.BYTES, index);
                }
            }
        });
    }

    private interface Work {
        /// Filters one long segment.
        void filter(Part part);

        /// Sorts all segments of a part.
        void sort(Part part);
    }

    private boolean isShared(MemorySegment target) {
        return parallelism > 1 && Parallel.isShared(target);
    }

    private static MemorySegment slice(MemorySegment column, long from, long to, int bytes) {
        return column.asSlice(from * bytes, (to - from) * bytes);
    }

    private void forParts(SegmentOffsets offsets, long k, Work work) {
        long at = 0;
        for (long i = 0; i < offsets.segmentCount(); ) {
            long end = i;
            long length = length(offsets, i);
            boolean isFiltered = isFiltered(length, k);
            do {
                end++;
            } while (!isFiltered
                    && end < offsets.segmentCount()
                    && end - i < MOST_COPIED
                    && offsets.offset(end + 1) - offsets.offset(i) <= MOST_COPIED
                    && !isFiltered(length(offsets, end), k));
            Part part = Part.of(offsets, i, end, at, parallelism);
            if (isFiltered) {
                work.filter(part);
            } else if (part.from < part.to) {
                work.sort(part);
            }
            for (; i < end; i++) {
                at += Math.min(k, length(offsets, i));
            }
        }
    }

    private static boolean isFiltered(long length, long k) {
        return k > 0 && length >= LEAST_FILTERED && k <= length / MOST_WANTED;
    }

    private static long length(SegmentOffsets offsets, long segment) {
        return offsets.offset(segment + 1) - offsets.offset(segment);
    }

    /// Segments that lie one after the other.
    ///
    /// @param from    their first element
    /// @param to      the element after the last one
    /// @param offsets counted from the first element
    /// @param at      where the results of these segments begin
    private record Part(long from, long to, SegmentOffsets offsets, long at, int threads) {
        private static final int GRAIN = 1 << 12;

        static Part of(SegmentOffsets all, long first, long end, long at, int threads) {
            long[] offsets = new long[(int) (end - first) + 1];
            all.copyOffsets(first, offsets, 0, offsets.length);
            long from = offsets[0];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] -= from;
            }
            return new Part(from, all.offset(end), SegmentOffsets.ofOffsets(offsets), at, threads);
        }

        interface Body {
            /// @param from  the first wanted element, counted from that of the part
            /// @param count how many are wanted
            /// @param at    where they are written
            void accept(long from, long count, long at);
        }

        void forSegments(long k, boolean isLast, boolean isShared, Body body) {
            SegmentOffsets results = offsets.atMost(k);
            new Parallel(isShared ? threads : 1).forRanges(offsets.segmentCount(), GRAIN, (first, last) -> {
                for (long i = first; i < last; i++) {
                    long count = results.offset(i + 1) - results.offset(i);
                    long begin = isLast ? offsets.offset(i + 1) - count : offsets.offset(i);
                    body.accept(begin, count, at + results.offset(i));
                }
            });
        }
    }
}
