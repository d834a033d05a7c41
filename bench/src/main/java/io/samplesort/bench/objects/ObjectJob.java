package io.samplesort.bench.objects;

import io.samplesort.types.Keys;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;

/// The keys that objects are sorted by.
enum ObjectJob {
    /// One primitive key.
    DOUBLE(Keys.comparingDouble(Trade::price), Comparator.comparingDouble(Trade::price)),
    /// Two primitive keys, the first with many equal values, descending.
    TWO_KEYS(
            Keys.comparingInt(Trade::amount).reversed().thenComparingDouble(Trade::price),
            Comparator.comparingInt(Trade::amount).reversed().thenComparingDouble(Trade::price)),
    /// One string.
    STRING(Keys.comparing(Trade::name), Comparator.comparing(Trade::name)),
    /// A number with many equal values, then a string.
    NUMBER_AND_STRING(
            Keys.comparingInt(Trade::amount).thenComparing(Trade::name),
            Comparator.comparingInt(Trade::amount).thenComparing(Trade::name)),
    /// One long of all bits.
    LONG(Keys.comparingLong(Trade::id), Comparator.comparingLong(Trade::id)),
    /// Two doubles, the first with many equal values.
    TWO_DOUBLES(
            Keys.comparingDouble(Trade::cents).thenComparingDouble(Trade::price),
            Comparator.comparingDouble(Trade::cents).thenComparingDouble(Trade::price)),
    /// A number that may be null, then a long.
    NULLABLE(
            Keys.comparing(Trade::rank).nullsLast().thenComparingLong(Trade::id),
            Comparator.comparing(Trade::rank, Comparator.nullsLast(Comparator.<Integer>naturalOrder()))
                    .thenComparingLong(Trade::id)),
    /// A date, then a double.
    DATE(
            Keys.comparing(Trade::day).thenComparingDouble(Trade::price),
            Comparator.comparing(Trade::day).thenComparingDouble(Trade::price)),
    /// A key that has to be compared.
    DECIMAL(Keys.comparing(Trade::total), Comparator.comparing(Trade::total));

    private final Keys<Trade> keys;
    private final Comparator<Trade> comparator;

    ObjectJob(Keys<Trade> keys, Comparator<Trade> comparator) {
        this.keys = keys;
        this.comparator = comparator;
    }

    Keys<Trade> keys() {
        return keys;
    }

    /// Returns the same order, made with the JDK's own classes.
    Comparator<Trade> comparator() {
        return comparator;
    }

    /// Reads `double`, `two-keys` and so on.
    ///
    /// @throws IllegalArgumentException if there is no such job; the message lists all jobs
    static ObjectJob parse(String text) {
        return Arrays.stream(values())
                .filter(job -> job.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no job '" + text + "': use "
                        + Arrays.stream(values()).map(ObjectJob::toString).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
