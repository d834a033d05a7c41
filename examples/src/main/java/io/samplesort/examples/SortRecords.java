package io.samplesort.examples;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/// Sorts records by their fields: the highest price first, trades of the same price by name, and trades whose price is
/// not known at the end.
///
/// Run it with `examples/run SortRecords`. It prints:
///
/// ```
/// 12.5 copper id 4
/// 12.5 zinc id 1
/// 8.0 tin id 2
/// unknown gold id 5
/// unknown iron id 3
/// ```
public final class SortRecords {
    private static final ElementType TRADE = ElementType.of(MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("price"),
            JAVA_INT.withName("id"),
            JAVA_BOOLEAN.withName("hasPrice"),
            MemoryLayout.paddingLayout(3),
            MemoryLayout.sequenceLayout(8, JAVA_BYTE).withName("name")));

    public static void main(String[] arguments) {
        MemorySegment trades = Arena.ofAuto().allocate(5L * TRADE.byteSize(), TRADE.byteAlignment());
        put(trades, 0, 12.5, true, 1, "zinc");
        put(trades, 1, 8.0, true, 2, "tin");
        put(trades, 2, 0.0, false, 3, "iron");
        put(trades, 3, 12.5, true, 4, "copper");
        put(trades, 4, 99.0, false, 5, "gold");

        // As with a Comparator, reversed() turns round everything that stands before it.
        Order order = Order.by("price").reversed().nullsLast("hasPrice").thenBy("name");
        try (Sorter sorter = SampleSort.onBestDevice().order(order).build(TRADE)) {
            sorter.sort(trades);
        }
        for (long at = 0; at < trades.byteSize(); at += TRADE.byteSize()) {
            String price = trades.get(JAVA_BOOLEAN, at + 12) ? "" + trades.get(JAVA_DOUBLE, at) : "unknown";
            System.out.println(price + " " + trades.getString(at + 16) + " id " + trades.get(JAVA_INT, at + 8));
        }
    }

    private static void put(MemorySegment trades, int index, double price, boolean hasPrice, int id, String name) {
        long at = (long) index * TRADE.byteSize();
        trades.set(JAVA_DOUBLE, at, price);
        trades.set(JAVA_INT, at + 8, id);
        trades.set(JAVA_BOOLEAN, at + 12, hasPrice);
        trades.setString(at + 16, name);
    }
}
