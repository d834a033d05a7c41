package io.samplesort.types;

import io.samplesort.keys.NullKeys;
import io.samplesort.keys.OrderedBits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What objects are sorted by: one key after the other, each found by a function. It is built like a chain of
/// comparators, and is itself a comparator with that order; but a sort can take the keys out of the objects once and
/// sort those.
///
/// ```java
/// Keys.comparingDouble(Trade::price).reversed().thenComparingInt(Trade::id).thenComparing(Trade::name)
/// ```
///
/// A sort calls each function once for each object, from several threads at a time, and a few times more for the first
/// objects. With few objects (up to 8192), and with objects that are in order already or in a few runs, it may call
/// them as often as a comparator does. A function must return the same each time and change nothing. The sort passes on
/// what it throws.
///
/// Keys are immutable; every method returns new ones.
///
/// @param <T> the type of the objects
public final class Keys<T> implements Comparator<T> {
    private final List<Key<T>> keys;

    private Keys(List<Key<T>> keys) {
        this.keys = List.copyOf(keys);
    }

    /// One key of an object.
    ///
    /// @param <T> the type of the objects
    public sealed interface Key<T> permits IntKey, LongKey, DoubleKey, ObjectKey {
        /// Returns whether objects are sorted from the last key to the first.
        boolean isReversed();

        /// Returns this key with the order reversed.
        Key<T> reversed();
    }

    /// A key that is an `int`.
    public record IntKey<T>(ToIntFunction<? super T> function, boolean isReversed) implements Key<T> {
        @Override
        public IntKey<T> reversed() {
            return new IntKey<>(function, !isReversed);
        }
    }

    /// A key that is a `long`.
    public record LongKey<T>(ToLongFunction<? super T> function, boolean isReversed) implements Key<T> {
        @Override
        public LongKey<T> reversed() {
            return new LongKey<>(function, !isReversed);
        }
    }

    /// A key that is a `double`.
    public record DoubleKey<T>(ToDoubleFunction<? super T> function, boolean isReversed) implements Key<T> {
        @Override
        public DoubleKey<T> reversed() {
            return new DoubleKey<>(function, !isReversed);
        }
    }

    /// Where objects come whose key is null.
    public enum Nulls {
        /// No key is null, or the comparator of the keys decides where null comes.
        UNEXPECTED,
        /// Before all others.
        FIRST,
        /// After all others.
        LAST;

        private Nulls reversed() {
            return this == UNEXPECTED ? this : this == FIRST ? LAST : FIRST;
        }
    }

    /// A key that is an object.
    ///
    /// @param comparator how keys compare; Java's null for their natural order
    public record ObjectKey<T>(
            Function<? super T, ?> function, @Nullable Comparator<Object> comparator, boolean isReversed, Nulls nulls)
            implements Key<T> {
        @Override
        public ObjectKey<T> reversed() {
            return new ObjectKey<>(function, comparator, !isReversed, nulls.reversed());
        }

        /// Compares two keys of which [#nulls] does not decide the order, ascending.
        @SuppressWarnings("unchecked")
        public int compareKeys(Object a, Object b) {
            return comparator != null ? comparator.compare(a, b) : ((Comparable<Object>) a).compareTo(b);
        }
    }

    /// Begins with a key that is an `int` or narrower.
    public static <T> Keys<T> comparingInt(ToIntFunction<? super T> function) {
        return new Keys<>(List.of(new IntKey<>(Objects.requireNonNull(function, "function"), false)));
    }

    /// Begins with a key that is a `long`.
    public static <T> Keys<T> comparingLong(ToLongFunction<? super T> function) {
        return new Keys<>(List.of(new LongKey<>(Objects.requireNonNull(function, "function"), false)));
    }

    /// Begins with a key that is a `double` or a `float`, in the order of [Order#natural]: -0.0 comes before 0.0, and
    /// NaNs come last, in the order of their bits.
    public static <T> Keys<T> comparingDouble(ToDoubleFunction<? super T> function) {
        return new Keys<>(List.of(new DoubleKey<>(Objects.requireNonNull(function, "function"), false)));
    }

    /// Begins with a key that has a natural order, such as a `String`. A sort knows the order of strings, boxed
    /// numbers, enums and dates; keys of other types take longer, since they have to be compared. A natural order is
    /// what `compareTo` says; of a boxed `Double` or `Float` it says that all NaNs are equal.
    public static <T, U extends Comparable<? super U>> Keys<T> comparing(Function<? super T, ? extends U> function) {
        return new Keys<>(
                List.of(new ObjectKey<>(Objects.requireNonNull(function, "function"), null, false, Nulls.UNEXPECTED)));
    }

    /// Begins with a key in an order of your own.
    public static <T, U> Keys<T> comparing(
            Function<? super T, ? extends U> function, Comparator<? super U> comparator) {
        return new Keys<>(List.of(ownOrder(function, comparator)));
    }

    @SuppressWarnings("unchecked")
    private static <T, U> ObjectKey<T> ownOrder(
            Function<? super T, ? extends U> function, Comparator<? super U> comparator) {
        Objects.requireNonNull(function, "function");
        Objects.requireNonNull(comparator, "comparator");
        boolean isReverse = comparator.equals(Comparator.reverseOrder());
        boolean isNatural = isReverse || comparator.equals(Comparator.naturalOrder());
        @Nullable Comparator<Object> own = isNatural ? null : (Comparator<Object>) comparator;
        return new ObjectKey<>(function, own, isReverse, Nulls.UNEXPECTED);
    }

