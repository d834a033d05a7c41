package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Pairs of numbers of one size keep the order of equal keys on their way, without an index (stable_scatter.cuh): the
/// very result of the JDK's stable sort, on every way that a sort may take.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuStablePairsTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

    private static final Tuning TINY = GpuContractTest.TINY;

    /// A small sort without cells takes a third of the time to compile. TINY has one with.
    private static final Tuning NO_CELLS = TINY.with("smallSortCells=0");

    /// Buckets so uneven that some are several times the small-sort limit.
    private static final Tuning HOPELESS = TINY.with("oversampling=1,bucketTarget=768");

    /// Buckets that outgrow their room: their segments are merged.
    private static final Tuning TIGHT = TINY.with("bucketSlack=1,oversampling=1");

    /// As many buckets as fit one pass, several for each thread.
    private static final Tuning MANY_BUCKETS =
            NO_CELLS.with("distributionThreads=128,maxBucketCount=2048,bucketTarget=2,sampleThreads=256");

    /// Signed, unsigned and floating-point numbers of each size.
    private static final List<KeyType> TYPES =
            List.of(KeyType.I32, KeyType.U32, KeyType.F32, KeyType.I64, KeyType.U64, KeyType.F64);

    /// One of each size, in both directions, one with NaNs. A sorter has kernels of its own, which take longer to
    /// compile than to run.
    private static final List<KeyType> REPRESENTATIVE = List.of(KeyType.I32, KeyType.F64);

    private static final List<KeyType> OTHERS =
            TYPES.stream().filter(type -> !REPRESENTATIVE.contains(type)).toList();

    /// Each type is sorted in one direction.
    private static boolean isDescending(KeyType type) {
        return type == KeyType.U32 || type == KeyType.I64 || type == KeyType.F64;
    }

    @Test
    void moveWholeAndKeepTheirOrder() {
        for (KeyType type : TYPES) {
            ElementType key = ContractTypes.elementType(type);
            KernelElement element = KernelElement.of(key, List.of(key), ContractTypes.order(type, false), true);
            assertThat(element.keepsOrder()).as(type.toString()).isTrue();
            assertThat(element.sortsIndexes()).as(type.toString()).isFalse();
        }
        assertThat(KernelElement.of(ElementType.INT, List.of(ElementType.LONG), Order.natural(), true)
                        .sortsIndexes())
                .isTrue();
        assertThat(KernelElement.of(ElementType.SHORT, List.of(ElementType.SHORT), Order.natural(), true)
                        .sortsIndexes())
                .isTrue();
    }

    @Test
    void typesOfEachSize() {
        REPRESENTATIVE.forEach(GpuStablePairsTest::checkType);
    }

    @Test
    @Tag("exhaustive")
    void otherTypes() {
        OTHERS.forEach(GpuStablePairsTest::checkType);
    }

    private static void checkType(KeyType type) {
        try (Pairs pairs = new Pairs(TINY, type, isDescending(type))) {
            for (int count : new int[] {1, 2, 500, 6000}) {
                // With a few of each number.
                pairs.fillRandomly(count, count / 5 + 1);
                pairs.sortAndCheck("random");
            }
            // As those that fill a block up.
            for (int count : new int[] {33, 127, 700, 3000}) {
                pairs.fillWithSpecialValues(count);
                pairs.sortAndCheck("special values");
            }
            pairs.fill(InputDistribution.UNIFORM, 20_000);
            assertThat(pairs.sortAndCheck("uniform").passes()).isEqualTo(3);
        }
    }

    @Test
    void everyDistribution() {
        checkDistributions(KeyType.I32);
    }

    @Test
    @Tag("exhaustive")
    void everyDistributionOfOtherTypes() {
        checkDistributions(KeyType.U32);
        checkDistributions(KeyType.I64);
    }

    private static void checkDistributions(KeyType type) {
        try (Pairs pairs = new Pairs(TINY, type, isDescending(type))) {
            for (InputDistribution distribution : InputDistribution.values()) {
                pairs.fill(distribution, 4000);
                pairs.sortAndCheck(distribution.toString());
            }
        }
    }

    @Test
    void everySizeAroundTilesAndSmallSorts() {
        try (Pairs pairs = new Pairs(TINY, KeyType.I32, false)) {
            for (int edge : new int[] {32, 96, 128, 192, 256, 384, 512, 768, 1024, 1536}) {
                for (int count = edge - 1; count <= edge + 1; count++) {
                    pairs.fillRandomly(count, 50);
                    pairs.sortAndCheck("random");
                }
            }
        }
    }

    @Test
    void manyBuckets() {
        checkBuckets(MANY_BUCKETS, KeyType.F64);
    }

    @Test
    @Tag("exhaustive")
    void fewAndManyBuckets() {
        checkBuckets(MANY_BUCKETS, KeyType.F32);
        // One a thread; many more threads than buckets.
        checkBuckets(NO_CELLS.with("maxBucketCount=64"), KeyType.U64);
        checkBuckets(NO_CELLS.with("maxBucketCount=2,distributionThreads=256"), KeyType.F32);
        checkBuckets(NO_CELLS.with("distributionItems=1,mergeBuffers=1,extraPercent=130"), KeyType.U64);
    }

    private static void checkBuckets(Tuning tuning, KeyType type) {
        try (Pairs pairs = new Pairs(tuning, type, isDescending(type))) {
            for (InputDistribution distribution :
                    List.of(InputDistribution.ROOT_DUPLICATES, InputDistribution.UNIFORM)) {
                pairs.fill(distribution, 6000);
                pairs.sortAndCheck(distribution.toString());
            }
        }
    }

    @Test
    void defaultTuning() {
        checkDefaultTuning(KeyType.I32);
    }

    @Test
    @Tag("exhaustive")
    void defaultTuningOfLargerPairs() {
        checkDefaultTuning(KeyType.F64);
    }

    private static void checkDefaultTuning(KeyType type) {
        ElementType key = ContractTypes.elementType(type);
        try (Pairs pairs = new Pairs(Tuning.defaultFor(key, key), type, false)) {
            pairs.fill(InputDistribution.UNIFORM, 20_000);
            pairs.sortAndCheck("uniform");
            pairs.fillRandomly(20_000, 1000);
            pairs.sortAndCheck("random");
        }
    }

    /// In several passes, and in one.
    @Test
    void equalityBuckets() {
        for (Tuning tuning : List.of(TINY, MANY_BUCKETS.with("bucketTarget=96"))) {
            try (Pairs pairs = new Pairs(tuning, KeyType.F64, true)) {
                for (int distinct : new int[] {1, 2, 10, 100}) {
                    pairs.fillRandomly(8000, distinct);
                    pairs.sortAndCheck("random");
                }
            }
        }
    }

    @Test
    void withoutGroups() {
        checkWithoutGroups(TINY);
        checkWithoutGroups(MANY_BUCKETS.with("bucketTarget=96"));
    }

    /// In passes of many buckets.
    @Test
    @Tag("exhaustive")
    void withoutGroupsInTwoPasses() {
        checkWithoutGroups(NO_CELLS.with("maxBucketCount=32"));
    }

    private static void checkWithoutGroups(Tuning tuning) {
        try (Pairs pairs = new Pairs(tuning.with("extraPercent=130"), KeyType.F64, true)) {
            pairs.fill(InputDistribution.ROOT_DUPLICATES, 12_000);
            pairs.sortAndCheck("root duplicates");
        }
    }

    @Test
    void largeBuckets() {
        // With little memory and with much, which the kernels do not know.
        for (String layout : List.of("extraPercent=0", "extraPercent=130")) {
            try (Pairs pairs = new Pairs(HOPELESS.with(layout), KeyType.F64, true)) {
                // Few equal keys, or they would have equality buckets.
                pairs.fillRandomly(49_000, 10_000);
                SortReport report = pairs.sortAndCheck("random");
                assertThat(report.largestBucket()).isBetween(2L * HOPELESS.smallSortLimit(), 48_999L);
            }
        }
    }

    @Test
    void overflows() {
        try (Pairs pairs = new Pairs(TIGHT, KeyType.F64, true)) {
            // Fewer elements make so few buckets that all may have enough room.
            int count = 50_000;
            pairs.fillRandomly(count, count / 2);
            SortReport report = pairs.sortAndCheck("random");
            assertThat(report.largestBucket())
                    .as("the largest segment that stayed where it lay")
                    .isGreaterThan(TIGHT.smallSortLimit());
        }
    }

    @Test
    void hostMemoryInChunks() {
        REPRESENTATIVE.forEach(GpuStablePairsTest::checkHostMemory);
    }

    @Test
    @Tag("exhaustive")
    void hostMemoryOfOtherTypes() {
        checkHostMemory(KeyType.F32);
        checkHostMemory(KeyType.I64);
    }

    private static void checkHostMemory(KeyType type) {
        String chunks = "chunkBytes=16384,transferBytes=4096,transferThreads=3,maxChunkCount=7";
        for (long memory : new long[] {Long.MAX_VALUE, 400 << 10}) {
            try (Pairs pairs = new Pairs(TINY.with(chunks), type, isDescending(type), memory)) {
                for (int distinct : new int[] {50, 5000}) {
                    pairs.fillRandomly(12_011, distinct);
                    pairs.sortInHostMemoryAndCheck("random, " + memory + " bytes of device memory");
                }
                pairs.fillWithSpecialValues(12_011);
                pairs.sortInHostMemoryAndCheck("special values, " + memory + " bytes of device memory");
            }
        }
    }

    @Test
    void sameSorterAlsoFindsOrders() {
        int[] keys = new Random(SEED).ints(3000, 0, 100).toArray();
        RecordCase numbers = new RecordCase(ElementType.INT, Order.natural());
        int[] expected = numbers.stableOrder(MemorySegment.ofArray(keys));
        byte[] sorted = RecordCase.gathered(MemorySegment.ofArray(keys), Integer.BYTES, expected);
        try (Sorter sorter = SampleSort.onGpu().stable().tuning(TINY).build(ElementType.INT)) {
            assertThat(sorter.argsort(MemorySegment.ofArray(keys))).isEqualTo(expected);
        }
        try (Sorter sorter = SampleSort.onGpu()
                        .stable()
                        .payload(ElementType.INT)
                        .tuning(TINY)
                        .build(ElementType.INT);
                DeviceMemory elements = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length);
                DeviceMemory gathered = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length);
                DeviceMemory permutation = DeviceMemory.allocate(Device.gpu(0), 4L * keys.length)) {
            int[] payloads = IntStream.range(0, keys.length).toArray();
            int[] copy = keys.clone();
            sorter.sort(MemorySegment.ofArray(copy), MemorySegment.ofArray(payloads));
            assertThat(payloads).isEqualTo(expected);
            elements.copyFrom(MemorySegment.ofArray(keys));
            permutation.copyFrom(MemorySegment.ofArray(payloads));
            assertThat(sorter.isSorted(elements)).isFalse();
            sorter.applyPermutation(permutation, ElementType.INT, elements, gathered);
            assertThat(sorter.isSorted(gathered)).isTrue();
            gathered.copyTo(MemorySegment.ofArray(copy));
            assertThat(MemorySegment.ofArray(copy).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(sorted);
        }
    }

    /// Pairs of one type, each payload the index of its key, and a sorter for them.
    private static final class Pairs implements AutoCloseable {
        private final Arena arena = Arena.ofShared();
        private final Tuning tuning;
        private final KeyType type;
        private final RecordCase numbers;
        private final Sorter sorter;
        private MemorySegment keys;

        Pairs(Tuning tuning, KeyType type, boolean isDescending) {
            this(tuning, type, isDescending, Long.MAX_VALUE);
        }

        Pairs(Tuning tuning, KeyType type, boolean isDescending, long deviceMemory) {
            this.tuning = tuning;
            this.type = type;
            ElementType element = ContractTypes.elementType(type);
            Order order = ContractTypes.order(type, isDescending);
            numbers = new RecordCase(element, order);
            SorterBuilder builder = SampleSort.onGpu()
                    .stable()
                    .order(order)
                    .tuning(tuning)
                    .payload(type.byteSize() == Integer.BYTES ? ElementType.INT : ElementType.LONG);
            sorter = (deviceMemory == Long.MAX_VALUE ? builder : builder.deviceMemory(deviceMemory)).build(element);
        }

        void fill(InputDistribution distribution, int count) {
            keys = arena.allocate((long) count * type.byteSize(), 8);
            distribution.fill(keys, type, 3);
        }

        /// With `distinct` different keys of any bits, at most.
        void fillRandomly(int count, int distinct) {
            Random random = new Random(SEED + count);
            fillFrom(random.longs(distinct).toArray(), random, count);
        }

        /// The smallest, the greatest and those around zero; of floating-point numbers also NaNs of several kinds.
        void fillWithSpecialValues(int count) {
            long sign = 1L << 8 * type.byteSize() - 1;
            long infinity = type.byteSize() == Integer.BYTES
                    ? Float.floatToRawIntBits(Float.POSITIVE_INFINITY)
                    : Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
            long[] bits = {
                0, sign, -1, sign - 1, infinity, infinity | sign, infinity + 1, infinity + 1 | sign, infinity + 12345, 1
            };
            fillFrom(bits, new Random(SEED + count), count);
        }

        private void fillFrom(long[] bits, Random random, int count) {
            keys = arena.allocate((long) count * type.byteSize(), 8);
            for (long i = 0; i < count; i++) {
                long number = bits[random.nextInt(bits.length)];
                if (type.byteSize() == Integer.BYTES) {
                    keys.setAtIndex(ValueLayout.JAVA_INT, i, (int) number);
                } else {
                    keys.setAtIndex(ValueLayout.JAVA_LONG, i, number);
                }
            }
        }

        SortReport sortAndCheck(String what) {
            MemorySegment input = arena.allocate(keys.byteSize(), 8).copyFrom(keys);
            MemorySegment payloads = indexes();
            try (DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), keys.byteSize());
                    DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), keys.byteSize())) {
                deviceKeys.copyFrom(keys);
                devicePayloads.copyFrom(payloads);
                SortReport report = sorter.sort(deviceKeys, devicePayloads);
                deviceKeys.copyTo(keys);
                devicePayloads.copyTo(payloads);
                check(input, payloads, what);
                return report;
            }
        }

        void sortInHostMemoryAndCheck(String what) {
            MemorySegment input = arena.allocate(keys.byteSize(), 8).copyFrom(keys);
            MemorySegment payloads = indexes();
            sorter.sort(keys, payloads);
            check(input, payloads, what);
        }

        private MemorySegment indexes() {
            MemorySegment indexes = arena.allocate(keys.byteSize(), 8);
            for (long i = 0; i < type.count(keys); i++) {
                if (type.byteSize() == Integer.BYTES) {
                    indexes.setAtIndex(ValueLayout.JAVA_INT, i, (int) i);
                } else {
                    indexes.setAtIndex(ValueLayout.JAVA_LONG, i, i);
                }
            }
            return indexes;
        }

        private void check(MemorySegment input, MemorySegment payloads, String what) {
            int[] expected = numbers.stableOrder(input);
            String where = "%d %s, %s, %s; replay with -Dtests.seed=%d"
                    .formatted(expected.length, numbers, what, tuning, SEED);
            int[] order = IntStream.range(0, expected.length)
                    .map(i -> type.byteSize() == Integer.BYTES
                            ? payloads.getAtIndex(ValueLayout.JAVA_INT, i)
                            : (int) payloads.getAtIndex(ValueLayout.JAVA_LONG, i))
                    .toArray();
            assertThat(order).as("payloads of %s", where).isEqualTo(expected);
            assertThat(keys.toArray(ValueLayout.JAVA_BYTE))
                    .as("keys of %s", where)
                    .isEqualTo(RecordCase.gathered(input, type.byteSize(), expected));
        }

        @Override
        public void close() {
            sorter.close();
            arena.close();
        }
    }
}
