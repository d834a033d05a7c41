package io.samplesort.gpu.inplace;

import io.samplesort.gpu.sort.GivenSegments;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Neighbouring buckets that are gathered and sorted together, and where they belong.
///
/// @param begin    the first place
/// @param segments the buckets, one behind the other as they are gathered, without those that are empty
record Region(long begin, GivenSegments segments) {
    long count() {
        long count = 0;
        for (long size : segments.sizes()) {
            count += size;
        }
        return count;
    }

    /// Puts buckets into regions. An equality bucket may be larger than a region: it is divided, as any of its elements
    /// may come first.
    ///
    /// @param sizes        of all buckets
    /// @param areEqual     whether all keys of a bucket are equal
    /// @param most         elements that a region has at most
    /// @param mostSegments buckets that a region has at most
    /// @return null if another bucket is larger than a region
    static List<Region> of(long[] sizes, boolean[] areEqual, long most, int mostSegments) {
        Maker maker = new Maker(mostSegments);
        for (int bucket = 0; bucket < sizes.length; bucket++) {
            long left = sizes[bucket];
            if (left > most && !areEqual[bucket]) {
                return null;
            }
            while (left > 0) {
                if (maker.found == mostSegments || maker.count + Math.min(left, most) > most) {
                    maker.close();
                }
                long part = Math.min(left, most);
                maker.add(part, areEqual[bucket]);
                left -= part;
            }
        }
        maker.close();
        return maker.regions;
    }

    /// Makes one region after the other.
    private static final class Maker {
        private final List<Region> regions = new ArrayList<>();
        private final long[] sizes;
        private final boolean[] areEqual;
        private int found;
        private long count;
        private long begin;

        Maker(int mostSegments) {
            sizes = new long[mostSegments];
            areEqual = new boolean[mostSegments];
        }

        void add(long size, boolean isEqual) {
            sizes[found] = size;
            areEqual[found] = isEqual;
            found++;
            count += size;
        }

        void close() {
            if (found == 0) {
                return;
            }
            long[] begins = new long[found];
            for (int segment = 1; segment < found; segment++) {
                begins[segment] = begins[segment - 1] + sizes[segment - 1];
            }
            GivenSegments segments =
                    new GivenSegments(Arrays.copyOf(sizes, found), begins, Arrays.copyOf(areEqual, found));
            regions.add(new Region(begin, segments));
            begin += count;
            found = 0;
            count = 0;
        }
    }
}
