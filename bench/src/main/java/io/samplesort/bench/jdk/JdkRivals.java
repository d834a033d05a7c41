package io.samplesort.bench.jdk;

import io.samplesort.SampleSort;
import io.samplesort.types.Keys;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// All calls of [SampleSort] that have a rival in the JDK.
final class JdkRivals {
    /// An object with two keys, of which the first has 1024 different values.
    private record Item(int key, int first, int second) {
        static Item[] of(long[] keys) {
            return mapped(keys, Item[]::new, key -> new Item((int) (key >> 32), (int) (key >> 54), (int) (key >> 22)));
        }
    }

    private static final Comparator<Item> BY_KEY = Comparator.comparingInt(Item::key);

    private static final Comparator<Item> BY_TWO =
            Comparator.comparingInt(Item::first).thenComparingInt(Item::second);

    private static final Keys<Item> KEY = Keys.comparingInt(Item::key);

    private static final Keys<Item> TWO_KEYS = Keys.comparingInt(Item::first).thenComparingInt(Item::second);

    private JdkRivals() {}

    static List<JdkRival<?>> all() {
        return List.of(
                numbers("byte", JdkRivals::bytes, byte[]::clone, SampleSort::sort, Arrays::sort),
                numbers("short", JdkRivals::shorts, short[]::clone, SampleSort::sort, Arrays::sort),
                numbers("char", JdkRivals::chars, char[]::clone, SampleSort::sort, Arrays::sort),
                numbers("int", JdkRivals::ints, int[]::clone, SampleSort::sort, Arrays::sort),
                numbers("long", long[]::clone, long[]::clone, SampleSort::sort, Arrays::sort),
                numbers("float", JdkRivals::floats, float[]::clone, SampleSort::sort, Arrays::sort),
                numbers("double", JdkRivals::doubles, double[]::clone, SampleSort::sort, Arrays::sort),
                objects("String", JdkRivals::strings, SampleSort::sort, Arrays::sort),
                objects(
                        "Integer",
                        JdkRivals::integers,
                        boxed -> SampleSort.sort(boxed, Comparator.naturalOrder()),
                        Arrays::sort),
                objects("object-by-key", Item::of, items -> SampleSort.sort(items, KEY), a -> Arrays.sort(a, BY_KEY)),
                objects(
                        "object-by-two-keys",
                        Item::of,
                        items -> SampleSort.sort(items, TWO_KEYS),
                        items -> Arrays.sort(items, BY_TWO)),
                objects(
                        "object-by-comparator",
                        Item::of,
                        items -> SampleSort.sort(items, BY_TWO),
                        items -> Arrays.sort(items, BY_TWO)),
                indexes("argsort-int", JdkRivals::ints, int[]::clone, SampleSort::argsort, JdkRivals::packed),
                indexes(
                        "argsort-long",
                        long[]::clone,
                        long[]::clone,
                        SampleSort::argsort,
                        keys -> boxed(keys.length, Comparator.comparingLong(i -> keys[i]))),
                indexes(
                        "argsort-float",
                        JdkRivals::floats,
                        float[]::clone,
                        SampleSort::argsort,
                        keys -> boxed(keys.length, (i, j) -> Float.compare(keys[i], keys[j]))),
                indexes(
                        "argsort-double",
                        JdkRivals::doubles,
                        double[]::clone,
                        SampleSort::argsort,
                        keys -> boxed(keys.length, Comparator.comparingDouble(i -> keys[i]))),
                indexes(
                        "argsort-String",
                        JdkRivals::strings,
                        String[]::clone,
                        SampleSort::argsort,
                        keys -> boxed(keys.length, Comparator.comparing(i -> keys[i]))));
    }

    private static <A> JdkRival<A> numbers(
            String name, Function<long[], A> make, UnaryOperator<A> copy, Consumer<A> ours, Consumer<A> theirs) {
        return new JdkRival<>(name, false, make, copy, inPlace(ours), inPlace(theirs));
    }

    private static <T> JdkRival<T[]> objects(
            String name, Function<long[], T[]> make, Consumer<T[]> ours, Consumer<T[]> theirs) {
        return new JdkRival<>(name, true, make, T[]::clone, inPlace(ours), inPlace(theirs));
    }

    private static <A> JdkRival<A> indexes(
            String name,
            Function<long[], A> make,
            UnaryOperator<A> copy,
            Function<A, Object> ours,
            Function<A, Object> theirs) {
        return new JdkRival<>(name, false, make, copy, ours, theirs);
    }

    private static <A> Function<A, Object> inPlace(Consumer<A> sort) {
        return array -> {
            sort.accept(array);
            return array;
        };
    }

    /// Sorts the keys of ints with their indexes in the lower halves of longs.
    private static long[] packed(int[] keys) {
        long[] packed = new long[keys.length];
        for (int i = 0; i < keys.length; i++) {
            packed[i] = (long) keys[i] << Integer.SIZE | i;
        }
        Arrays.sort(packed);
        return packed;
    }

    /// Sorts boxed indexes by the keys that they stand for.
    private static Integer[] boxed(int count, Comparator<Integer> order) {
        Integer[] indexes = IntStream.range(0, count).boxed().toArray(Integer[]::new);
        Arrays.sort(indexes, order);
        return indexes;
    }

    private static byte[] bytes(long[] keys) {
        byte[] bytes = new byte[keys.length];
        for (int i = 0; i < keys.length; i++) {
            bytes[i] = (byte) (keys[i] >> 56);
        }
        return bytes;
    }

    private static short[] shorts(long[] keys) {
        short[] shorts = new short[keys.length];
        for (int i = 0; i < keys.length; i++) {
            shorts[i] = (short) (keys[i] >> 48);
        }
        return shorts;
    }

    /// The inverted sign bit turns the order of longs into that of chars.
    private static char[] chars(long[] keys) {
        char[] chars = new char[keys.length];
        for (int i = 0; i < keys.length; i++) {
            chars[i] = (char) ((keys[i] ^ Long.MIN_VALUE) >>> 48);
        }
        return chars;
    }

    private static int[] ints(long[] keys) {
        return Arrays.stream(keys).mapToInt(key -> (int) (key >> 32)).toArray();
    }

    private static float[] floats(long[] keys) {
        float[] floats = new float[keys.length];
        for (int i = 0; i < keys.length; i++) {
            floats[i] = keys[i] >> 40;
        }
        return floats;
    }

    private static double[] doubles(long[] keys) {
        return Arrays.stream(keys).mapToDouble(key -> key >> 11).toArray();
    }

    /// 16 hexadecimal digits for each key.
    private static String[] strings(long[] keys) {
        return mapped(keys, String[]::new, key -> "%016x".formatted(key ^ Long.MIN_VALUE));
    }

    private static Integer[] integers(long[] keys) {
        return mapped(keys, Integer[]::new, key -> (Integer) (int) (key >> 32));
    }

    private static <T> T[] mapped(long[] keys, IntFunction<T[]> array, LongFunction<T> element) {
        return Arrays.stream(keys).mapToObj(element).toArray(array);
    }
}
