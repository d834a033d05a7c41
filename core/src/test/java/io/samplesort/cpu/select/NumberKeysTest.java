package io.samplesort.cpu.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The loops of [NumberKeys] and, where the processor has them, its kernels keep the same keys as a plain comparison.
class NumberKeysTest {
    /// No multiple of what a kernel takes at a time.
    private static final int COUNT = 2000 + 77;

    private static final int BASE = 3;

    static List<ElementType> types() {
        return ElementType.values();
    }

    @ParameterizedTest
    @MethodSource("types")
    void everyWayKeepsTheSameKeys(ElementType type) {
        Random random = new Random(11);
        byte[] bytes = new byte[(BASE + COUNT) * type.byteSize()];
        random.nextBytes(bytes);
        // The kernels take native memory only if there is much of it.
        try (Arena arena = Arena.ofShared()) {
            MemorySegment large = arena.allocate(1L << 26);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, large, 0, bytes.length);
            for (boolean isReversed : new boolean[] {false, true}) {
                NaturalOrder order = new NaturalOrder(false, isReversed);
                for (MemorySegment elements : List.of(MemorySegment.ofArray(bytes), large)) {
                    NumberKeys keys = NumberKeys.of(elements, type, order);
                    for (NumberKeys way : List.of(keys, new NumberKeys(elements, keys.kind(), keys.flip(), null))) {
                        check(way, random.nextInt(100), COUNT - random.nextInt(100));
                        check(way.opposite(), 0, COUNT);
                    }
                }
            }
        }
    }

    private static void check(NumberKeys keys, int begin, int end) {
        long[] sorted = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            sorted[i] = keys.key(BASE + i);
        }
        Arrays.sort(sorted);
        for (int[] ranks : new int[][] {{0, 0}, {5, 9}, {COUNT / 2, COUNT / 2 + 30}, {0, COUNT - 1}}) {
            long low = sorted[ranks[0]];
            long high = sorted[ranks[1]];
            List<Integer> upTo = new ArrayList<>(List.of(-1));
            List<Integer> between = new ArrayList<>(List.of(-1));
            long less = 0;
            for (int i = begin; i < end; i++) {
                long key = keys.key(BASE + i);
                less += key < low ? 1 : 0;
                if (key <= high) {
                    upTo.add(i);
                }
                if (key >= low && key <= high) {
                    between.add(i);
                }
            }
            int[] kept = new int[COUNT + 1];
            kept[0] = -1;
            int count = keys.keepUpTo(BASE, begin, end, high, kept, 1);
            assertThat(list(kept, count)).isEqualTo(upTo);
            long found = keys.keepBetween(BASE, begin, end, low, high, kept, 1);
            assertThat(list(kept, (int) found)).isEqualTo(between);
            assertThat(found >>> Integer.SIZE).isEqualTo(less);
        }
    }

    private static List<Integer> list(int[] kept, int count) {
        return Arrays.stream(kept, 0, count).boxed().toList();
    }
}
