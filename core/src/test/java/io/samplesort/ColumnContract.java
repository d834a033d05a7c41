package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Sorts of rows by generated key columns, on any device, against the JDK's stable sort by a comparator of row numbers
/// that is made from the values themselves.
public abstract class ColumnContract {
    private static final long SEED = Long.getLong("tests.seed", 1);

    /// More rows take the JDK long, so only each eighth schema has them.
    private static final int MANY = 1 << 13;

    /// One in this many schemas has columns of most kinds, together with others.
    private static final int FEW = 3;

    protected abstract SorterBuilder builder();

    protected abstract int[] sizes();

    /// How many schemas are generated for each size.
    protected abstract int schemas();

    /// Returns the order of rows.
    protected int[] argsort(ColumnSorter sorter, KeyColumn... keys) {
        return sorter.argsort(keys);
    }

    /// Returns the order of rows as longs.
    protected long[] wideArgsort(ColumnSorter sorter, int count, KeyColumn... keys) {
        long[] permutation = new long[count];
        if (count > 0) {
            sorter.argsort(List.of(keys), MemorySegment.ofArray(permutation));
        }
        return permutation;
    }

    /// A column, what it is for people, and how its rows compare.
    record Drawn(KeyColumn column, String name, Comparator<Integer> comparator) {}

    /// Draws a column of any kind. Few values are distinct, so that later columns matter.
    static Drawn draw(SplittableRandom random, int count) {
        int distinct = 1 << random.nextInt(0, 8);
        int kind = random.nextInt(11);
        boolean isUnsigned = random.nextBoolean();
        Drawn values = switch (kind) {
            case 0 -> {
                byte[] v = new byte[count];
                IntStream.range(0, count).forEach(i -> v[i] = (byte) random.nextInt(distinct));
                yield of(KeyColumn.of(v), "byte", isUnsigned, i -> v[i], i -> v[i] & 0xff);
            }
            case 1 -> {
                short[] v = new short[count];
                IntStream.range(0, count).forEach(i -> v[i] = (short) (random.nextInt(distinct) * 1000));
                yield of(KeyColumn.of(v), "short", isUnsigned, i -> v[i], i -> v[i] & 0xffff);
            }
            case 2 -> {
                char[] v = new char[count];
                IntStream.range(0, count).forEach(i -> v[i] = (char) (random.nextInt(distinct) * 1000));
                yield of(KeyColumn.of(v), "char", isUnsigned, i -> v[i], i -> v[i]);
            }
            case 3 -> {
                int[] v = new int[count];
                IntStream.range(0, count).forEach(i -> v[i] = random.nextInt(distinct) * 0x1234567);
                yield of(KeyColumn.of(v), "int", isUnsigned, i -> v[i], i -> v[i] & 0xffff_ffffL);
            }
            case 4 -> {
                long[] v = new long[count];
                IntStream.range(0, count).forEach(i -> v[i] = (random.nextInt(distinct) - 1) * 0x1234_5678_9abc_def1L);
                yield new Drawn(
                        isUnsigned ? KeyColumn.of(v).unsigned() : KeyColumn.of(v),
                        isUnsigned ? "unsigned long" : "long",
                        isUnsigned ? (a, b) -> Long.compareUnsigned(v[a], v[b]) : (a, b) -> Long.compare(v[a], v[b]));
            }
            case 5 -> {
                float[] some = {0f, -0f, Float.NaN, Float.intBitsToFloat(0xffc0_0001), 1, -1, Float.MIN_VALUE, 3e38f};
                float[] v = new float[count];
                IntStream.range(0, count).forEach(i -> v[i] = some[random.nextInt(some.length)]);
                yield new Drawn(KeyColumn.of(v), "float", (a, b) -> compare(v[a], v[b]));
            }
            case 6 -> {
                double[] some = {0, -0.0, Double.NaN, Double.longBitsToDouble(-1), 1, -1, Double.MIN_VALUE, 1e300};
                double[] v = new double[count];
                IntStream.range(0, count)
                        .forEach(i -> v[i] =
                                random.nextBoolean() ? some[random.nextInt(some.length)] : random.nextInt(distinct));
                yield new Drawn(KeyColumn.of(v), "double", (a, b) -> compare(v[a], v[b]));
            }
            case 7 -> {
                double[] v = random.doubles(count, -1, 1).toArray();
                yield new Drawn(KeyColumn.of(v), "random double", (a, b) -> compare(v[a], v[b]));
            }
            case 8 -> {
                int length = random.nextInt(1, 40);
                byte[][] v = strings(random, count, distinct);
                byte[] bytes = new byte[count * length];
                IntStream.range(0, count).forEach(i -> {
                    v[i] = Arrays.copyOf(v[i], length);
                    System.arraycopy(v[i], 0, bytes, i * length, length);
                });
                yield new Drawn(
                        KeyColumn.ofFixedStrings(MemorySegment.ofArray(bytes), length),
                        "bytes[" + length + "]",
                        (a, b) -> Arrays.compareUnsigned(v[a], v[b]));
            }
            default -> {
                byte[][] v = strings(random, count, distinct);
                Strings strings = Strings.copyOf(v);
                yield new Drawn(KeyColumn.of(strings), "strings", (a, b) -> Arrays.compareUnsigned(v[a], v[b]));
            }
        };
        return withRules(values, random, count);
    }

