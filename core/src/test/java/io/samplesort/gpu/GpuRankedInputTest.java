package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Inputs a little larger than one block sorts, which are sorted in runs and placed by ranks (rank_runs.cuh). A sort
/// that does so makes no pass, and its report says so.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuRankedInputTest {
    private static final Tuning TINY = GpuContractTest.TINY.with("rankedSize=5000");

    private static final int LIMIT = TINY.smallSortLimit();

    private static final List<InputDistribution> DISTRIBUTIONS = List.of(
            InputDistribution.UNIFORM,
            InputDistribution.REVERSE,
            InputDistribution.ALL_EQUAL,
            InputDistribution.ROOT_DUPLICATES,
            InputDistribution.FOUR_RUNS);

    @Test
    void keys() {
        checkKeys(List.of(KeyType.F64));
    }

    @Test
    @Tag("exhaustive")
    void keysOfOtherTypes() {
        checkKeys(List.of(KeyType.U32, KeyType.U16));
    }

    private static void checkKeys(List<KeyType> types) {
        for (KeyType type : types) {
            try (Sorter sorter = SampleSort.onGpu()
                            .tuning(TINY)
                            .order(ContractTypes.order(type, false))
                            .build(ContractTypes.elementType(type));
                    Arena arena = Arena.ofShared()) {
                for (int count : new int[] {LIMIT, LIMIT + 1, 1537, 5000, 5001}) {
                    for (InputDistribution distribution : DISTRIBUTIONS) {
                        MemorySegment keys = arena.allocate((long) count * type.byteSize(), 64);
                        distribution.fillWithSpecials(keys, type, count);
                        Fingerprint before = Fingerprint.of(keys, type);
                        SortReport report = sortOnDevice(sorter, keys);
                        String what = count + " " + type + ", " + distribution;
                        assertThat(Fingerprint.of(keys, type)).as(what).isEqualTo(before);
                        assertThat(ResultCheck.firstViolation(keys, type, false))
                                .as(what)
                                .isEmpty();
                        assertThat(report.passes() == 0).as("ranked, " + what).isEqualTo(count <= 5000);
                    }
                }
            }
        }
    }

    @Test
    void pairs() {
        for (ElementType payload : List.of(ElementType.INT, ElementType.LONG)) {
            for (boolean isStable : new boolean[] {false, true}) {
                SorterBuilder builder = SampleSort.onGpu().tuning(TINY).payload(payload);
                try (Sorter sorter = (isStable ? builder.stable() : builder).build(ElementType.INT)) {
                    for (int count : new int[] {LIMIT / 2, LIMIT / 2 + 1, LIMIT, LIMIT + 1, 3333}) {
                        int[] keys = new Random(count).ints(count, 0, 100).toArray();
                        checkPairs(sorter, keys, payload, isStable);
                    }
                }
            }
        }
    }

    private static SortReport sortOnDevice(Sorter sorter, MemorySegment keys) {
        try (DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), keys.byteSize())) {
            device.copyFrom(keys);
            SortReport report = sorter.sort(device);
            device.copyTo(keys);
            return report;
        }
    }

    private static void checkPairs(Sorter sorter, int[] keys, ElementType payload, boolean isStable) {
        boolean isLong = payload == ElementType.LONG;
        int count = keys.length;
        long[] longs = IntStream.range(0, count).asLongStream().toArray();
        int[] ints = IntStream.range(0, count).toArray();
        MemorySegment payloads = isLong ? MemorySegment.ofArray(longs) : MemorySegment.ofArray(ints);
        int[] sorted = keys.clone();
        try (DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), 4L * count);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), payloads.byteSize())) {
            deviceKeys.copyFrom(MemorySegment.ofArray(keys));
            devicePayloads.copyFrom(payloads);
            SortReport report = sorter.sort(deviceKeys, devicePayloads);
            // Stable pairs of two sizes are sorted by index, which is never ranked.
            assertThat(report.passes() == 0).isEqualTo(count <= LIMIT || !(isStable && isLong));
            if (!isStable) {
                // One block needs no memory. It sorts half as many pairs of more than eight bytes.
                assertThat(report.extraBytes() > 0)
                        .as("%d pairs", count)
                        .isEqualTo(count > (isLong ? LIMIT / 2 : LIMIT));
            }
            deviceKeys.copyTo(MemorySegment.ofArray(sorted));
            devicePayloads.copyTo(payloads);
        }
        int[] places = IntStream.range(0, count)
                .map(i -> isLong ? (int) longs[i] : ints[i])
                .toArray();
        assertThat(sorted).isSorted();
        assertThat(IntStream.of(places).map(i -> keys[i]).toArray()).isEqualTo(sorted);
        if (isStable) {
            assertThat(places)
                    .isEqualTo(
                            new RecordCase(ElementType.INT, Order.natural()).stableOrder(MemorySegment.ofArray(keys)));
        } else {
            assertThat(IntStream.of(places).distinct().count()).isEqualTo(count);
        }
    }
}
