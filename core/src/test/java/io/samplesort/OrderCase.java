package io.samplesort;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Rows whose keys are easy to order wrongly, and the one order that they have to come in. A key is known by its rank:
/// its place in a list that is written down in order below.
///
/// @param ranks     the rank of each row's key; [#NULL] where the row is null
/// @param direction which way the rows come
public record OrderCase(int[] ranks, Direction direction) {
    /// The rank of a row that is null.
    public static final int NULL = -1;

    /// All doubles that are special, in order. The NaNs without a sign come before those with one, whose bits descend.
    public static final double[] DOUBLES = Stream.of(
                    0xfff0000000000000L,
                    0xbff8000000000000L,
                    0x8000000000000001L,
                    0x8000000000000000L,
                    0L,
                    1L,
                    0x3ff8000000000000L,
                    0x7ff0000000000000L,
                    0x7ff0000000000001L,
                    0x7ff8000000000000L,
                    0x7fffffffffffffffL,
                    0xffffffffffffffffL,
                    0xfff8000000000000L,
                    0xfff0000000000001L)
            .mapToDouble(Double::longBitsToDouble)
            .toArray();

    /// The rank of the first NaN among the doubles.
    public static final int FIRST_NAN = 8;

    /// The bits of floats, in order in the same way.
    public static final int[] FLOAT_BITS = {
        0xff800000,
        0xbfc00000,
        0x80000000,
        0,
        0x3fc00000,
        0x7f800000,
        0x7f800001,
        0x7fc00000,
        0x7fffffff,
        0xffffffff,
        0xffc00000,
        0xff800001
    };

    public static final long[] LONGS = {Long.MIN_VALUE, -256, -1, 0, 1, 255, Long.MAX_VALUE};
    public static final int[] UNSIGNED_INTS = {0, 1, 255, Integer.MAX_VALUE, Integer.MIN_VALUE, -256, -1};

    /// Strings in the order of their bytes in UTF-8.
    public static final List<String> STRINGS =
            List.of("", "\0", "\0\0", "A", "B", "_", "a", "a\0", "ab", "abcdefgh", "abcdefghi", "b", "é", "ü");

    /// Strings in order without regard to the case of ASCII. Those in one line are equal.
    public static final List<List<String>> FOLDED = List.of(
            List.of(""),
            List.of("A", "a"),
            List.of("aB", "Ab", "AB", "ab"),
            List.of("b", "B"),
            List.of("Z", "z"),
            List.of("_"),
            List.of("É"),
            List.of("é"));

    /// A direction, and where nulls come.
    public enum Direction {
        PLAIN(false, false),
        REVERSED(true, true),
        FIRST(false, true),
        FIRST_THEN_REVERSED(true, false),
        REVERSED_THEN_LAST(true, false),
        REVERSED_TWICE(false, false);

        private final boolean isReversed;
        private final boolean nullsFirst;

        Direction(boolean isReversed, boolean nullsFirst) {
            this.isReversed = isReversed;
            this.nullsFirst = nullsFirst;
        }

        public boolean isReversed() {
            return isReversed;
        }

        /// Gives this direction to an order with nulls last.
        public <T> T of(T plain, UnaryOperator<T> reversed, UnaryOperator<T> nullsFirst, UnaryOperator<T> nullsLast) {
            return switch (this) {
                case PLAIN -> plain;
                case REVERSED -> reversed.apply(plain);
                case FIRST -> nullsFirst.apply(plain);
                case FIRST_THEN_REVERSED -> reversed.apply(nullsFirst.apply(plain));
                case REVERSED_THEN_LAST -> nullsLast.apply(reversed.apply(plain));
                case REVERSED_TWICE -> reversed.apply(reversed.apply(plain));
            };
        }
    }

    /// Draws rows with many equal keys, so that the order tells whether a sort is stable.
    public static OrderCase of(int rows, int distinct, boolean withNulls, Direction direction) {
        SplittableRandom random = new SplittableRandom(rows + distinct);
        int least = withNulls ? NULL : 0;
        return new OrderCase(random.ints(rows, least, distinct).toArray(), direction);
    }

    /// Returns the row that comes i-th, for each i. Equal rows keep their order in every direction.
    public int[] expected() {
        Comparator<Integer> byRank = Comparator.comparing(row -> ranks[row]);
        Comparator<Integer> byNull = Comparator.comparing(row -> (ranks[row] == NULL) != direction.nullsFirst);
        return IntStream.range(0, ranks.length)
                .boxed()
                .sorted(byNull.thenComparing(direction.isReversed ? byRank.reversed() : byRank))
                .mapToInt(row -> row)
                .toArray();
    }

    /// Returns the same rows with all keys of at least this rank taken for equal.
    OrderCase withEqual(int least) {
        return new OrderCase(
                Arrays.stream(ranks).map(rank -> Math.min(rank, least)).toArray(), direction);
    }

    /// Returns the key of each row as elements; those of null rows are 0.
    ///
    /// @param inOrder all keys in order
    /// @param bytes   the size of each
    public MemorySegment keys(MemorySegment inOrder, int bytes) {
        MemorySegment keys = Arena.ofAuto().allocate((long) ranks.length * bytes, Long.BYTES);
        for (int row = 0; row < ranks.length; row++) {
            if (ranks[row] != NULL) {
                MemorySegment.copy(inOrder, (long) ranks[row] * bytes, keys, (long) row * bytes, bytes);
            }
        }
        return keys;
    }

    /// Returns a bit for each row, which is 0 if the row is null.
    MemorySegment validity() {
        byte[] bitmap = new byte[Math.ceilDiv(ranks.length, Byte.SIZE)];
        for (int row = 0; row < ranks.length; row++) {
            bitmap[row / Byte.SIZE] |= (byte) (ranks[row] == NULL ? 0 : 1 << row % Byte.SIZE);
        }
        return MemorySegment.ofArray(bitmap);
    }
}