    @Override
    public Keys<T> thenComparingInt(ToIntFunction<? super T> function) {
        return then(comparingInt(function));
    }

    @Override
    public Keys<T> thenComparingLong(ToLongFunction<? super T> function) {
        return then(comparingLong(function));
    }

    @Override
    public Keys<T> thenComparingDouble(ToDoubleFunction<? super T> function) {
        return then(comparingDouble(function));
    }

    @Override
    public <U extends Comparable<? super U>> Keys<T> thenComparing(Function<? super T, ? extends U> function) {
        return then(comparing(function));
    }

    @Override
    public <U> Keys<T> thenComparing(Function<? super T, ? extends U> function, Comparator<? super U> comparator) {
        return then(comparing(function, comparator));
    }

    /// Adds the keys of other [Keys], or the object itself in the order of any other comparator.
    @Override
    @SuppressWarnings("unchecked")
    public Keys<T> thenComparing(Comparator<? super T> other) {
        return other instanceof Keys<?> more
                ? then((Keys<T>) more)
                : then(new Keys<>(List.of(ownOrder(Function.<T>identity(), other))));
    }

    private Keys<T> then(Keys<T> more) {
        List<Key<T>> all = new ArrayList<>(keys);
        all.addAll(more.keys);
        return new Keys<>(all);
    }

    /// Reverses the order of all keys so far, as [Comparator#reversed] does, and with it where nulls come.
    @Override
    public Keys<T> reversed() {
        return new Keys<>(keys.stream().map(Key::reversed).toList());
    }

    /// Makes the last key's nulls come before all others. They are equal to each other. Without this or [#nullsLast], a
    /// key that is null is an error, unless a comparator of your own accepts it.
    ///
    /// @throws IllegalStateException if the last key is a number, which is never null
    public Keys<T> nullsFirst() {
        return withNulls(Nulls.FIRST);
    }

    /// Makes the last key's nulls come after all others, as [#nullsFirst] says.
    ///
    /// @throws IllegalStateException if the last key is a number, which is never null
    public Keys<T> nullsLast() {
        return withNulls(Nulls.LAST);
    }

    private Keys<T> withNulls(Nulls nulls) {
        if (!(keys.getLast() instanceof ObjectKey<T> last)) {
            throw new IllegalStateException("key " + keys.size()
                    + " is an int, a long or a double, which is never null: use comparing(…) for a key that may be");
        }
        List<Key<T>> changed = new ArrayList<>(keys);
        changed.set(keys.size() - 1, new ObjectKey<>(last.function, last.comparator, last.isReversed, nulls));
        return new Keys<>(changed);
    }

    /// Returns the keys in the order in which they are compared.
    public List<Key<T>> keys() {
        return keys;
    }

    /// Compares two objects.
    ///
    /// @throws NullPointerException if a key is null and the order does not say where nulls come; the message says
    ///     which
    @Override
    public int compare(T a, T b) {
        for (int i = 0; i < keys.size(); i++) {
            Key<T> key = keys.get(i);
            int ascending = switch (key) {
                case IntKey<T> k -> Integer.compare(k.function.applyAsInt(a), k.function.applyAsInt(b));
                case LongKey<T> k -> Long.compare(k.function.applyAsLong(a), k.function.applyAsLong(b));
                case DoubleKey<T> k ->
                    Long.compare(
                            OrderedBits.of(k.function.applyAsDouble(a)), OrderedBits.of(k.function.applyAsDouble(b)));
                case ObjectKey<T> k -> compare(i, k, k.function.apply(a), k.function.apply(b));
            };
            if (ascending != 0) {
                return key.isReversed() == ascending > 0 ? -1 : 1;
            }
        }
        return 0;
    }

    /// Compares two keys as if the order were ascending.
    private static <T> int compare(int number, ObjectKey<T> key, Object a, Object b) {
        if (a != null && b != null || key.nulls == Nulls.UNEXPECTED && key.comparator != null) {
            return key.compareKeys(a, b);
        }
        if (key.nulls == Nulls.UNEXPECTED) {
            throw new NullPointerException(NullKeys.message(number, ""));
        }
        boolean isNullLow = key.nulls == Nulls.FIRST != key.isReversed;
        if (a == null && b == null) {
            return 0;
        }
        return (a == null) == isNullLow ? -1 : 1;
    }

    @Override
    public String toString() {
        List<String> names = new ArrayList<>();
        for (Key<T> key : keys) {
            String kind = switch (key) {
                case IntKey<T> k -> "int";
                case LongKey<T> k -> "long";
                case DoubleKey<T> k -> "double";
                case ObjectKey<T> k ->
                    switch (k.nulls) {
                        case UNEXPECTED -> "object";
                        case FIRST -> "object nulls first";
                        case LAST -> "object nulls last";
                    };
            };
            names.add(kind + (key.isReversed() ? " desc" : ""));
        }
        return "by " + String.join(", ", names);
    }
}
