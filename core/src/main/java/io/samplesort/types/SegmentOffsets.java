package io.samplesort.types;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Says where the segments of an array begin and end. A segmented sort sorts each of them by itself, in one call.
///
/// Segments lie one after the other: `S` segments have `S + 1` offsets, and segment `i` has the elements from
/// `offset(i)` to `offset(i + 1) - 1`. Offsets count elements, not bytes. They never fall, so segments may be empty,
/// and they begin at any element. What lies before the first and from the last offset on belongs to no segment.
///
/// Values are immutable: they keep copies of the arrays that they were made of.
public final class SegmentOffsets {
    /// Null if there are rows, or if an offset does not fit an int.
    private final int @Nullable [] ints;
    /// Null if there are rows, or if all offsets fit ints.
    private final long @Nullable [] longs;

    private final long count;
    /// 0 if there are no rows.
    private final long rowLength;

    private SegmentOffsets(int @Nullable [] ints, long @Nullable [] longs, long count, long rowLength) {
        this.ints = ints;
        this.longs = longs;
        this.count = count;
        this.rowLength = rowLength;
    }

    /// Returns the segments between these offsets.
    ///
    /// @param offsets one more than there are segments; the array is copied
    /// @throws IllegalArgumentException if there is no offset, the first one is negative, or one is less than the one
    ///     before
    public static SegmentOffsets ofOffsets(int[] offsets) {
        int[] copy = Objects.requireNonNull(offsets, "offsets").clone();
        requireOne(copy.length);
        for (int i = 0; i < copy.length; i++) {
            checkOffset(i, copy[i], i == 0 ? 0 : copy[i - 1]);
        }
        return new SegmentOffsets(copy, null, copy.length - 1L, 0);
    }

    /// Returns the segments between these offsets, as [#ofOffsets(int[])] does.
    public static SegmentOffsets ofOffsets(long[] offsets) {
        long[] copy = Objects.requireNonNull(offsets, "offsets").clone();
        requireOne(copy.length);
        for (int i = 0; i < copy.length; i++) {
            checkOffset(i, copy[i], i == 0 ? 0 : copy[i - 1]);
        }
        return of(copy);
    }

    /// Returns segments of these lengths, of which the first one begins at element 0.
    ///
    /// @param lengths one for each segment; the array is not kept
    /// @throws IllegalArgumentException if a length is negative
    public static SegmentOffsets ofLengths(int[] lengths) {
        long[] offsets = new long[Objects.requireNonNull(lengths, "lengths").length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + checkedLength(i, lengths[i]);
        }
        return of(offsets);
    }

    /// Returns segments of these lengths, as [#ofLengths(int[])] does.
    ///
    /// @throws IllegalArgumentException if a length is negative, or their sum is 2^63 or more
    public static SegmentOffsets ofLengths(long[] lengths) {
        long[] offsets = new long[Objects.requireNonNull(lengths, "lengths").length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + checkedLength(i, lengths[i]);
            if (offsets[i + 1] < 0) {
                throw new IllegalArgumentException("the lengths of the segments 0 to " + i
                        + " have a sum of 2^63 or more: give the lengths in elements");
            }
        }
        return of(offsets);
    }

    /// Returns the rows of a matrix that is stored row by row, from element 0 on. This takes no memory.
    ///
    /// @param rows      how many rows there are
    /// @param rowLength how many elements each has
    /// @throws IllegalArgumentException if a number is negative, or if there are 2^63 elements or 2^63 - 1 rows, or
    /// more
    public static SegmentOffsets ofRows(long rows, long rowLength) {
        boolean areTooMany = rows == Long.MAX_VALUE || rowLength > 0 && rows > Long.MAX_VALUE / rowLength;
        if (rows < 0 || rowLength < 0 || areTooMany) {
            throw new IllegalArgumentException(rows + " rows of " + rowLength
                    + " elements: neither number may be negative, and there must be fewer than 2^63 elements and"
                    + " 2^63 - 1 rows");
        }
        return new SegmentOffsets(null, null, rows, rowLength);
    }

