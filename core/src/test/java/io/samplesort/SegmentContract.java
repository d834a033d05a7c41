package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every engine promises of segments, whatever the type, the order, the input and the shape: each segment is
/// sorted as a sort of it alone sorts it, and nothing outside of all segments is touched.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SegmentContract {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int GUARD_BYTES = 64;

    /// A builder for the engine under test.
    protected abstract SorterBuilder builder();

    /// How many elements an input has at most.
    protected abstract int count();

    /// How many elements the inputs of numbers have.
    protected int[] counts() {
        return new int[] {0, 1, 40, 3000, count()};
    }

    /// Sorts segments where the engine takes them. The default is host memory.
    protected void sort(SegmentedSorter sorter, MemorySegment keys, SegmentOffsets offsets, MemorySegment... payloads) {
        sorter.sort(keys, offsets, payloads);
    }

    /// Finds the order of elements where the engine takes them.
    protected void argsort(
            SegmentedSorter sorter, MemorySegment elements, SegmentOffsets offsets, MemorySegment permutation) {
        sorter.argsort(elements, offsets, permutation);
    }

    /// What is sorted.
    ///
    /// @param payload null where elements have none
    public record Numbers(KeyType key, KeyType payload, boolean isDescending, boolean isStable) {
        @Override
        public String toString() {
            return key
                    + (payload == null ? "" : " with " + payload)
                    + (isDescending ? " descending" : "")
                    + (isStable ? " stable" : "");
        }
    }

    /// Each type once, with each kind of payload and without.
    protected List<Numbers> numbers() {
        return List.of(
                new Numbers(KeyType.I8, null, false, false),
                new Numbers(KeyType.U16, null, true, false),
                new Numbers(KeyType.I32, null, false, false),
                new Numbers(KeyType.U32, null, true, false),
                new Numbers(KeyType.F32, null, false, false),
                new Numbers(KeyType.I64, null, false, false),
                new Numbers(KeyType.F64, null, true, false),
                new Numbers(KeyType.U32, KeyType.U32, false, false),
                new Numbers(KeyType.F64, KeyType.U32, true, false),
                new Numbers(KeyType.U64, KeyType.I64, false, true));
    }

    /// All types in both directions, alone, with two kinds of payloads, and stably.
    static List<Numbers> everyNumbers() {
        List<Numbers> all = new ArrayList<>();
        for (KeyType key : KeyType.values()) {
            for (boolean isDescending : new boolean[] {false, true}) {
                all.add(new Numbers(key, null, isDescending, false));
                all.add(new Numbers(key, KeyType.U32, isDescending, false));
                all.add(new Numbers(key, KeyType.I64, isDescending, true));
            }
            all.add(new Numbers(key, KeyType.I64, false, false));
            all.add(new Numbers(key, KeyType.U16, false, false));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("everyNumbers")
    @Tag("exhaustive")
    void sortsSegmentsOfEveryType(Numbers sorted) {
        sortsSegments(sorted, List.of(InputDistribution.values()));
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void sortsSegmentsOfNumbers(Numbers sorted) {
        sortsSegments(
                sorted, List.of(InputDistribution.UNIFORM, InputDistribution.FEW_DISTINCT, InputDistribution.REVERSE));
    }

    private void sortsSegments(Numbers sorted, List<InputDistribution> distributions) {
        SorterBuilder builder = builder().order(ContractTypes.order(sorted.key(), sorted.isDescending()));
        if (sorted.payload() != null) {
            builder.payload(ContractTypes.elementType(sorted.payload()));
        }
        if (sorted.isStable()) {
            builder.stable();
        }
        try (SegmentedSorter sorter = builder.buildSegmented(ContractTypes.elementType(sorted.key()))) {
            for (SegmentShape shape : SegmentShape.values()) {
                InputDistribution distribution = distributions.get(shape.ordinal() % distributions.size());
                for (int count : counts()) {
                    check(sorter, sorted, distribution, shape, count);
                }
            }
        }
    }

    private void check(
            SegmentedSorter sorter, Numbers sorted, InputDistribution distribution, SegmentShape shape, int count) {
        long seed = SEED ^ (count * 31L + distribution.ordinal());
        String what = sorted + ", " + distribution + ", " + shape + ", " + count
                + " elements; replay with -Dtests.seed=" + SEED;
        KeyType type = sorted.key();
        SegmentOffsets offsets = shape.offsets(count, new Random(seed));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment keys = guarded(arena, (long) count * type.byteSize());
            distribution.fillWithSpecials(inner(keys), type, seed);
            int[] order = order(inner(keys), type, sorted.isDescending(), offsets);
            byte[] expected = RecordCase.gathered(inner(keys), type.byteSize(), order);
            if (sorted.payload() == null) {
                sort(sorter, inner(keys), offsets);
            } else {
                // The payloads tell, as far as they have bits for that, where their keys were.
                int bytes = sorted.payload().byteSize();
                MemorySegment payloads = guarded(arena, (long) count * bytes);
                for (int i = 0; i < count; i++) {
                    sorted.payload().setBits(inner(payloads), i, i);
                }
                byte[] before = inner(keys).toArray(ValueLayout.JAVA_BYTE);
                byte[] expectedPayloads = RecordCase.gathered(inner(payloads), bytes, order);
                sort(sorter, inner(keys), offsets, inner(payloads));
                if (sorted.isStable()) {
                    assertSame(inner(payloads), expectedPayloads, "payloads of " + what);
                } else if (bytes >= Integer.BYTES) {
                    checkPayloads(inner(keys), MemorySegment.ofArray(before), inner(payloads), sorted, offsets, what);
                }
                assertGuards(payloads, what);
            }
            assertSame(inner(keys), expected, "keys of " + what);
            assertGuards(keys, what);
        }
    }

    /// Returns the index of the key that belongs at each place.
    private static int[] order(MemorySegment keys, KeyType type, boolean isDescending, SegmentOffsets offsets) {
        int[] order = new int[(int) type.count(keys)];
        Arrays.setAll(order, i -> i);
        Integer[] sorted = Arrays.stream(order).boxed().toArray(Integer[]::new);
        for (long s = 0; s < offsets.segmentCount(); s++) {
            Arrays.sort(sorted, (int) offsets.offset(s), (int) offsets.offset(s + 1), (a, b) -> {
                int comparison = compare(type, type.bits(keys, a), type.bits(keys, b));
                return isDescending ? -comparison : comparison;
            });
        }
        return Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
    }

    /// Compares as the library does, which tells NaNs apart: those without a sign come first.
    private static int compare(KeyType type, long a, long b) {
        int comparison = type.compareBits(a, b);
        if (comparison != 0 || a == b) {
            return comparison;
        }
        long signA = a >>> (type.byteSize() * Byte.SIZE - 1) & 1;
        long signB = b >>> (type.byteSize() * Byte.SIZE - 1) & 1;
        return signA != signB
                ? Long.compare(signA, signB)
                : signA == 0 ? Long.compareUnsigned(a, b) : Long.compareUnsigned(b, a);
    }

    /// Checks that each key has the payload that it had before, each of them once, and that none has left its segment.
    private static void checkPayloads(
            MemorySegment keys,
            MemorySegment before,
            MemorySegment payloads,
            Numbers sorted,
            SegmentOffsets offsets,
            String what) {
        int count = (int) sorted.key().count(keys);
        boolean[] seen = new boolean[count];
        long segment = 0;
        for (int i = 0; i < count; i++) {
            while (segment < offsets.segmentCount() && offsets.offset(segment + 1) <= i) {
                segment++;
            }
            int from = (int) sorted.payload().bits(payloads, i);
            boolean isInSegment = segment < offsets.segmentCount() && offsets.offset(segment) <= i;
            boolean isRight = isInSegment
                    ? from >= offsets.offset(segment) && from < offsets.offset(segment + 1) && !seen[from]
                    : from == i;
            if (!isRight || sorted.key().bits(keys, i) != sorted.key().bits(before, from)) {
                throw new AssertionError("place " + i + " has the payload " + from + " of another key: " + what);
            }
            seen[from] = true;
        }
    }

    static List<RecordCase> records() {
        return RecordCase.named("price, then id", "nulls first, strings reversed", "sort benchmark", "custom, moved");
    }

    static List<RecordCase> otherRecords() {
        return RecordCase.allBut(records());
    }

    @ParameterizedTest
    @MethodSource("otherRecords")
    @Tag("exhaustive")
    void sortsOtherRecordsStably(RecordCase records) {
        sortsRecordsStably(records);
    }

    @ParameterizedTest
    @MethodSource("records")
    void sortsRecordsStably(RecordCase records) {
        ElementType odd = ElementType.of(MemoryLayout.structLayout(
                MemoryLayout.sequenceLayout(3, ValueLayout.JAVA_BYTE).withName("odd")));
        ElementType type = records.type();
        try (SegmentedSorter sorter = builder()
                        .order(records.order())
                        .payloads(odd, ElementType.LONG)
                        .stable()
                        .buildSegmented(type);
                SegmentedSorter alone =
                        builder().order(records.order()).stable().buildSegmented(type);
                Arena arena = Arena.ofShared()) {
            for (SegmentShape shape : SegmentShape.values()) {
                for (int count : new int[] {0, 1, Math.min(3000, count())}) {
                    String what = records + ", " + shape + ", " + count + " elements; replay with -Dtests.seed=" + SEED;
                    Random random = new Random(SEED + count);
                    SegmentOffsets offsets = shape.offsets(count, random);
                    List<ElementType> types = List.of(type, odd, ElementType.LONG);
                    List<MemorySegment> columns = new ArrayList<>();
                    for (ElementType column : types) {
                        columns.add(guarded(arena, (long) count * column.byteSize()));
                    }
                    records.fill(inner(columns.get(0)), random);
                    fillRandomly(inner(columns.get(1)), random);
                    fillRandomly(inner(columns.get(2)), random);
                    int[] order = order(records, inner(columns.get(0)), offsets);
                    checkArgsort(alone, inner(columns.get(0)), offsets, order, what);
                    List<byte[]> expected = new ArrayList<>();
                    for (int c = 0; c < types.size(); c++) {
                        expected.add(RecordCase.gathered(
                                inner(columns.get(c)), types.get(c).byteSize(), order));
                    }
                    MemorySegment copy = guarded(arena, (long) count * type.byteSize());
                    copy.copyFrom(columns.get(0));
                    sort(alone, inner(copy), offsets);
                    assertSame(inner(copy), expected.get(0), "records alone of " + what);
                    sort(sorter, inner(columns.get(0)), offsets, inner(columns.get(1)), inner(columns.get(2)));
                    for (int c = 0; c < types.size(); c++) {
                        assertSame(inner(columns.get(c)), expected.get(c), "column " + c + " of " + what);
                        assertGuards(columns.get(c), "column " + c + " of " + what);
                    }
                }
            }
        }
    }

    private void checkArgsort(
            SegmentedSorter sorter, MemorySegment elements, SegmentOffsets offsets, int[] order, String what) {
        byte[] before = elements.toArray(ValueLayout.JAVA_BYTE);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment ints = arena.allocate(ValueLayout.JAVA_INT, Math.max(1, order.length))
                    .asSlice(0, (long) order.length * Integer.BYTES);
            argsort(sorter, elements, offsets, ints);
            assertThat(Arrays.mismatch(ints.toArray(ValueLayout.JAVA_INT), order))
                    .as("first wrong index of %s", what)
                    .isEqualTo(-1);
            MemorySegment longs = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, order.length))
                    .asSlice(0, (long) order.length * Long.BYTES);
            argsort(sorter, elements, offsets, longs);
            long[] expected = Arrays.stream(order).asLongStream().toArray();
            assertThat(Arrays.mismatch(longs.toArray(ValueLayout.JAVA_LONG), expected))
                    .as("first wrong long index of %s", what)
                    .isEqualTo(-1);
        }
        assertSame(elements, before, "elements after the argsort of " + what);
    }

    private static int[] order(RecordCase records, MemorySegment elements, SegmentOffsets offsets) {
        int bytes = records.type().byteSize();
        int[] order = new int[(int) (elements.byteSize() / bytes)];
        Arrays.setAll(order, i -> i);
        for (long s = 0; s < offsets.segmentCount(); s++) {
            long from = offsets.offset(s);
            long length = offsets.offset(s + 1) - from;
            int[] found = records.stableOrder(elements.asSlice(from * bytes, length * bytes));
            for (int i = 0; i < found.length; i++) {
                order[(int) from + i] = (int) from + found[i];
            }
        }
        return order;
    }

    /// The order of numbers, with many ties and with few.
    @ParameterizedTest
    @MethodSource("numbers")
    void findsTheOrder(Numbers sorted) {
        KeyType type = sorted.key();
        try (SegmentedSorter sorter = builder()
                        .order(ContractTypes.order(type, sorted.isDescending()))
                        .buildSegmented(ContractTypes.elementType(type));
                Arena arena = Arena.ofShared()) {
            for (SegmentShape shape : SegmentShape.values()) {
                InputDistribution distribution =
                        shape.ordinal() % 2 == 0 ? InputDistribution.ROOT_DUPLICATES : InputDistribution.UNIFORM;
                for (int count : new int[] {0, 33, count() / 2}) {
                    MemorySegment keys = arena.allocate((long) count * type.byteSize(), 8);
                    distribution.fillWithSpecials(keys, type, SEED);
                    SegmentOffsets offsets = shape.offsets(count, new Random(SEED));
                    int[] order = order(keys, type, sorted.isDescending(), offsets);
                    String what = sorted + ", " + shape + ", " + count + " elements; replay with -Dtests.seed=" + SEED;
                    checkArgsort(sorter, keys, offsets, order, what);
                }
            }
        }
    }

    private static void fillRandomly(MemorySegment segment, Random random) {
        byte[] bytes = new byte[(int) segment.byteSize()];
        random.nextBytes(bytes);
        segment.copyFrom(MemorySegment.ofArray(bytes));
    }

    private static void assertSame(MemorySegment found, byte[] expected, String what) {
        assertThat(found.mismatch(MemorySegment.ofArray(expected)))
                .as("first wrong byte of the " + what)
                .isEqualTo(-1);
    }

    private static MemorySegment guarded(Arena arena, long bytes) {
        return arena.allocate(bytes + 2 * GUARD_BYTES, 64).fill((byte) 0x5a);
    }

    private static MemorySegment inner(MemorySegment guarded) {
        return guarded.asSlice(GUARD_BYTES, guarded.byteSize() - 2 * GUARD_BYTES);
    }

    private static void assertGuards(MemorySegment guarded, String what) {
        for (long i = 0; i < GUARD_BYTES; i++) {
            assertThat(guarded.get(ValueLayout.JAVA_BYTE, i))
                    .as("before " + what)
                    .isEqualTo((byte) 0x5a);
            assertThat(guarded.get(ValueLayout.JAVA_BYTE, guarded.byteSize() - 1 - i))
                    .as("after " + what)
                    .isEqualTo((byte) 0x5a);
        }
    }
}
