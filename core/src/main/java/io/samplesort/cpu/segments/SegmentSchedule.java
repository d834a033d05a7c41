package io.samplesort.cpu.segments;

import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SegmentOffsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Shares the segments of an array among threads, by elements and not by their number: lengths may differ by any
/// factor, and millions of segments may be empty.
///
/// No list of all segments is made. A segment that is longer than a limit contains an element at a multiple of that
/// limit, so few searches find all of these. Then threads take ranges of elements one after the other, and sort the
/// short segments that begin there.
final class SegmentSchedule {
    /// Short segments of about this many elements are sorted before a thread takes more.
    private static final int GRAIN = 1 << 15;

    /// Segments longer than a thread's share divided by this are sorted by all threads, one after the other.
    private static final int SHARES = 4;

    private final SegmentOffsets offsets;
    private final int threads;

    /// @param threads how many threads may work at once
    SegmentSchedule(SegmentOffsets offsets, int threads) {
        this.offsets = offsets;
        this.threads = offsets.last() - offsets.first() <= GRAIN ? 1 : threads;
    }

    /// Returns how many threads work at once.
    int threads() {
        return threads;
    }

    /// Sorts all segments.
    void run(SegmentWork work) {
        long begin = offsets.first();
        long count = offsets.last() - begin;
        if (count == 0) {
            return;
        }
        long share = Math.max(1, count / ((long) SHARES * threads));
        long shortLimit = work.shortLimit(share);
        List<Segment> large = longerThan(shortLimit);
        // What takes longest comes first.
        large.sort(Comparator.comparingLong(Segment::length).reversed());
        int shared = 0;
        while (threads > 1 && shared < large.size() && large.get(shared).length() > share) {
            Segment segment = large.get(shared++);
            SortWatch.part(() -> work.sortByAll(segment.from, segment.to));
            SortWatch.current().mayStop();
        }
        List<Segment> single = large.subList(shared, large.size());
        long ranges = Math.ceilDiv(count, GRAIN);
        try (Crew crew = new Parallel(threads).crew()) {
            SortWatch watch = crew.watch();
            crew.forRanges(single.size() + ranges, 1, (from, to) -> {
                watch.mayStop();
                if (from < single.size()) {
                    Segment segment = single.get((int) from);
                    SortWatch.unwatched(() -> work.sortByOne(segment.from, segment.to));
                    watch.advance(segment.length());
                } else {
                    long start = begin + (from - single.size()) * GRAIN;
                    watch.advance(sortShort(work, start, Math.min(start + GRAIN, offsets.last()), shortLimit));
                }
            });
        }
    }

    /// Sorts the short segments that begin at the elements `start..end`, and returns how many elements they have.
    private long sortShort(SegmentWork work, long start, long end, long shortLimit) {
        long first = firstFrom(start);
        long last = firstFrom(end);
        long sorted = 0;
        long run = first;
        for (long i = first; i < last; i++) {
            long length = offsets.offset(i + 1) - offsets.offset(i);
            if (length > shortLimit) {
                sortRun(work, run, i);
                run = i + 1;
            } else {
                sorted += length;
            }
        }
        sortRun(work, run, last);
        return sorted;
    }

    private static void sortRun(SegmentWork work, long first, long end) {
        if (first < end) {
            work.sortShort(first, end);
        }
    }

    private List<Segment> longerThan(long limit) {
        List<Segment> found = new ArrayList<>();
        long behind = offsets.first();
        for (long at = behind; at < offsets.last(); at += limit) {
            if (at < behind) {
                continue;
            }
            // The last segment that begins here or before contains this element; those before it are empty.
            long segment = firstFrom(at + 1) - 1;
            long from = offsets.offset(segment);
            behind = offsets.offset(segment + 1);
            if (behind - from > limit) {
                found.add(new Segment(from, behind));
            }
        }
        return found;
    }

    /// Returns the first segment that begins at `element` or after it; the number of segments if there is none.
    private long firstFrom(long element) {
        long low = 0;
        long high = offsets.segmentCount();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (offsets.offset(middle) < element) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private record Segment(long from, long to) {
        long length() {
            return to - from;
        }
    }
}
