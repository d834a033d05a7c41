package io.samplesort;

import io.samplesort.types.SegmentOffsets;
import java.util.Arrays;
import java.util.Random;

/// How an array is divided into segments.
public enum SegmentShape {
    /// There are no segments at all.
    NONE {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            return SegmentOffsets.ofOffsets(new int[] {count / 2});
        }
    },
    /// One segment has all elements.
    WHOLE {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            return SegmentOffsets.ofOffsets(new long[] {0, count});
        }
    },
    /// Lengths from 0 to 3, which are shorter than anything that is sorted by SIMD instructions.
    TINY {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            return lengths(count, random, 3, 0);
        }
    },
    /// Rows of 16.
    SIXTEEN {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            return SegmentOffsets.ofRows(count / 16, 16);
        }
    },
    /// Lengths around those of networks, vectors and warps.
    SHORT {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            return lengths(count, random, 70, 0);
        }
    },
    /// Lengths of some hundreds; a third are empty.
    MEDIUM {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            return lengths(count, random, 1200, 3);
        }
    },
    /// Halves of what is left, down to nothing.
    HALVES {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            long[] lengths = new long[40];
            long left = count;
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = left / 2;
                left -= lengths[i];
            }
            return SegmentOffsets.ofLengths(lengths);
        }
    },
    /// One has nearly all elements, among many that are empty or have 8.
    ONE_HUGE {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            int[] lengths = new int[count / 32 + 1];
            int left = count;
            for (int i = 0; i < lengths.length && left >= 8; i++) {
                lengths[i] = random.nextInt(4) == 0 ? 8 : 0;
                left -= lengths[i];
            }
            lengths[lengths.length / 3] += left;
            return SegmentOffsets.ofLengths(lengths);
        }
    },
    /// The first segment begins behind the first element, and the last one ends before the last.
    INSIDE {
        @Override
        public SegmentOffsets offsets(int count, Random random) {
            int[] offsets = random.ints(Math.max(1, count / 100), count / 5, count - count / 7 + 1)
                    .sorted()
                    .toArray();
            return SegmentOffsets.ofOffsets(offsets);
        }
    };

    private static SegmentOffsets lengths(int count, Random random, int most, int emptyOneIn) {
        int[] lengths = new int[count + 1];
        int left = count;
        int segments = 0;
        while (segments < lengths.length && left > 0) {
            boolean isEmpty = emptyOneIn > 0 && random.nextInt(emptyOneIn) == 0;
            lengths[segments] = isEmpty ? 0 : Math.min(left, random.nextInt(most + 1));
            left -= lengths[segments++];
        }
        return SegmentOffsets.ofLengths(Arrays.copyOf(lengths, segments));
    }

    /// Returns segments of an array of this length.
    public abstract SegmentOffsets offsets(int count, Random random);
}
