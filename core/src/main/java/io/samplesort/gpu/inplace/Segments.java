package io.samplesort.gpu.inplace;

import io.samplesort.gpu.plan.GivenSegments;
import io.samplesort.gpu.sort.PageShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// What the passes behind the first one divide: the buckets that have elements, large ones in parts.
final class Segments {
    private long[] sizes = new long[64];
    private long[] begins = new long[64];
    private long[] parts = new long[64];
    private boolean[] areEqual = new boolean[64];
    private int size;
    private boolean isInOrder = true;

    /// Makes segments of buckets. An equality bucket may be larger than a segment can be: it is divided, as any of its
    /// elements may come first. If another bucket has to be, the parts do not follow each other in order.
    ///
    /// @param bucketSizes elements of each bucket
    /// @param areEqual    whether all keys of a bucket are equal
    /// @param most        elements that a segment has at most, in whole pages
    /// @param part        the room that a segment of some size takes
    Segments(PageShape shape, long[] bucketSizes, boolean[] areEqual, long most, LongUnaryOperator part) {
        long firstPage = 0;
        for (int bucket = 0; bucket < bucketSizes.length; bucket++) {
            for (long taken = 0; taken < bucketSizes[bucket]; taken += most) {
                long count = Math.min(most, bucketSizes[bucket] - taken);
                isInOrder &= areEqual[bucket] || count == bucketSizes[bucket];
                add(count, firstPage * shape.pageSize() + taken, part.applyAsLong(count), areEqual[bucket]);
            }
            firstPage += shape.pagesFor(bucketSizes[bucket]);
        }
    }

    private void add(long count, long begin, long part, boolean isEqual) {
        if (size == sizes.length) {
            sizes = Arrays.copyOf(sizes, 2 * size);
            begins = Arrays.copyOf(begins, 2 * size);
            parts = Arrays.copyOf(parts, 2 * size);
            areEqual = Arrays.copyOf(areEqual, 2 * size);
        }
        sizes[size] = count;
        begins[size] = begin;
        parts[size] = part;
        areEqual[size] = isEqual;
        size++;
    }

    int size() {
        return size;
    }

    /// Returns whether no element of a segment comes before one of the segment before it.
    boolean isInOrder() {
        return isInOrder;
    }

    /// Returns where a segment begins in the list of all pages, in elements.
    long begin(int segment) {
        return begins[segment];
    }

    /// Returns the room that each segment takes.
    long[] parts() {
        return Arrays.copyOf(parts, size);
    }

    GivenSegments given() {
        return new GivenSegments(
                Arrays.copyOf(sizes, size), Arrays.copyOf(begins, size), Arrays.copyOf(areEqual, size));
    }

    /// Joins neighbours to regions.
    ///
    /// @param headSize     the room that there is for a region
    /// @param mostSegments segments that a region has at most
    List<Region> regions(long headSize, int mostSegments) {
        List<Region> regions = new ArrayList<>();
        long place = 0;
        int segment = 0;
        while (segment < size) {
            int first = segment;
            long count = 0;
            long room = 0;
            while (segment < size
                    && segment - first < mostSegments
                    && (segment == first || room + parts[segment] <= headSize)) {
                room += parts[segment];
                count += sizes[segment];
                segment++;
            }
            regions.add(new Region(first, segment, place, count));
            place += count;
        }
        return regions;
    }

    /// Returns where each segment has its part of the room for its region.
    long[] partBegins(List<Region> regions) {
        long[] partBegins = new long[size];
        for (Region region : regions) {
            long room = 0;
            for (int segment = region.firstSegment(); segment < region.lastSegment(); segment++) {
                partBegins[segment] = room;
                room += parts[segment];
            }
        }
        return partBegins;
    }
}
