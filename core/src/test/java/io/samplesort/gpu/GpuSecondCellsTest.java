package io.samplesort.gpu;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Keys that are wider than the numbers by which they are divided among cells, with first numbers that repeat in all
/// ways: structs of two fields, pairs whose equal keys keep their order, and indexes. Second numbers then decide
/// (second_cells.cuh).
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSecondCellsTest {
    private static final ElementType TWO_LONGS =
            ElementType.of(MemoryLayout.structLayout(JAVA_LONG.withName("a"), JAVA_LONG.withName("b")));

    private static final Order BY_BOTH = Order.by("a").thenBy("b");

    /// Without cells, which take long to compile, and with more buckets, and samples so large that several blocks sort
    /// them (sample.cuh).
    private static final Tuning MORE_BUCKETS =
            GpuCellsTest.WITHOUT_CELLS.with("maxBucketCount=64,sampleThreads=64,sampleItems=8,oversampling=32");

    private static final SplittableRandom RANDOM = new SplittableRandom(7);

    /// Second fields that are spread evenly, in order, few, few and others, crowded, and all equal.
    private static final List<LongUnaryOperator> SECONDS = List.of(
            i -> RANDOM.nextLong(),
            i -> i,
            i -> RANDOM.nextInt(3),
            i -> i % 4 == 0 ? RANDOM.nextLong() : RANDOM.nextInt(2),
            i -> RANDOM.nextLong() >>> RANDOM.nextInt(64),
            i -> 5);

    private static Sorter structSorter(Tuning tuning) {
        return SampleSort.onGpu().tuning(tuning).order(BY_BOTH).build(TWO_LONGS);
    }

    /// What users have, but for small inputs that are ranked and not divided.
    private static Sorter defaultStructSorter() {
        return SampleSort.onGpu().tuning("rankedSize=0").order(BY_BOTH).build(TWO_LONGS);
    }

    @Test
    void sortsStructs() {
        try (Sorter sorter = structSorter(GpuCellsTest.SMALL)) {
            GpuCellsTest.inputs(511).forEach(input -> sortStructs(sorter, input, SECONDS));
            GpuCellsTest.inputs(3000).forEach(input -> sortStructs(sorter, input, SECONDS.subList(0, 1)));
        }
    }

    @Test
    @Tag("exhaustive")
    void sortsStructsByDefault() {
        try (Sorter sorter = defaultStructSorter()) {
            GpuCellsTest.inputs(3000).forEach(input -> sortStructs(sorter, input, SECONDS));
        }
    }

    /// Structs whose splitters share their first fields, or some of them, so that buckets are found by whole keys
    /// (wide_map.cuh): one or few first fields, fields of which each is half as frequent as the one before, frequent
    /// ones among others, and neighbours at the ends of the range. Small sorts then have buckets with few first fields
    /// and with many by turns (repeat_sort.cuh), or have no cells.
    private static List<GpuCellsTest.Keys> sharedFields(int count) {
        return List.of(
                new GpuCellsTest.Keys("one", firsts(count, i -> 5)),
                new GpuCellsTest.Keys("few", firsts(count, i -> RANDOM.nextInt(16) - 8)),
                new GpuCellsTest.Keys("halves", firsts(count, i -> Long.numberOfTrailingZeros(RANDOM.nextLong()))),
                new GpuCellsTest.Keys(
                        "powers", firsts(count, i -> i % 3 == 0 ? 0 : RANDOM.nextLong() >>> RANDOM.nextInt(64))),
                new GpuCellsTest.Keys("frequent", firsts(count, i -> i % 2 == 0 ? 1L << 40 : RANDOM.nextInt(1 << 30))),
                new GpuCellsTest.Keys(
                        "frequent, in between", firsts(count, i -> i % 3 == 0 ? 77 : RANDOM.nextInt(-1000, 1000))),
                new GpuCellsTest.Keys(
                        "few among many", firsts(count, i -> i % 2 == 0 ? RANDOM.nextInt(3000) : RANDOM.nextLong())),
                // The outermost buckets have many fields, although their neighbours have few (few_numbers.cuh).
                new GpuCellsTest.Keys(
                        "few between some",
                        firsts(count, i -> i % 100 == 0 ? RANDOM.nextLong() : RANDOM.nextInt(3000))),
                new GpuCellsTest.Keys("ends", firsts(count, i -> Long.MIN_VALUE - RANDOM.nextInt(2))));
    }

    @Test
    void findsBucketsByBothFields() {
        findBucketsByBothFields(GpuCellsTest.SMALL, 0);
        findBucketsByBothFields(MORE_BUCKETS, 1);
    }

    @Test
    @Tag("exhaustive")
    void findsBucketsByBothFieldsWithOtherGrids() {
        findBucketsByBothFields(GpuCellsTest.WITHOUT_CELLS.with("gridCells=16,maxBucketCount=64"), 2);
        findBucketsByBothFields(GpuCellsTest.WITHOUT_CELLS.with("gridCells=1,maxBucketCount=4"), 3);
    }

    /// All second fields have their turn.
    private static void findBucketsByBothFields(Tuning tuning, int turn) {
        List<GpuCellsTest.Keys> inputs = sharedFields(12_000);
        try (Sorter sorter = structSorter(tuning)) {
            for (int i = 0; i < inputs.size(); i++) {
                sortStructs(sorter, inputs.get(i), List.of(SECONDS.get((turn + i) % SECONDS.size())));
            }
        }
    }

    /// One to three first fields of which each has many of the splitters (frequent_numbers.cuh), among others: close to
    /// each other and far apart, at the ends and in between. Some second fields are spread evenly, as the grid needs.
    @Test
    void findsBucketsOfFrequentFields() {
        int count = 15_000;
        List<GpuCellsTest.Keys> inputs = List.of(
                new GpuCellsTest.Keys("one", firsts(count, i -> i % 2 == 0 ? 50_000 : RANDOM.nextInt(100_000))),
                new GpuCellsTest.Keys(
                        "two", firsts(count, i -> i % 8 < 3 ? 300 : i % 8 < 6 ? 70_000 : RANDOM.nextInt(100_000))),
                new GpuCellsTest.Keys(
                        "two, far apart",
                        firsts(count, i -> i % 4 == 0 ? -7 : i % 4 == 1 ? 1L << 62 : RANDOM.nextLong())),
                new GpuCellsTest.Keys(
                        "two, at the ends",
                        firsts(count, i -> i % 3 == 0 ? 0 : i % 3 == 1 ? 9999 : RANDOM.nextInt(10_000))),
                new GpuCellsTest.Keys(
                        "three", firsts(count, i -> i % 4 < 3 ? i % 4 * 10_000 : RANDOM.nextInt(30_000))));
        List<LongUnaryOperator> seconds =
                List.of(SECONDS.getFirst(), SECONDS.getLast(), i -> RANDOM.nextLong(1L << 40));
        try (Sorter sorter = structSorter(MORE_BUCKETS)) {
            inputs.forEach(input -> sortStructs(sorter, input, seconds));
        }
    }

    /// Buckets with the tuning that users have, as many items share each first number: evenly spread ones, multiples of
    /// a power of two, and frequent ones among others, whose cells have many items or too many.
    @Test
    void sortsBucketsOfRepeatedNumbers() {
        int count = 1 << 16;
        List<GpuCellsTest.Keys> inputs = List.of(
                new GpuCellsTest.Keys("two", firsts(count, i -> (i * i + count / 2) % count)),
                new GpuCellsTest.Keys("eight", firsts(count, i -> (i * i * i * i % count * i * i * i * i) % count)),
                new GpuCellsTest.Keys("multiples", firsts(count, i -> RANDOM.nextInt(count / 16) * 32 + 7)),
                new GpuCellsTest.Keys(
                        "multiples and frequent ones",
                        firsts(count, i -> RANDOM.nextInt(4) == 0 ? i / 4096 * 8192 : i / 16 * 32 + 1)),
                new GpuCellsTest.Keys(
                        "frequent ones alone", firsts(count, i -> i % 3 == 0 ? i : RANDOM.nextInt(32) * 2048)),
                new GpuCellsTest.Keys("copies", firsts(count, i -> i / 64)));
        List<LongUnaryOperator> seconds = List.of(
                SECONDS.getFirst(),
                i -> RANDOM.nextInt(9),
                i -> i % 1024 < 512 ? RANDOM.nextLong() : RANDOM.nextInt(1 << 20));
        try (Sorter sorter = defaultStructSorter()) {
            inputs.forEach(input -> sortStructs(sorter, input, seconds));
        }
    }

    private static long[] firsts(int count, LongUnaryOperator first) {
        return LongStream.range(0, count).map(first).toArray();
    }

    private static void sortStructs(Sorter sorter, GpuCellsTest.Keys input, List<LongUnaryOperator> seconds) {
        for (LongUnaryOperator second : seconds) {
            long[] structs = IntStream.range(0, 2 * input.keys().length)
                    .mapToLong(i -> i % 2 == 0 ? input.keys()[i / 2] : second.applyAsLong(i / 2))
                    .toArray();
            long[] expected = IntStream.range(0, structs.length / 2)
                    .boxed()
                    .sorted(Comparator.<Integer>comparingLong(i -> structs[2 * i])
                            .thenComparingLong(i -> structs[2 * i + 1]))
                    .flatMapToLong(i -> LongStream.of(structs[2 * i], structs[2 * i + 1]))
                    .toArray();
            sorter.sort(MemorySegment.ofArray(structs));
            assertThat(structs).as(input.toString()).isEqualTo(expected);
        }
    }

    @Test
    void keepsTheOrderOfEqualKeys() {
        try (Sorter sorter = SampleSort.onGpu()
                .stable()
                .tuning(GpuCellsTest.SMALL)
                .payload(ElementType.LONG)
                .build(ElementType.LONG)) {
            GpuCellsTest.inputs(3000).forEach(input -> {
                long[] places = LongStream.range(0, input.keys().length).toArray();
                sorter.sort(MemorySegment.ofArray(input.keys().clone()), MemorySegment.ofArray(places));
                assertThat(places)
                        .as(input.toString())
                        .isEqualTo(LongStream.of(places(input.keys())).toArray());
            });
        }
    }

    /// With few items for each thread.
    @Test
    @Tag("exhaustive")
    void sortsIndexes() {
        try (Sorter sorter =
                SampleSort.onGpu().stable().tuning(GpuCellsTest.SMALL).build(ElementType.LONG)) {
            GpuCellsTest.inputs(3000).forEach(input -> sortIndexes(sorter, input));
        }
    }

    /// Indexes with as many items for each thread as by default. Cells with many of them are not divided then, and
    /// blocks leave cells out where many buckets have such a cell (uneven_buckets.cuh). Numbers are crowded at places
    /// between which nothing is, as words of text are, all of them or half, or each is frequent.
    @Test
    void sortsIndexesOfUnevenNumbers() {
        int count = 40_000;
        LongUnaryOperator crowded = i -> (RANDOM.nextLong(count / 100) << 40) + RANDOM.nextInt(1 << 20);
        List<GpuCellsTest.Keys> inputs = List.of(
                new GpuCellsTest.Keys("crowded", firsts(count, crowded)),
                new GpuCellsTest.Keys(
                        "half of them crowded",
                        firsts(count, i -> i % 2 == 0 ? crowded.applyAsLong(i) : -1 - RANDOM.nextLong(1L << 50))),
                new GpuCellsTest.Keys("frequent", firsts(count, i -> RANDOM.nextInt(count / 100) * 77L)));
        try (Sorter sorter = SampleSort.onGpu()
                .stable()
                .tuning(GpuCellsTest.SMALL.with("smallSortItems=16"))
                .build(ElementType.LONG)) {
            GpuCellsTest.inputs(3000).forEach(input -> sortIndexes(sorter, input));
            inputs.forEach(input -> sortIndexes(sorter, input));
        }
    }

    private static void sortIndexes(Sorter sorter, GpuCellsTest.Keys input) {
        int[] expected = LongStream.of(places(input.keys()))
                .mapToInt(place -> (int) place)
                .toArray();
        assertThat(sorter.argsort(MemorySegment.ofArray(input.keys())))
                .as(input.toString())
                .isEqualTo(expected);
    }

    /// Returns where each key of the sorted array comes from.
    private static long[] places(long[] keys) {
        return IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToLong(i -> i)
                .toArray();
    }
}
