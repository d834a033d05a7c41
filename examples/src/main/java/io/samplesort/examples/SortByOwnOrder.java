package io.samplesort.examples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;

/// Sorts boxes by an order that no field holds: their area.
///
/// The order is written twice, as the library runs on two kinds of devices: as an expression in CUDA C++ that is true
/// where `a` comes before `b`, and as a comparator for the CPU. The two have to agree.
///
/// Run it with `examples/run SortByOwnOrder`. It prints:
///
/// ```
/// 1 x 1
/// 7 x 1
/// 2 x 5
/// 4 x 3
/// ```
public final class SortByOwnOrder {
    private static final ElementType BOX =
            ElementType.of(MemoryLayout.structLayout(JAVA_INT.withName("width"), JAVA_INT.withName("height")));

    private static final Order BY_AREA = Order.custom(
            "(long long)a.width * a.height < (long long)b.width * b.height",
            Comparator.comparingLong((MemorySegment box) -> (long) box.get(JAVA_INT, 0) * box.get(JAVA_INT, 4)));

    public static void main(String[] arguments) {
        MemorySegment boxes = Arena.ofAuto().allocateFrom(JAVA_INT, 4, 3, 1, 1, 2, 5, 7, 1);
        try (Sorter sorter = SampleSort.onBestDevice().order(BY_AREA).build(BOX)) {
            sorter.sort(boxes);
        }
        for (long at = 0; at < boxes.byteSize(); at += BOX.byteSize()) {
            System.out.println(boxes.get(JAVA_INT, at) + " x " + boxes.get(JAVA_INT, at + 4));
        }
    }
}
