package io.samplesort.cpu.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Keys of 1 and 2 bytes that are counted.
class NarrowKeysTest {
    @Test
    void ranksAreThoseOfTheOrder() {
        for (ElementType type : List.of(ElementType.BYTE, ElementType.SHORT, ElementType.CHAR)) {
            for (Order order : List.of(
                    Order.natural(),
                    Order.natural().reversed(),
                    Order.unsigned(),
                    Order.unsigned().reversed())) {
                if (!type.equals(ElementType.CHAR) || !((NaturalOrder) order).isUnsigned()) {
                    check(type, order);
                }
            }
        }
    }

    private static void check(ElementType type, Order order) {
        int bytes = type.byteSize();
        int count = 10_001;
        byte[] random = new byte[count * bytes];
        new Random(bytes).nextBytes(random);
        Elements elements = new Elements(MemorySegment.ofArray(random), bytes, null, 0);
        Comparator<MemorySegment> comparator = order.toComparator(type);
        List<Integer> expected = IntStream.range(0, count)
                .mapToObj(i -> MemorySegment.ofArray(random).asSlice((long) i * bytes, bytes))
                .sorted(comparator)
                .map(key -> bits(key, bytes))
                .toList();
        NarrowKeys keys = new NarrowKeys(type, (NaturalOrder) order);
        long[] counts = new long[NarrowKeys.keyCount(bytes)];
        keys.count(elements, 0, 7000, counts);
        keys.addTo(counts);
        keys.count(elements, 7000, count, counts);
        keys.addTo(counts);
        long[] offsets = new long[counts.length + 1];
        for (int rank = 0; rank < counts.length; rank++) {
            offsets[rank + 1] = offsets[rank] + counts[rank];
        }
        keys.write(elements, 5000, count, offsets);
        keys.write(elements, 0, 5000, offsets);
        assertThat(IntStream.range(0, count)
                        .mapToObj(i -> bits(elements.keys().asSlice((long) i * bytes, bytes), bytes)))
                .isEqualTo(expected);
    }

    private static int bits(MemorySegment key, int bytes) {
        return bytes == 1 ? key.get(ValueLayout.JAVA_BYTE, 0) : key.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
    }

    /// A cache of 64 sets of lines, such as the first one of most processors, has room for the counters of all keys
    /// that are multiples of a power of two, as far as there are so few of them.
    @Test
    void countersOfMultiplesLieInDifferentSetsOfACache() {
        for (int shift = 4; shift < 16; shift++) {
            int multiples = 1 << 16 - shift;
            int step = 1 << shift;
            long sets = IntStream.range(0, multiples)
                    .map(i -> NarrowKeys.counterOf(i * step) / 16 % 64)
                    .distinct()
                    .count();
            assertThat(sets).as("multiples of %d", step).isEqualTo(Math.min(multiples, 64));
        }
        assertThat(IntStream.range(0, 1 << 16).map(NarrowKeys::counterOf).distinct())
                .hasSize(1 << 16)
                .allMatch(counter -> counter >= 0 && counter < 1 << 16);
    }
}
