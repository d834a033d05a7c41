package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.errors.SortCancelledException;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import io.samplesort.types.SortListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Sorted arrays of every type, wrong arguments, and the life of [SortedOperations].
class SortedOperationsTest {
    private static final MemorySegment KEYS = MemorySegment.ofArray(new int[] {1, 1, 2, 5});

    @Test
    void theSnippetOfTheLibrarysPage() throws Exception {
        Snippets.assertStandIn(SortedOperationsTest.class, "docs/library.md", "Work on sorted keys");
        int[] monday = {1, 3, 3, 7};
        int[] tuesday = {3, 4};
        int[] wednesday = {};
        int[] wanted = {4, 0, 9};
        MemorySegment firstTimes = MemorySegment.ofArray(new long[] {9, 5});
        MemorySegment secondTimes = MemorySegment.ofArray(new long[] {9, 7});
        MemorySegment firstIds = MemorySegment.ofArray(new int[] {1, 2});
        MemorySegment secondIds = MemorySegment.ofArray(new int[] {3, 4});
        MemorySegment times = MemorySegment.ofArray(new long[4]);
        int[] mergedIds = new int[4];
        MemorySegment ids = MemorySegment.ofArray(mergedIds);
        int[] begins = new int[4];
        MemorySegment offsets = MemorySegment.ofArray(begins);

        int[] all = SortedArrays.merge(monday, tuesday, wednesday);
        int[] visitors = SortedArrays.unique(all);
        int[] visits = SortedArrays.counts(all);
        int[] places = SortedArrays.lowerBounds(all, wanted);
        int[] lost = SortedArrays.difference(monday, tuesday);

        try (SortedOperations operations = SampleSort.onBestDevice()
                .order(Order.natural().reversed())
                .payload(ElementType.INT)
                .buildSortedOperations(ElementType.LONG)) {
            List<List<MemorySegment>> bothIds = List.of(List.of(firstIds), List.of(secondIds));
            operations.merge(List.of(firstTimes, secondTimes), bothIds, times, List.of(ids));
            operations.groups(times, ElementType.INT, offsets);
        }

        assertThat(all).containsExactly(1, 3, 3, 3, 4, 7);
        assertThat(visitors).containsExactly(1, 3, 4, 7);
        assertThat(visits).containsExactly(1, 3, 1, 1);
        assertThat(places).containsExactly(4, 0, 6);
        assertThat(lost).containsExactly(1, 3, 7);
        assertThat(mergedIds).containsExactly(1, 3, 4, 2);
        assertThat(begins).containsExactly(0, 2, 3, 4);
        assertThat(SegmentOffsets.ofOffsets(begins).segmentCount()).isEqualTo(3);
    }