    private static SegmentOffsets of(long[] offsets) {
        if (offsets[offsets.length - 1] > Integer.MAX_VALUE) {
            return new SegmentOffsets(null, offsets, offsets.length - 1L, 0);
        }
        int[] narrow = new int[offsets.length];
        for (int i = 0; i < narrow.length; i++) {
            narrow[i] = (int) offsets[i];
        }
        return new SegmentOffsets(narrow, null, narrow.length - 1L, 0);
    }

    private static void requireOne(int count) {
        if (count == 0) {
            throw new IllegalArgumentException(
                    "there are no offsets: give one more than there are segments, or one alone if there are none");
        }
    }

    private static void checkOffset(int i, long offset, long before) {
        if (offset < before) {
            throw new IllegalArgumentException(
                    i == 0
                            ? "offset 0 is " + offset + ": offsets must not be negative"
                            : "offset " + i + " is " + offset + " and the one before is " + before
                                    + ": offsets must not fall");
        }
    }

    private static long checkedLength(int i, long length) {
        if (length < 0) {
            throw new IllegalArgumentException(
                    "segment " + i + " has the length " + length + ": it must not be negative");
        }
        return length;
    }

    /// Returns where the first `k` elements of each segment lie if these are written one segment after the other, from
    /// element 0 on: segments of `k` elements, or of fewer where a segment has no more. So the results of
    /// `SegmentedSorter.first` lie.
    ///
    /// @throws IllegalArgumentException if `k` is negative
    public SegmentOffsets atMost(long k) {
        if (k < 0) {
            throw new IllegalArgumentException(
                    "the first or last " + k + " elements of each segment: the number must not be negative");
        }
        if (ints == null && longs == null) {
            return ofRows(count, Math.min(k, rowLength));
        }
        long[] offsets = new long[(int) count + 1];
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = offsets[i] + Math.min(k, offset(i + 1) - offset(i));
        }
        return of(offsets);
    }

    /// Returns how many segments there are.
    public long segmentCount() {
        return count;
    }

    /// Returns where segment `i` begins and the one before ends.
    ///
    /// @param i 0 to the number of segments
    /// @throws IndexOutOfBoundsException if there is no such offset
    public long offset(long i) {
        if (ints != null) {
            return ints[Math.toIntExact(i)];
        }
        if (longs != null) {
            return longs[Math.toIntExact(i)];
        }
        Objects.checkIndex(i, count + 1);
        return i * rowLength;
    }

    /// Copies `length` offsets, beginning with `offset(first)`, to `target[at]` and the following places.
    ///
    /// @throws IndexOutOfBoundsException if there are no such offsets or places
    public void copyOffsets(long first, long[] target, int at, int length) {
        Objects.checkFromIndexSize(first, length, count + 1);
        Objects.checkFromIndexSize(at, length, target.length);
        if (ints != null) {
            int from = (int) first;
            for (int i = 0; i < length; i++) {
                target[at + i] = ints[from + i];
            }
        } else if (longs != null) {
            System.arraycopy(longs, (int) first, target, at, length);
        } else {
            for (int i = 0; i < length; i++) {
                target[at + i] = (first + i) * rowLength;
            }
        }
    }

    /// Returns where the first segment begins.
    public long first() {
        return offset(0);
    }

    /// Returns where the last segment ends.
    public long last() {
        return offset(count);
    }

    /// Returns how many segments there are, and where they begin and end.
    @Override
    public String toString() {
        return count + " segments of the elements from " + first() + " to before " + last();
    }

    /// Returns whether `other` has the same offsets.
    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof SegmentOffsets that) || count != that.count) {
            return false;
        }
        if (ints != null && that.ints != null) {
            return Arrays.equals(ints, that.ints);
        }
        long i = 0;
        while (i <= count && offset(i) == that.offset(i)) {
            i++;
        }
        return i > count;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * (31 * count + first()) + last());
    }
}
