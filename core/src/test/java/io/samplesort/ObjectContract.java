package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.types.Keys;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of objects by keys, on any device: the result is the very one of the JDK's stable sort by the comparator that
/// the JDK builds in the same way.
public abstract class ObjectContract {
    private static final long SEED = Long.getLong("tests.seed", 1);

    /// Keys are also tried as a comparator of the JDK's own sort, which takes long.
    private static final int FEW = 1 << 12;

    enum Side {
        BUY,
        SELL {
            @Override
            public String toString() {
                return "sold";
            }
        }
    }

    /// An object with keys of many types, few of them distinct.
    record Trade(
            int id,
            long time,
            double price,
            float weight,
            byte tag,
            char letter,
            boolean isOpen,
            String name,
            String comment,
            Integer rank,
            Double score,
            Side side,
            LocalDate day,
            Version version) {}

    /// A type that a sort can only compare.
    record Version(int major, int minor) implements Comparable<Version> {
        @Override
        public int compareTo(Version other) {
            return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
        }
    }

    protected abstract SorterBuilder builder();

    /// Sizes from none to what several threads sort.
    protected abstract int[] sizes();

    /// The sizes around which an engine takes another way. All orders are tried with them.
    protected int[] fewSizes() {
        return sizes();
    }

    /// What the JDK's and our own keys are built from.
    private record Order(Keys<Trade> keys, Comparator<Trade> comparator) {}

    private static final Map<String, Order> ORDERS = new LinkedHashMap<>();

    static {
        ORDERS.put("int", new Order(Keys.comparingInt(Trade::id), Comparator.comparingInt(Trade::id)));
        ORDERS.put("long", new Order(Keys.comparingLong(Trade::time), Comparator.comparingLong(Trade::time)));
        ORDERS.put("double", new Order(Keys.comparingDouble(Trade::price), Comparator.comparingDouble(Trade::price)));
        ORDERS.put(
                "double desc",
                new Order(
                        Keys.comparingDouble(Trade::price).reversed(),
                        Comparator.comparingDouble(Trade::price).reversed()));
        ORDERS.put("string", new Order(Keys.comparing(Trade::name), Comparator.comparing(Trade::name)));
        ORDERS.put(
                "string desc",
                new Order(
                        Keys.comparing(Trade::name).reversed(),
                        Comparator.comparing(Trade::name).reversed()));
        ORDERS.put(
                "three keys",
                new Order(
                        Keys.comparingDouble(Trade::weight)
                                .reversed()
                                .thenComparingInt(Trade::tag)
                                .thenComparing(Trade::name),
                        Comparator.comparingDouble(Trade::weight)
                                .reversed()
                                .thenComparingInt(Trade::tag)
                                .thenComparing(Trade::name)));
        ORDERS.put(
                "strings between numbers",
                new Order(
                        Keys.comparing(Trade::isOpen)
                                .thenComparing(Trade::name)
                                .reversed()
                                .thenComparing(Trade::letter)
                                .thenComparing(Trade::comment, Comparator.naturalOrder())
                                .nullsLast()
                                .thenComparingDouble(Trade::price),
                        Comparator.comparing(Trade::isOpen)
                                .thenComparing(Trade::name)
                                .reversed()
                                .thenComparing(Trade::letter)
                                .thenComparing(Trade::comment, Comparator.nullsLast(Comparator.naturalOrder()))
                                .thenComparingDouble(Trade::price)));
        ORDERS.put(
                "nulls first",
                new Order(
                        Keys.comparing(Trade::comment).nullsFirst().thenComparingLong(Trade::time),
                        Comparator.comparing(Trade::comment, Comparator.nullsFirst(Comparator.naturalOrder()))
                                .thenComparingLong(Trade::time)));
        ORDERS.put(
                "boxed numbers",
                new Order(
                        Keys.comparing(Trade::rank)
                                .nullsFirst()
                                .reversed()
                                .thenComparing(Trade::score)
                                .nullsLast(),
                        Comparator.comparing(Trade::rank, Comparator.nullsFirst(Comparator.<Integer>naturalOrder()))
                                .reversed()
                                .thenComparing(Trade::score, Comparator.nullsLast(Comparator.naturalOrder()))));
        ORDERS.put(
                "all bits of longs, and nulls",
                new Order(
                        Keys.comparing(ObjectContract::timeOrNull)
                                .nullsLast()
                                .reversed()
                                .thenComparing(Trade::comment)
                                .nullsLast(),
                        Comparator.comparing(
                                        ObjectContract::timeOrNull,
                                        Comparator.nullsLast(Comparator.<Long>naturalOrder()))
                                .reversed()
                                .thenComparing(Trade::comment, Comparator.nullsLast(Comparator.naturalOrder()))));
        ORDERS.put(
                "large numbers",
                new Order(
                        Keys.comparing(ObjectContract::decimal)
                                .reversed()
                                .thenComparing(t -> BigInteger.valueOf(t.time()).shiftLeft(t.tag() & 3)),
                        Comparator.comparing(ObjectContract::decimal)
                                .reversed()
                                .thenComparing(t -> BigInteger.valueOf(t.time()).shiftLeft(t.tag() & 3))));
        ORDERS.put(
                "times",
                new Order(
                        Keys.<Trade, Instant>comparing(t -> Instant.ofEpochSecond(t.id() / 50, t.tag()))
                                .thenComparing(t -> t.day().atTime(0, 0, 0, t.letter()))
                                .reversed(),
                        Comparator.<Trade, Instant>comparing(t -> Instant.ofEpochSecond(t.id() / 50, t.tag()))
                                .thenComparing(t -> t.day().atTime(0, 0, 0, t.letter()))
                                .reversed()));
        ORDERS.put(
                "long strings that begin alike",
                new Order(
                        Keys.comparing(ObjectContract::address).reversed().thenComparing(Trade::isOpen),
                        Comparator.comparing(ObjectContract::address).reversed().thenComparing(Trade::isOpen)));
        ORDERS.put(
                "enum, date, any comparable",
                new Order(
                        Keys.comparing(Trade::side)
                                .thenComparing(Trade::day)
                                .reversed()
                                .thenComparing(Trade::version)
                                .nullsFirst(),
                        Comparator.comparing(Trade::side)
                                .thenComparing(Trade::day)
                                .reversed()
                                .thenComparing(Trade::version, Comparator.nullsFirst(Comparator.naturalOrder()))));
        ORDERS.put(
                "comparators of one's own",
                new Order(
                        Keys.comparing(Trade::name, String.CASE_INSENSITIVE_ORDER)
                                .thenComparing(Trade::comment, Comparator.nullsLast(Comparator.reverseOrder()))
                                .thenComparing(Comparator.comparingInt(Trade::id)),
                        Comparator.comparing(Trade::name, String.CASE_INSENSITIVE_ORDER)
                                .thenComparing(Trade::comment, Comparator.nullsLast(Comparator.reverseOrder()))
                                .thenComparing(Comparator.comparingInt(Trade::id))));
        ORDERS.put(
                "reverse order",
                new Order(
                        Keys.comparing(Trade::name, Comparator.<String>reverseOrder()),
                        Comparator.comparing(Trade::name, Comparator.<String>reverseOrder())));
        ORDERS.put("one value", new Order(Keys.comparingInt(t -> 7), Comparator.comparingInt(t -> 7)));
    }