    @Test
    void moreArraysThanAreMergedInRounds() {
        Random random = new Random(3);
        int[][] runs = new int[300][];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = random.ints(random.nextInt(900), -50, 5000).sorted().toArray();
        }
        int[] expected =
                Arrays.stream(runs).flatMapToInt(Arrays::stream).sorted().toArray();
        assertThat(SortedArrays.merge(runs)).isEqualTo(expected);
    }

    @Test
    void arraysOfEveryType() {
        long[] longs = {1, 2, 2};
        assertThat(SortedArrays.merge(longs, new long[] {0, 2})).containsExactly(0, 1, 2, 2, 2);
        assertThat(SortedArrays.unique(longs)).containsExactly(1, 2);
        assertThat(SortedArrays.counts(longs)).containsExactly(1, 2);
        assertThat(SortedArrays.groups(longs)).containsExactly(0, 1, 3);
        assertThat(SortedArrays.lowerBounds(longs, new long[] {2})).containsExactly(1);
        assertThat(SortedArrays.upperBounds(longs, new long[] {2})).containsExactly(3);
        assertThat(SortedArrays.union(longs, new long[] {2, 3})).containsExactly(1, 2, 2, 3);
        assertThat(SortedArrays.intersection(longs, new long[] {2, 3})).containsExactly(2);
        assertThat(SortedArrays.difference(longs, new long[] {2, 3})).containsExactly(1, 2);
        assertThat(SortedArrays.firstOutOfOrder(new long[] {1, 0})).isEqualTo(1);

        double[] doubles = {-0.0, 0.0, Double.NaN};
        assertThat(SortedArrays.merge(doubles, doubles)).containsExactly(-0.0, -0.0, 0.0, 0.0, Double.NaN, Double.NaN);
        assertThat(SortedArrays.unique(doubles)).containsExactly(doubles);
        assertThat(SortedArrays.counts(doubles)).containsExactly(1, 1, 1);
        assertThat(SortedArrays.groups(doubles)).containsExactly(0, 1, 2, 3);
        assertThat(SortedArrays.lowerBounds(doubles, doubles)).containsExactly(0, 1, 2);
        assertThat(SortedArrays.upperBounds(doubles, doubles)).containsExactly(1, 2, 3);
        assertThat(SortedArrays.union(doubles, new double[] {0.0})).containsExactly(doubles);
        assertThat(SortedArrays.intersection(doubles, new double[] {0.0})).containsExactly(0.0);
        assertThat(SortedArrays.difference(doubles, new double[] {0.0})).containsExactly(-0.0, Double.NaN);
        assertThat(SortedArrays.firstOutOfOrder(new double[] {0.0, -0.0})).isEqualTo(1);

        float[] floats = {-1f, 2f, 2f};
        assertThat(SortedArrays.merge(floats)).containsExactly(floats);
        assertThat(SortedArrays.merge(new float[0][])).isEmpty();
        assertThat(SortedArrays.unique(floats)).containsExactly(-1f, 2f);
        assertThat(SortedArrays.counts(floats)).containsExactly(1, 2);
        assertThat(SortedArrays.groups(new float[0])).containsExactly(0);
        assertThat(SortedArrays.counts(new float[0])).isEmpty();
        assertThat(SortedArrays.lowerBounds(floats, new float[] {2f})).containsExactly(1);
        assertThat(SortedArrays.upperBounds(floats, new float[] {2f})).containsExactly(3);
        assertThat(SortedArrays.union(floats, new float[] {3f})).containsExactly(-1f, 2f, 2f, 3f);
        assertThat(SortedArrays.intersection(floats, new float[] {3f})).isEmpty();
        assertThat(SortedArrays.difference(floats, floats)).isEmpty();
        assertThat(SortedArrays.firstOutOfOrder(floats)).isEqualTo(-1);
    }

    @Test
    void intsAsTheJdkFindsThem() {
        int[] keys = new Random(3).ints(100_000, 0, 30_000).sorted().toArray();
        int[] others = new Random(4).ints(50_000, 0, 30_000).sorted().toArray();
        int[] distinct = Arrays.stream(keys).distinct().toArray();
        assertThat(SortedArrays.unique(keys)).isEqualTo(distinct);
        assertThat(Arrays.stream(SortedArrays.counts(keys)).sum()).isEqualTo(keys.length);
        assertThat(SortedArrays.union(keys, others).length + SortedArrays.intersection(keys, others).length)
                .isEqualTo(keys.length + others.length);
        assertThat(SortedArrays.difference(keys, others).length)
                .isEqualTo(keys.length - SortedArrays.intersection(keys, others).length);
        assertThat(SortedArrays.upperBounds(keys, distinct))
                .isEqualTo(Arrays.copyOfRange(SortedArrays.groups(keys), 1, distinct.length + 1));
    }

    @Test
    void wrongArgumentsAreRefused() {
        try (SortedOperations operations = SampleSort.onCpu().buildSortedOperations(ElementType.INT);
                SortedOperations withPayloads =
                        SampleSort.onCpu().payload(ElementType.LONG).buildSortedOperations(ElementType.INT)) {
            MemorySegment target = MemorySegment.ofArray(new int[4]);
            assertRefused("overlap", () -> operations.unique(KEYS, KEYS.asSlice(0, 8)));
            assertRefused("overlap", () -> operations.merge(List.of(KEYS), KEYS));
            assertRefused("overlap", () -> operations.counts(KEYS, target, ElementType.INT, target));
            assertRefused("overlap", () -> operations.lowerBounds(KEYS, target, target));
            assertRefused("room for 4", () -> operations.merge(List.of(KEYS, KEYS), target));
            assertRefused("room for 2", () -> operations.unique(KEYS, target.asSlice(0, 8)));
            assertRefused("3 distinct keys", () -> operations.unique(KEYS, target.asSlice(0, 8)));
            assertRefused("give ElementType.INT", () -> operations.groups(KEYS, ElementType.SHORT, target));
            assertRefused("ints or longs", () -> operations.upperBounds(KEYS, KEYS, target.asSlice(0, 8)));
            assertRefused("read-only", () -> operations.unique(KEYS, target.asReadOnly()));
            assertRefused("no multiple of 4", () -> operations.firstOutOfOrder(MemorySegment.ofArray(new byte[3])));
            assertRefused("payload", () -> withPayloads.unique(KEYS, target));
            assertRefused("counts", () -> withPayloads.counts(KEYS, target, ElementType.INT, target));
            assertRefused(
                    "1 inputs and payloads of 0",
                    () -> withPayloads.merge(List.of(KEYS), List.of(), target, List.of(target)));
            assertRefused(
                    "4 keys and 1 payloads",
                    () -> withPayloads.unique(
                            KEYS,
                            List.of(MemorySegment.ofArray(new long[1])),
                            target,
                            List.of(MemorySegment.ofArray(new long[4]))));
        }
        assertRefused("inPlace", () -> SampleSort.onCpu().inPlace().buildSortedOperations(ElementType.INT));
    }

    /// Each target is named, above all where that of the keys has room enough.
    @Test
    void targetsOfPayloadsAreNamed() {
        MemorySegment longs = MemorySegment.ofArray(new long[4]);
        MemorySegment bytes = MemorySegment.ofArray(new byte[4]);
        List<MemorySegment> payloads = List.of(longs, bytes);
        MemorySegment target = MemorySegment.ofArray(new int[8]);
        MemorySegment longTarget = MemorySegment.ofArray(new long[8]);
        MemorySegment byteTarget = MemorySegment.ofArray(new byte[8]);
        List<MemorySegment> few = List.of(longTarget, byteTarget.asSlice(0, 2));
        List<MemorySegment> odd = List.of(longTarget.asSlice(0, 15), byteTarget);
        List<MemorySegment> same = List.of(longTarget, MemorySegment.ofArray(new long[1]));
        try (SortedOperations operations = SampleSort.onCpu()
                .payloads(ElementType.LONG, ElementType.BYTE)
                .buildSortedOperations(ElementType.INT)) {
            String tooSmall = "the target of payload 1 has room for 2";
            assertRefused(
                    "4 elements come out, and " + tooSmall + ": give it room for 4",
                    () -> operations.union(KEYS, payloads, KEYS, payloads, target, few));
            assertRefused(tooSmall, () -> operations.intersection(KEYS, payloads, KEYS, payloads, target, few));
            assertRefused(
                    tooSmall,
                    () -> operations.difference(
                            KEYS,
                            payloads,
                            MemorySegment.ofArray(new int[0]),
                            List.of(longs.asSlice(0, 0), bytes.asSlice(0, 0)),
                            target,
                            few));
            assertRefused(
                    "3 distinct keys come out, and " + tooSmall, () -> operations.unique(KEYS, payloads, target, few));
            assertRefused(
                    tooSmall,
                    () -> operations.merge(
                            List.of(KEYS),
                            List.of(payloads),
                            target.asSlice(0, 16),
                            List.of(longTarget.asSlice(0, 32), byteTarget.asSlice(0, 2))));
            assertRefused("the target of payload 0 has 15 bytes", () -> operations.unique(KEYS, payloads, target, odd));
            assertRefused(
                    "the target of payload 1 and the target overlap",
                    () -> operations.unique(KEYS, payloads, target, List.of(longTarget, target)));
            assertRefused(
                    "4 elements come out, and the target has room for 2",
                    () -> operations.union(KEYS, payloads, KEYS, payloads, target.asSlice(0, 8), few));
            assertThat(operations.unique(KEYS, payloads, target, same)).isEqualTo(3);
        }
    }

    private static void assertRefused(String message, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void itMayBeClosedTwiceAndNotUsedAfterwards() {
        SortedOperations operations = SampleSort.onCpu().buildSortedOperations(ElementType.INT);
        assertThat(operations.firstOutOfOrder(KEYS)).isEqualTo(-1);
        operations.close();
        assertThatCode(operations::close).doesNotThrowAnyException();
        assertThatThrownBy(() -> operations.firstOutOfOrder(KEYS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void confinedMemoryIsWorkedOn() {
        try (Arena arena = Arena.ofConfined();
                SortedOperations operations = SampleSort.onCpu()
                        .order(Order.custom("a > b", (a, b) -> Integer.compare(number(b), number(a))))
                        .buildSortedOperations(ElementType.INT)) {
            int count = 100_000;
            MemorySegment keys = arena.allocate(count * 4L, 4);
            MemorySegment target = arena.allocate(count * 8L, 4);
            for (int i = 0; i < count; i++) {
                keys.setAtIndex(ValueLayout.JAVA_INT, i, (count - i) / 2);
            }
            assertThat(operations.firstOutOfOrder(keys)).isEqualTo(-1);
            operations.merge(List.of(keys, keys), target);
            assertThat(operations.firstOutOfOrder(target)).isEqualTo(-1);
            assertThat(operations.unique(keys, target)).isEqualTo(count / 2 + 1);
        }
    }

    private static int number(MemorySegment element) {
        return element.get(ValueLayout.JAVA_INT, 0);
    }

    /// A comparator that throws ends all threads, also those that wait for another's results.
    @Test
    void aComparatorMayThrow() {
        int count = 300_000;
        MemorySegment keys =
                MemorySegment.ofArray(new Random(5).ints(count).sorted().toArray());
        MemorySegment target = MemorySegment.ofArray(new int[2 * count]);
        try (SortedOperations operations = SampleSort.onCpu()
                .order(Order.custom("a < b", (a, b) -> {
                    if (number(a) > 0) {
                        throw new UnsupportedOperationException("as expected");
                    }
                    return Integer.compare(number(a), number(b));
                }))
                .buildSortedOperations(ElementType.INT)) {
            for (Runnable call : List.<Runnable>of(
                    () -> operations.unique(keys, target),
                    () -> operations.union(keys, keys, target),
                    () -> operations.firstOutOfOrder(keys))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessage("as expected");
            }
        }
    }

    @Test
    void aListenerMayCancel() {
        MemorySegment keys = MemorySegment.ofArray(new long[1 << 20]);
        MemorySegment target = MemorySegment.ofArray(new long[1 << 20]);
        SortListener listener = new SortListener() {
            @Override
            public boolean isCancelled() {
                return true;
            }
        };
        try (SortedOperations operations =
                SampleSort.onCpu().listener(listener).buildSortedOperations(ElementType.LONG)) {
            assertThatThrownBy(() -> operations.unique(keys, target)).isInstanceOf(SortCancelledException.class);
        }
    }
}
