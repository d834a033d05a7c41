package io.samplesort.cpu.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.cpu.leaf.SimdRecords;
import io.samplesort.cpu.numbers.CpuTuning;
import io.samplesort.cpu.numbers.GuardedMemory;
import io.samplesort.cpu.numbers.SortCase;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every kind of element and order against the JDK's own stable sort: elements, payloads, permutations, and the memory
/// around them.
class IndexedSortTest {
    private static final List<ElementType> PAYLOADS = List.of(
            ElementType.BYTE,
            ElementType.SHORT,
            ElementType.INT,
            ElementType.DOUBLE,
            ofBytes(3),
            ofBytes(7),
            ofBytes(12),
            ofBytes(20),
            ofBytes(33),
            ofBytes(300));

    @BeforeAll
    static void loadKernels() {
        // Where there are kernels, which sorts use them must not depend on when they are loaded.
        SimdRecords.find(true);
    }

    private static ElementType ofBytes(int count) {
        return IndexedCases.struct(MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE));
    }

    @ParameterizedTest
    @MethodSource("io.samplesort.cpu.records.IndexedCases#few")
    void sortsStablyAndMovesEveryPayload(RecordCase records) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        for (int size : new int[] {0, 1, 2, 3, 12, 13, 100, 5000}) {
            for (RecordInput input : RecordInput.values()) {
                List<ElementType> payloads = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    payloads.add(PAYLOADS.get(random.nextInt(PAYLOADS.size())));
                }
                boolean mayGather = random.nextBoolean();
                try (IndexedCpuSorter sorter =
                        new IndexedCpuSorter(records.type(), payloads, records.order(), SortCase.TINY, 3, mayGather)) {
                    check(sorter, records, payloads, input, size, random);
                }
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("io.samplesort.cpu.records.IndexedCases#others")
    void sortsOthersStablyAndMovesEveryPayload(RecordCase records) {
        sortsStablyAndMovesEveryPayload(records);
    }

    @ParameterizedTest
    @MethodSource("io.samplesort.cpu.records.IndexedCases#few")
    void sortsLargeInputsWithOneSorter(RecordCase records) {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        List<ElementType> payloads = List.of(ElementType.INT);
        try (IndexedCpuSorter sorter = new IndexedCpuSorter(records.type(), payloads, records.order())) {
            check(sorter, records, payloads, RecordInput.FEW_DISTINCT, 50_000, random);
            sorter.release();
            check(sorter, records, payloads, RecordInput.RANDOM, 34_000, random);
            check(sorter, records, payloads, RecordInput.EQUAL, 34_001, random);
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("io.samplesort.cpu.records.IndexedCases#others")
    void sortsOtherLargeInputsWithOneSorter(RecordCase records) {
        sortsLargeInputsWithOneSorter(records);
    }

    /// Runs of hundreds of elements that are equal in the first field. Half of the second fields of a run differ only
    /// in their lowest bits, which do not fit in one long with the place in the run, and some are equal.
    @Test
    void tiesAreSortedByTheRestOfTheKey() {
        SplittableRandom random = new SplittableRandom(SortCase.SEED);
        int count = 20_000;
        long[] firsts = random.longs(40).toArray();
        long[] pairs = new long[2 * count];
        for (int i = 0; i < count; i++) {
            pairs[2 * i] = firsts[random.nextInt(firsts.length)];
            pairs[2 * i + 1] = random.nextBoolean() ? random.nextLong() : random.nextInt(100);
        }
        Comparator<Integer> byFirst = Comparator.comparingLong(i -> pairs[2 * i]);
        int[] expected = IntStream.range(0, count)
                .boxed()
                .sorted(byFirst.thenComparing(i -> pairs[2 * i + 1]))
                .mapToInt(i -> i)
                .toArray();
        ElementType pair =
                IndexedCases.struct(ValueLayout.JAVA_LONG.withName("first"), ValueLayout.JAVA_LONG.withName("second"));
        Order order = Order.by("first").thenBy("second");
        int[] permutation = new int[count];
        for (CpuTuning tuning : List.of(CpuTuning.DEFAULT, SortCase.TINY)) {
            long[] moved = pairs.clone();
            try (IndexedCpuSorter sorter = new IndexedCpuSorter(pair, List.of(), order, tuning, 3)) {
                sorter.argsort(MemorySegment.ofArray(pairs), MemorySegment.ofArray(permutation));
                sorter.sort(MemorySegment.ofArray(moved), List.of());
            }
            assertThat(Arrays.mismatch(permutation, expected))
                    .as("-Dtests.seed=%d", SortCase.SEED)
                    .isEqualTo(-1);
            for (int i = 0; i < count; i++) {
                assertThat(moved[2 * i]).isEqualTo(pairs[2 * expected[i]]);
                assertThat(moved[2 * i + 1]).isEqualTo(pairs[2 * expected[i] + 1]);
            }
        }
    }

    private static void check(
            IndexedCpuSorter sorter,
            RecordCase records,
            List<ElementType> payloads,
            RecordInput input,
            int size,
            SplittableRandom random) {
        String what = records + ", payloads " + payloads + ", " + size + " elements, " + input
                + "; replay with -Dtests.seed=" + SortCase.SEED;
        try (Arena arena = Arena.ofShared()) {
            boolean isNative = random.nextBoolean();
            GuardedMemory elements = guarded(arena, isNative, records.type(), size);
            input.fill(elements.segment(), records.type(), random);
            List<GuardedMemory> columns = new ArrayList<>();
            for (ElementType payload : payloads) {
                GuardedMemory column = guarded(arena, isNative, payload, size);
                RecordInput.RANDOM.fill(column.segment(), payload, random);
                columns.add(column);
            }
            int[] expected = records.stableOrder(elements.segment());
            checkArgsort(sorter, elements.segment(), expected, what);

            List<byte[]> wanted = new ArrayList<>();
            wanted.add(permuted(elements.segment(), records.type(), expected));
            for (int i = 0; i < columns.size(); i++) {
                wanted.add(permuted(columns.get(i).segment(), payloads.get(i), expected));
            }
            SortReport report = sorter.sort(
                    elements.segment(),
                    columns.stream().map(GuardedMemory::segment).toList());
            assertThat(report.elementCount()).as(what).isEqualTo(size);
            assertThat(elements.segment().mismatch(MemorySegment.ofArray(wanted.getFirst())))
                    .as("elements of %s", what)
                    .isEqualTo(-1);
            elements.check(what);
            for (int i = 0; i < columns.size(); i++) {
                assertThat(columns.get(i).segment().mismatch(MemorySegment.ofArray(wanted.get(i + 1))))
                        .as("column %s of %s", i, what)
                        .isEqualTo(-1);
                columns.get(i).check(what);
            }
            assertThat(OrderedRun.isSorted(elements.segment(), records.type(), records.order()))
                    .as("isSorted of %s", what)
                    .isTrue();
        }
    }

    private static void checkArgsort(IndexedCpuSorter sorter, MemorySegment elements, int[] expected, String what) {
        byte[] before = elements.toArray(ValueLayout.JAVA_BYTE);
        GuardedMemory ints = GuardedMemory.inArray(4L * expected.length);
        GuardedMemory longs = GuardedMemory.inArray(8L * expected.length);
        sorter.argsort(elements.asReadOnly(), ints.segment());
        sorter.argsort(elements, longs.segment());
        assertThat(ints.segment().toArray(ValueLayout.JAVA_INT_UNALIGNED))
                .as("argsort of %s", what)
                .isEqualTo(expected);
        assertThat(longs.segment().toArray(ValueLayout.JAVA_LONG_UNALIGNED))
                .as("argsort of %s", what)
                .isEqualTo(IntStream.of(expected).asLongStream().toArray());
        ints.check(what);
        longs.check(what);
        assertThat(Arrays.equals(before, elements.toArray(ValueLayout.JAVA_BYTE)))
                .as("input of argsort of %s", what)
                .isTrue();
    }

    private static GuardedMemory guarded(Arena arena, boolean isNative, ElementType type, int size) {
        long bytes = (long) size * type.byteSize();
        return isNative ? GuardedMemory.in(arena, bytes) : GuardedMemory.inArray(bytes);
    }

    private static byte[] permuted(MemorySegment column, ElementType type, int[] permutation) {
        int bytes = type.byteSize();
        byte[] result = new byte[permutation.length * bytes];
        for (int i = 0; i < permutation.length; i++) {
            MemorySegment.copy(
                    column,
                    ValueLayout.JAVA_BYTE,
                    (long) permutation[i] * bytes,
                    result,
                    Math.multiplyExact(i, bytes),
                    bytes);
        }
        return result;
    }
}
