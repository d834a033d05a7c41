package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Order;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Sorts of more than the Java heap has room for, in a Java of its own: an argsort does without the heap, and what
/// cannot says how much it wants and what to do.
class LittleHeapTest {
    /// With 12 bytes for each, this many elements do not fit the heap.
    private static final int COUNT = 1_300_000;

    /// With 8 bytes for each, this many do not.
    private static final int MORE = 2_000_000;

    @Test
    void argsortsOutsideOfTheHeapAndSaysWhatOtherSortsTake() throws Exception {
        String printed = ChildJvm.run(
                List.of("-Xmx16m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"), LittleHeapTest.class);
        assertThat(printed.lines())
                .containsExactly(
                        "long in order",
                        "byte in order",
                        "a permutation of 10400000 elements takes about 41600000 bytes: give Java more (-Xmx), or use"
                                + " argsort(elements, permutation) with a segment outside of the heap",
                        "a sort of 2000000 elements by their indexes takes about 16000000 bytes: give Java more (-Xmx),"
                                + " or sort parts and merge them",
                        "a sort of 2000000 rows takes about 48000000 bytes: give Java more (-Xmx), or sort fewer at a"
                                + " time",
                        "a sort of 1000000 objects takes about 25000000 bytes: give Java more (-Xmx), or sort fewer at"
                                + " a time",
                        "sorted");
    }

    public static void main(String[] arguments) {
        MemorySegment numbers = Arena.global().allocate((long) COUNT * Long.BYTES, Long.BYTES);
        SplittableRandom random = new SplittableRandom(1);
        for (long i = 0; i < COUNT; i++) {
            numbers.setAtIndex(ValueLayout.JAVA_LONG, i, random.nextLong());
        }
        MemorySegment indexes = Arena.global().allocate((long) MORE * Integer.BYTES, Integer.BYTES);
        MemorySegment permutation = indexes.asSlice(0, (long) COUNT * Integer.BYTES);
        for (ElementType type : List.of(ElementType.LONG, ElementType.BYTE)) {
            MemorySegment elements = numbers.asSlice(0, (long) COUNT * type.byteSize());
            try (Sorter sorter = SampleSort.onCpu().build(type)) {
                sorter.argsort(elements, permutation);
            }
            System.out.println(type + (isInOrder(elements, type, permutation) ? " in order" : " not in order"));
        }
        try (Sorter bytes = SampleSort.onCpu().build(ElementType.BYTE);
                Sorter byComparator = SampleSort.onCpu()
                        .order(Order.custom("a < b", Comparator.comparingInt(a -> a.get(ValueLayout.JAVA_BYTE, 0))))
                        .build(ElementType.BYTE);
                ColumnSorter columns = SampleSort.onCpu().buildColumns();
                StringSorter strings = SampleSort.onCpu().buildStrings(StringOrder.bytes())) {
            tell(() -> bytes.argsort(numbers));
            MemorySegment more = numbers.asSlice(0, MORE);
            tell(() -> byComparator.argsort(more, indexes));
            tell(() -> columns.argsort(List.of(KeyColumn.of(more, ElementType.BYTE)), indexes));
            Integer[] mixed = new Integer[1_000_000];
            Arrays.setAll(mixed, i -> 7 * i % 5);
            tell(() -> SampleSort.sort(mixed, Comparator.<Integer>naturalOrder().thenComparing(Object::hashCode)));
            MemorySegment offsets = Arena.global().allocate((MORE + 1L) * Integer.BYTES, Integer.BYTES);
            tell(() -> strings.argsort(Strings.of(numbers, offsets, ElementType.INT), indexes));
        }
    }

    private static boolean isInOrder(MemorySegment elements, ElementType type, MemorySegment permutation) {
        for (long i = 1; i < COUNT; i++) {
            int before = permutation.getAtIndex(ValueLayout.JAVA_INT, i - 1);
            int next = permutation.getAtIndex(ValueLayout.JAVA_INT, i);
            long smaller = number(elements, type, before);
            long larger = number(elements, type, next);
            if (smaller > larger || smaller == larger && before >= next) {
                return false;
            }
        }
        return true;
    }

    private static long number(MemorySegment elements, ElementType type, int index) {
        return type.equals(ElementType.LONG)
                ? elements.getAtIndex(ValueLayout.JAVA_LONG, index)
                : elements.get(ValueLayout.JAVA_BYTE, index);
    }

    private static void tell(Runnable sort) {
        try {
            sort.run();
            System.out.println("sorted");
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage().replaceAll(" of the Java heap, which may have \\d+ in all", ""));
        }
    }
}
