package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Sorts of segments on a GPU, of all lengths and of every kind of elements.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuSegmentSortTest {
    static final Tuning TINY = GpuContractTest.TINY.with("smallSortItems=8,maxBucketCount=64,bucketTarget=512");

    private static final List<InputDistribution> DISTRIBUTIONS =
            List.of(InputDistribution.UNIFORM, InputDistribution.ROOT_DUPLICATES, InputDistribution.REVERSE);

    /// Lengths of segments that are sorted together.
    private enum Shape {
        EMPTY_ONES(0, 1, 0, 2, 0, 3),
        TINY_ONES(8, 7, 8, 8, 5),
        LANES(16, 15, 9, 32, 31, 17, 33, 2),
        WARPS(33, 64, 65, 128, 129, 200, 256, 257, 500, 512, 513),
        MIXED(1, 16, 1024, 0, 1025, 3, 700, 2048, 40),
        BLOCKS(1025, 1100, 1500, 2047),
        LONG(2049, 5000, 1, 9000, 4097, 12),
        LONGEST(17000, 3, 2500, 20000);

        private final int[] lengths;

        Shape(int... lengths) {
            this.lengths = lengths;
        }

        int count() {
            return Math.max(4000, 2 * IntStream.of(lengths).max().getAsInt());
        }

        /// Returns offsets of about this many elements, from `first` on.
        int[] offsets(int first, int count, Random random) {
            int[] offsets = new int[count + 2];
            int segments = 0;
            int end = first;
            offsets[0] = first;
            while (end - first < count) {
                end += lengths[random.nextInt(lengths.length)];
                offsets[++segments] = end;
            }
            return Arrays.copyOf(offsets, segments + 1);
        }
    }

    private record Offsets(int[] of, boolean areWide) {
        MemorySegment memory() {
            return areWide
                    ? MemorySegment.ofArray(IntStream.of(of).asLongStream().toArray())
                    : MemorySegment.ofArray(of);
        }

        int bytes() {
            return areWide ? Long.BYTES : Integer.BYTES;
        }
    }

    private static GpuSorter sorter(GpuSortSpec spec) {
        return new GpuSorter(0, spec, new GpuSortOptions(defaults -> TINY, Long.MAX_VALUE, false, null));
    }

    @ParameterizedTest
    @EnumSource(KeyType.class)
    void keysAlone(KeyType type) {
        ElementType key = ContractTypes.elementType(type);
        for (boolean isStable : new boolean[] {false, true}) {
            try (GpuSorter sorter =
                    sorter(new GpuSortSpec(key, List.of(), ContractTypes.order(type, isStable), isStable))) {
                for (Shape shape : Shape.values()) {
                    check(sorter, new RecordCase(key, ContractTypes.order(type, isStable)), type, shape);
                }
            }
        }
    }

    private static void check(GpuSorter sorter, RecordCase order, KeyType type, Shape shape) {
        InputDistribution distribution = DISTRIBUTIONS.get((shape.ordinal() + type.ordinal()) % DISTRIBUTIONS.size());
        Random random = new Random(shape.ordinal());
        int[] of = shape.offsets(random.nextInt(40), shape.count(), random);
        int count = of[of.length - 1] + random.nextInt(30);
        MemorySegment keys = MemorySegment.ofArray(new long[count]).asSlice(0, (long) count * type.byteSize());
        distribution.fillWithSpecials(keys, type, count);
        byte[] wanted = sorted(order, keys, of);
        byte[] got = sort(sorter, type.byteSize(), keys, new MemorySegment[0], new Offsets(of, random.nextBoolean()));
        assertSame(wanted, got, type.byteSize(), of, shape + " of " + type + ", " + distribution);
    }

    private static void assertSame(byte[] wanted, byte[] got, int bytes, int[] of, String what) {
        int place = Arrays.mismatch(wanted, got) / bytes;
        int segment = Math.abs(Arrays.binarySearch(of, place) + 1) - 1;
        assertThat(Arrays.equals(wanted, got))
                .as("%s: element %d in segment %d of %d", what, place, segment, of.length - 1)
                .isTrue();
    }

    /// Returns all elements, those of each segment in order.
    private static byte[] sorted(RecordCase order, MemorySegment keys, int[] of) {
        int bytes = order.type().byteSize();
        byte[] all = keys.toArray(ValueLayout.JAVA_BYTE);
        byte[] result = all.clone();
        for (int s = 0; s + 1 < of.length; s++) {
            long from = (long) of[s] * bytes;
            int[] places = order.stableOrder(keys.asSlice(from, (long) of[s + 1] * bytes - from));
            for (int i = 0; i < places.length; i++) {
                System.arraycopy(all, (of[s] + places[i]) * bytes, result, (of[s] + i) * bytes, bytes);
            }
        }
        return result;
    }

    private static byte[] sort(
            GpuSorter sorter, int keyBytes, MemorySegment keys, MemorySegment[] payloads, Offsets offsets) {
        int segments = offsets.of.length - 1;
        long[] addresses = new long[payloads.length];
        DeviceMemory[] columns = new DeviceMemory[payloads.length];
        byte[] result = new byte[(int) keys.byteSize()];
        try (DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), keys.byteSize());
                DeviceMemory places =
                        DeviceMemory.allocate(Device.gpu(0), offsets.memory().byteSize())) {
            device.copyFrom(keys);
            places.copyFrom(offsets.memory());
            for (int c = 0; c < payloads.length; c++) {
                columns[c] = DeviceMemory.allocate(Device.gpu(0), payloads[c].byteSize());
                columns[c].copyFrom(payloads[c]);
                addresses[c] = columns[c].address();
            }
            long count = keys.byteSize() / keyBytes;
            DeviceSegments of = new DeviceSegments(places.address(), offsets.bytes(), segments);
            assertThat(sorter.segmentSorter().sort(device.address(), addresses, count, of))
                    .isNotNull();
            device.copyTo(MemorySegment.ofArray(result));
            for (int c = 0; c < payloads.length; c++) {
                columns[c].copyTo(payloads[c]);
                columns[c].close();
            }
        }
        return result;
    }

    @Test
    void pairs() {
        checkPairs(List.of(KeyType.U32, KeyType.F64));
    }

    @Test
    @Tag("exhaustive")
    void pairsOfOtherTypes() {
        checkPairs(List.of(KeyType.U8, KeyType.I16, KeyType.F32, KeyType.I64));
    }

    private static void checkPairs(List<KeyType> types) {
        for (KeyType type : types) {
            ElementType key = ContractTypes.elementType(type);
            for (ElementType payload : List.of(ElementType.INT, ElementType.LONG)) {
                for (boolean isStable : new boolean[] {false, true}) {
                    GpuSortSpec spec =
                            new GpuSortSpec(key, List.of(payload), ContractTypes.order(type, false), isStable);
                    try (GpuSorter sorter = sorter(spec)) {
                        for (Shape shape : Shape.values()) {
                            checkPairs(sorter, type, payload, isStable, shape);
                        }
                    }
                }
            }
        }
    }

    private static void checkPairs(GpuSorter sorter, KeyType type, ElementType payload, boolean isStable, Shape shape) {
        Random random = new Random(shape.ordinal());
        int[] of = shape.offsets(random.nextInt(40), shape.count(), random);
        int count = of[of.length - 1] + random.nextInt(30);
        RecordCase order = new RecordCase(ContractTypes.elementType(type), ContractTypes.order(type, false));
        MemorySegment keys = MemorySegment.ofArray(new long[count]).asSlice(0, (long) count * type.byteSize());
        InputDistribution.ROOT_DUPLICATES.fillWithSpecials(keys, type, count);
        long[] longs = IntStream.range(0, count).asLongStream().toArray();
        int[] ints = IntStream.range(0, count).toArray();
        boolean isLong = payload == ElementType.LONG;
        MemorySegment payloads = isLong ? MemorySegment.ofArray(longs) : MemorySegment.ofArray(ints);
        byte[] wanted = sorted(order, keys, of);
        byte[] got = sort(
                sorter, type.byteSize(), keys, new MemorySegment[] {payloads}, new Offsets(of, random.nextBoolean()));
        String what = shape + " of " + type + " with " + payload + (isStable ? ", stable" : "");
        assertSame(wanted, got, type.byteSize(), of, what);
        int bytes = type.byteSize();
        byte[] all = keys.toArray(ValueLayout.JAVA_BYTE);
        boolean[] met = new boolean[count];
        for (int i = 0; i < count; i++) {
            int place = isLong ? (int) longs[i] : ints[i];
            int at = i;
            assertThat(met[place]).as(what).isFalse();
            met[place] = true;
            assertThat(Arrays.equals(got, i * bytes, (i + 1) * bytes, all, place * bytes, (place + 1) * bytes))
                    .as("%s: payload at %d", what, at)
                    .isTrue();
            boolean isFirst = Arrays.binarySearch(of, i) >= 0 || i == 0;
            if (isStable
                    && !isFirst
                    && Arrays.equals(got, i * bytes, (i + 1) * bytes, got, (i - 1) * bytes, i * bytes)) {
                assertThat(place).as(what).isGreaterThan(isLong ? (int) longs[i - 1] : ints[i - 1]);
            }
        }
    }

    @Test
    void recordsAndOrdersOfTheUsersOwn() {
        checkRecords(RecordCase.named("two longs", "custom, moved"));
    }

    @Test
    @Tag("exhaustive")
    void otherRecords() {
        checkRecords(RecordCase.all());
    }

    private static void checkRecords(List<RecordCase> records) {
        for (RecordCase record : records) {
            for (boolean isStable : new boolean[] {false, true}) {
                GpuSortSpec spec = new GpuSortSpec(record.type(), List.of(), record.order(), isStable);
                try (GpuSorter sorter = sorter(spec)) {
                    for (Shape shape : new Shape[] {Shape.LANES, Shape.WARPS, Shape.MIXED, Shape.LONG}) {
                        checkRecords(sorter, record, isStable, shape);
                    }
                }
            }
        }
    }

    private static void checkRecords(GpuSorter sorter, RecordCase record, boolean isStable, Shape shape) {
        Random random = new Random(shape.ordinal());
        int[] of = shape.offsets(random.nextInt(40), shape.count(), random);
        int count = of[of.length - 1] + random.nextInt(30);
        MemorySegment keys = MemorySegment.ofArray(
                        new long[count * record.type().byteSize() / Long.BYTES + 1])
                .asSlice(0, (long) count * record.type().byteSize());
        record.fill(keys, random);
        byte[] got = sort(
                sorter, record.type().byteSize(), keys, new MemorySegment[0], new Offsets(of, random.nextBoolean()));
        String what = shape + " of " + record.name();
        if (record.isOrder()) {
            byte[] wanted = sorted(record, keys, of);
            byte[] again = isStable ? got : sorted(record, aligned(got), of);
            assertSame(isStable ? wanted : got, again, record.type().byteSize(), of, what);
        }
        assertThat(multisets(got, of, record.type().byteSize()))
                .as(what)
                .isEqualTo(multisets(
                        keys.toArray(ValueLayout.JAVA_BYTE), of, record.type().byteSize()));
    }

    private static MemorySegment aligned(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(new long[bytes.length / Long.BYTES + 1]);
        return memory.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }

    /// Returns a checksum of the elements of each segment, whatever their order.
    private static long[] multisets(byte[] elements, int[] of, int bytes) {
        long[] sums = new long[of.length];
        for (int s = 0; s + 1 < of.length; s++) {
            for (int i = of[s]; i < of[s + 1]; i++) {
                long hash = 0;
                for (int b = 0; b < bytes; b++) {
                    hash = (hash ^ elements[i * bytes + b]) * 0x9E3779B97F4A7C15L;
                    hash ^= hash >>> 29;
                }
                sums[s] += hash;
            }
        }
        return sums;
    }
}
