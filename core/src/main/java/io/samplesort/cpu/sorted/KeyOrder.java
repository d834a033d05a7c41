package io.samplesort.cpu.sorted;

import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.cpu.records.SortKey;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The order of keys that lie in several segments.
final class KeyOrder {
    private final ElementType type;
    private final Order order;
    private final int bytes;
    /// The sort key and its rests, each of which decides where those before it are equal; empty if the order is a
    /// comparator of the user's own.
    private final SortKey[] parts;
    /// Null if there are parts.
    private final Comparator<MemorySegment> comparator;

    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    KeyOrder(ElementType type, Order order) {
        this.type = type;
        this.order = order;
        this.bytes = type.byteSize();
        List<SortKey> all = new ArrayList<>();
        for (SortKey part = SortKey.of(type, order); part != null; part = part.rest()) {
            all.add(part);
        }
        parts = all.toArray(SortKey[]::new);
        comparator = parts.length == 0 ? order.toComparator(type) : null;
    }

    Order order() {
        return order;
    }

    /// Returns whether these are numbers in natural order.
    boolean isOfNumbers() {
        return order instanceof NaturalOrder;
    }

    int bytes() {
        return bytes;
    }

    ElementType type() {
        return type;
    }

    /// Returns the sort key; null if the order is a comparator of the user's own.
    SortKey key() {
        return parts.length == 0 ? null : parts[0];
    }

    /// Compares elements of two segments by their indexes.
    int compare(MemorySegment a, long i, MemorySegment b, long j) {
        for (SortKey part : parts) {
            int compared = Long.compareUnsigned(part.prefix(a, i), part.prefix(b, j));
            if (compared != 0) {
                return compared;
            }
        }
        // A comparator must not write to the elements.
        return comparator == null
                ? 0
                : comparator.compare(
                        a.asSlice(i * bytes, bytes).asReadOnly(),
                        b.asSlice(j * bytes, bytes).asReadOnly());
    }

    /// Returns what compares elements of one segment whose prefixes are equal; null if these are equal.
    ElementComparator ties(MemorySegment elements) {
        return parts.length == 0
                ? ElementComparator.of(elements, type, order)
                : parts[0].isWholeInPrefix() ? null : parts[0].comparator(elements);
    }

    /// Returns the first index from `from` to `to` whose key does not come before that of a query, or with `isUpper`
    /// comes after it; `to` if there is none. It looks near `from` first, in steps that double, so that it takes the
    /// logarithm of the distance.
    long boundFrom(MemorySegment keys, long from, long to, MemorySegment queries, long query, boolean isUpper) {
        long low = from;
        long step = 1;
        while (step <= to - low && isLeft(keys, low + step - 1, queries, query, isUpper)) {
            low += step;
            step <<= 1;
        }
        return bound(keys, low, Math.min(low + step - 1, to), queries, query, isUpper);
    }

    /// Does the same where the bound is thought to be near `to`.
    long boundBefore(MemorySegment keys, long from, long to, MemorySegment queries, long query, boolean isUpper) {
        long high = to;
        long step = 1;
        while (step <= high - from && !isLeft(keys, high - step, queries, query, isUpper)) {
            high -= step;
            step <<= 1;
        }
        return bound(keys, Math.max(high - step + 1, from), high, queries, query, isUpper);
    }

    /// Does the same where nothing is known of the place.
    long bound(MemorySegment keys, long from, long to, MemorySegment queries, long query, boolean isUpper) {
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (isLeft(keys, middle, queries, query, isUpper)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Returns whether a key lies left of the bound of a query.
    private boolean isLeft(MemorySegment keys, long index, MemorySegment queries, long query, boolean isUpper) {
        int compared = compare(keys, index, queries, query);
        return isUpper ? compared <= 0 : compared < 0;
    }
}
