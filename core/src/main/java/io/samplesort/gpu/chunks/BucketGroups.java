package io.samplesort.gpu.chunks;

import io.samplesort.gpu.sort.GivenSegments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The buckets that a first pass has left, in groups that are sorted one after another: the arithmetic alone.
///
/// A group is sorted while those before it are on their way back. Nothing is on its way while the first one is sorted,
/// so that one is small. Later ones are larger, since the launches of a sort take a while whatever its size.
final class BucketGroups {
    /// The part of the elements that the first group has at least, and the most that any other needs to have.
    private static final double FIRST = 1.0 / 32;

    private static final double LARGEST = 1.0 / 8;
    private static final double GROWTH = 2;

    /// Buckets that are sorted together.
    ///
    /// @param begin    where the first of them lies in the array that the pass has written
    /// @param place    where they belong
    /// @param count    elements of all of them
    /// @param segments the buckets, from `begin` on
    record Group(long begin, long place, long count, GivenSegments segments) {}

    private BucketGroups() {}

    /// Returns the groups; none of them is empty.
    static List<Group> of(GivenSegments buckets) {
        long[] sizes = buckets.sizes();
        long count = 0;
        for (long size : sizes) {
            count += size;
        }
        List<Group> groups = new ArrayList<>();
        double least = count * FIRST;
        long place = 0;
        int first = 0;
        long elements = 0;
        for (int bucket = 0; bucket < sizes.length; bucket++) {
            elements += sizes[bucket];
            if (elements > 0 && (elements >= least || bucket + 1 == sizes.length)) {
                groups.add(group(buckets, first, bucket + 1, place, elements));
                place += elements;
                first = bucket + 1;
                elements = 0;
                least = Math.min(least * GROWTH, count * LARGEST);
            }
        }
        return groups;
    }

    private static Group group(GivenSegments buckets, int first, int end, long place, long elements) {
        long[] begins = buckets.begins();
        long[] relative = new long[end - first];
        for (int i = 0; i < relative.length; i++) {
            relative[i] = begins[first + i] - begins[first];
        }
        GivenSegments segments = new GivenSegments(
                Arrays.copyOfRange(buckets.sizes(), first, end),
                relative,
                Arrays.copyOfRange(buckets.areEqual(), first, end));
        return new Group(begins[first], place, elements, segments);
    }
}