    private static Long timeOrNull(Trade trade) {
        return trade.tag() > 100 ? null : trade.tag() < -100 ? Long.MIN_VALUE : (Long) trade.time();
    }

    /// Returns numbers of several scales, some of which are equal, or differ by less than a `double` can tell.
    private static BigDecimal decimal(Trade trade) {
        int scale = trade.letter() & 3;
        return BigDecimal.valueOf(trade.id() / 100, scale).add(BigDecimal.valueOf(trade.tag() & 1, 30));
    }

    private static String address(Trade trade) {
        return "https://example.org/" + trade.name() + "/" + trade.id();
    }

    static Stream<String> orders() {
        return ORDERS.keySet().stream();
    }

    static Trade[] draw(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] prices = {0.0, -0.0, Double.NaN, 1.5, -1.5, Double.MAX_VALUE, Double.NEGATIVE_INFINITY, 1e-300};
        String[] names = {
            "",
            "a",
            "a\0",
            "ab",
            "B",
            "z",
            "é",
            "\uE000",
            "\uD800\uDC00",
            "\uD800",
            "common prefix 1",
            "common prefix 2"
        };
        Trade[] trades = new Trade[count];
        for (int i = 0; i < count; i++) {
            trades[i] = new Trade(
                    random.nextInt(-500, 500),
                    random.nextLong(),
                    random.nextInt(4) == 0 ? prices[random.nextInt(prices.length)] : random.nextDouble(-10, 10),
                    (float) prices[random.nextInt(prices.length)],
                    (byte) random.nextInt(),
                    (char) random.nextInt(100),
                    random.nextBoolean(),
                    names[random.nextInt(names.length)],
                    random.nextInt(5) == 0 ? null : names[random.nextInt(names.length)] + random.nextInt(300),
                    random.nextInt(10) == 0 ? null : random.nextInt(50),
                    random.nextInt(10) == 0 ? null : prices[random.nextInt(prices.length)],
                    Side.values()[random.nextInt(2)],
                    LocalDate.ofEpochDay(random.nextInt(-100, 100)),
                    random.nextInt(10) == 0 ? null : new Version(random.nextInt(3), random.nextInt(5)));
        }
        return trades;
    }

    @ParameterizedTest
    @MethodSource("orders")
    void sortsAsTheJdkDoes(String name) {
        sortsAsTheJdkDoes(name, fewSizes());
    }

    /// Numbers alone, strings between numbers, and keys that compare themselves.
    @ParameterizedTest
    @ValueSource(strings = {"double desc", "strings between numbers", "comparators of one's own"})
    void sortsManyAsTheJdkDoes(String name) {
        sortsAsTheJdkDoes(name, sizes()[sizes().length - 1]);
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("exhaustive")
    void sortsEverySizeAsTheJdkDoes(String name) {
        sortsAsTheJdkDoes(name, sizes());
    }

    private void sortsAsTheJdkDoes(String name, int... sizes) {
        Order order = ORDERS.get(name);
        try (ObjectSorter<Trade> sorter = builder().buildObjects(order.keys)) {
            for (int size : sizes) {
                Trade[] trades = draw(size, SEED + size);
                Trade[] expected = trades.clone();
                Arrays.sort(expected, order.comparator);
                Trade[] sorted = trades.clone();
                assertThat(sorter.sort(sorted).elementCount()).isEqualTo(size);
                assertSame(sorted, expected, name + ", " + size + " objects, seed " + SEED);

                int[] permutation = sorter.argsort(trades);
                Trade[] gathered =
                        Arrays.stream(permutation).mapToObj(i -> trades[i]).toArray(Trade[]::new);
                assertSame(gathered, expected, "argsort, " + name + ", " + size + " objects, seed " + SEED);

                if (size <= 64 || size > 1 << 13) {
                    assertSelects(sorter, trades, expected, name + ", " + size + " objects, seed " + SEED);
                }
                if (size <= FEW) {
                    Trade[] compared = trades.clone();
                    Arrays.sort(compared, order.keys);
                    assertSame(compared, expected, "the JDK's sort by " + name + ", " + size + ", seed " + SEED);
                }
            }
        }
    }

    private static void assertSelects(ObjectSorter<Trade> sorter, Trade[] trades, Trade[] expected, String what) {
        Trade[] before = trades.clone();
        int size = trades.length;
        for (int k : new int[] {0, 1, 10, size / 20, size / 2, size, size + 1}) {
            int some = Math.min(k, size);
            Trade[] first = Arrays.copyOf(expected, some);
            Trade[] last = Arrays.copyOfRange(expected, size - some, size);
            assertSame(sorter.first(trades, k), first, "first " + k + ", " + what);
            assertSame(sorter.last(trades, k), last, "last " + k + ", " + what);
            assertSame(
                    Arrays.stream(sorter.argfirst(trades, k))
                            .mapToObj(i -> trades[i])
                            .toArray(),
                    first,
                    "argfirst " + k + ", " + what);
            assertSame(
                    Arrays.stream(sorter.arglast(trades, k))
                            .mapToObj(i -> trades[i])
                            .toArray(),
                    last,
                    "arglast " + k + ", " + what);
        }
        assertSame(trades, before, "untouched");
    }

    /// Equal objects are not enough: they must be the same ones, or the sort was not stable.
    static void assertSame(Object[] actual, Object[] expected, String what) {
        assertThat(actual).as(what).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            if (actual[i] != expected[i]) {
                throw new AssertionError(what + ": place " + i + " has " + actual[i] + " and not " + expected[i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"int", "strings between numbers"})
    void exceptionsOfKeyFunctionsLeaveTheObjectsWhereTheyWere(String name) {
        failingKeyFunctionsChangeNothing(name);
    }

    @ParameterizedTest
    @MethodSource("orders")
    @Tag("exhaustive")
    void failingKeyFunctionsChangeNothing(String name) {
        Order order = ORDERS.get(name);
        int size = sizes()[sizes().length - 1];
        Trade[] trades = draw(size, SEED);
        Trade[] before = trades.clone();
        IllegalStateException failure = new IllegalStateException("of the user's own");
        Keys<Trade> failing = Keys.<Trade>comparingInt(trade -> {
                    if (trade == before[size / 2]) {
                        throw failure;
                    }
                    return 0;
                })
                .thenComparing(order.keys);
        try (ObjectSorter<Trade> sorter = builder().buildObjects(failing)) {
            assertThatThrownBy(() -> sorter.sort(trades)).isSameAs(failure);
        }
        assertSame(trades, before, "untouched");
    }
}