    /// Draws a column of any kind, with or without nulls.
    public static KeyColumn anyColumn(SplittableRandom random, int count) {
        return draw(random, count).column;
    }

    private interface Value {
        long at(int row);
    }

    private static Drawn of(KeyColumn column, String name, boolean isUnsigned, Value signed, Value unsigned) {
        Value value = isUnsigned ? unsigned : signed;
        return new Drawn(
                isUnsigned ? column.unsigned() : column,
                (isUnsigned ? "unsigned " : "") + name,
                Comparator.comparingLong(value::at));
    }

    private static byte[][] strings(SplittableRandom random, int count, int distinct) {
        byte[][] pool = new byte[distinct][];
        for (int i = 0; i < distinct; i++) {
            byte[] string = new byte[random.nextInt(4) == 0 ? random.nextInt(60) : random.nextInt(4)];
            for (int at = 0; at < string.length; at++) {
                string[at] = (byte) (at < 20 && random.nextInt(3) > 0 ? 'a' : random.nextInt(4) * 85);
            }
            pool[i] = string;
        }
        return IntStream.range(0, count)
                .mapToObj(i -> pool[random.nextInt(distinct)])
                .toArray(byte[][]::new);
    }

    /// NaNs without a sign come in the order of their bits, and then those with a sign in the opposite order.
    private static int compare(double a, double b) {
        if (!Double.isNaN(a) || !Double.isNaN(b)) {
            return Double.compare(a, b);
        }
        long bitsA = Double.doubleToRawLongBits(a);
        long bitsB = Double.doubleToRawLongBits(b);
        return bitsA < 0 || bitsB < 0 ? Long.compare(bitsB, bitsA) : Long.compare(bitsA, bitsB);
    }

    /// Gives a column a direction and nulls.
    private static Drawn withRules(Drawn values, SplittableRandom random, int count) {
        KeyColumn column = values.column;
        String name = values.name;
        Comparator<Integer> comparator = values.comparator;
        if (random.nextBoolean()) {
            column = column.reversed();
            comparator = comparator.reversed();
            name += " desc";
        }
        if (random.nextInt(3) == 0) {
            byte[] bitmap = new byte[(count + 7) / 8 + 3];
            int frequent = random.nextInt(2, 10);
            IntStream.range(0, count)
                    .forEach(i -> bitmap[i / 8] |= (byte) (random.nextInt(frequent) > 0 ? 1 << i % 8 : 0));
            boolean nullsFirst = random.nextBoolean();
            column = column.validity(MemorySegment.ofArray(bitmap));
            column = nullsFirst ? column.nullsFirst() : column.nullsLast();
            name += nullsFirst ? " nulls first" : " nulls last";
            Comparator<Integer> ofValues = comparator;
            comparator = (a, b) -> {
                boolean isNullA = (bitmap[a / 8] >> a % 8 & 1) == 0;
                boolean isNullB = (bitmap[b / 8] >> b % 8 & 1) == 0;
                if (isNullA || isNullB) {
                    return isNullA && isNullB ? 0 : isNullA == nullsFirst ? -1 : 1;
                }
                return ofValues.compare(a, b);
            };
        }
        return new Drawn(column, name, comparator);
    }

    /// A few columns of any kinds, and the very order of their rows that the JDK finds.
    @Test
    void ordersRowsAsTheJdkDoes() {
        for (long seed = SEED; seed < SEED + Math.ceilDiv(schemas(), FEW); seed++) {
            ordersRowsAsTheJdkDoes(seed);
        }
    }

    @Test
    @Tag("exhaustive")
    void ordersMoreRowsAsTheJdkDoes() {
        for (long seed = SEED + Math.ceilDiv(schemas(), FEW); seed < SEED + schemas(); seed++) {
            ordersRowsAsTheJdkDoes(seed);
        }
    }

    private void ordersRowsAsTheJdkDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        try (ColumnSorter sorter = builder().buildColumns()) {
            for (int size : sizes()) {
                if (size > MANY && seed % 8 != SEED % 8) {
                    continue;
                }
                List<Drawn> schema = new ArrayList<>();
                int columns = random.nextInt(1, 6);
                for (int i = 0; i < columns; i++) {
                    schema.add(draw(random, size));
                }
                Integer[] expected = IntStream.range(0, size).boxed().toArray(Integer[]::new);
                Arrays.sort(
                        expected,
                        schema.stream()
                                .map(Drawn::comparator)
                                .reduce(Comparator::thenComparing)
                                .orElseThrow());
                KeyColumn[] keys = schema.stream().map(Drawn::column).toArray(KeyColumn[]::new);
                String what = schema.stream().map(Drawn::name).toList() + ", " + size + " rows, seed " + seed;
                assertThat(argsort(sorter, keys))
                        .as(what)
                        .containsExactly(
                                Arrays.stream(expected).mapToInt(i -> i).toArray());
                assertThat(wideArgsort(sorter, size, keys))
                        .as(what)
                        .containsExactly(
                                Arrays.stream(expected).mapToLong(i -> i).toArray());
            }
        }
    }
}
