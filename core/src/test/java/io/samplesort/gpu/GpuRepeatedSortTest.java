package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts of the same memory again and again, whose launches are recorded and repeated, with other sorts in between that
/// must not be taken for the same.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuRepeatedSortTest {
    private static final Tuning TINY = GpuContractTest.TINY;
    private static final int[] COUNTS = {1, 200, 768, 769, 5000};

    @Test
    void theSameMemoryWithOtherKeys() {
        for (String layout : List.of("extraPercent=130", "extraPercent=0")) {
            try (Sorter sorter = SampleSort.onGpu().tuning(TINY.with(layout)).build(ElementType.DOUBLE)) {
                for (int count : COUNTS) {
                    try (DeviceMemory device = DeviceMemory.allocate(Device.gpu(0), 8L * count)) {
                        for (int time = 0; time < 4; time++) {
                            checkDoubles(sorter, device, count, time, layout);
                        }
                    }
                }
            }
        }
    }

    @Test
    void turnsBetweenArraysAndSizes() {
        try (Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.DOUBLE);
                DeviceMemory first = DeviceMemory.allocate(Device.gpu(0), 8L * 8001);
                DeviceMemory second = DeviceMemory.allocate(Device.gpu(0), 8L * 8001);
                DeviceMemory third = DeviceMemory.allocate(Device.gpu(0), 8L * 5000)) {
            for (int time = 0; time < 4; time++) {
                checkDoubles(sorter, first, 8001, time, "first");
                checkDoubles(sorter, second, 8001, time, "second");
                checkDoubles(sorter, third, 5000, time, "third");
                try (DeviceMemory other = DeviceMemory.allocate(Device.gpu(0), 8L * 769)) {
                    checkDoubles(sorter, other, 769, time, "other");
                }
            }
        }
    }

    @Test
    void severalStreamsWithoutAWaitBetweenSorts() {
        int count = 6000;
        long bytes = 8L * count;
        long[][] keys = new long[3][];
        try (Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter();
                Stream one = Stream.create(context);
                Stream two = Stream.create(context);
                Sorter sorter = SampleSort.onGpu().tuning(TINY).build(ElementType.LONG);
                DeviceMemory sources = DeviceMemory.allocate(Device.gpu(0), 3 * bytes);
                DeviceMemory targets = DeviceMemory.allocate(Device.gpu(0), 3 * bytes)) {
            long[] all = new Random(3).longs(3L * count).toArray();
            sources.copyFrom(MemorySegment.ofArray(all));
            for (int round = 0; round < 4; round++) {
                for (int array = 0; array < 3; array++) {
                    Stream stream = array == 1 ? two : one;
                    long at = bytes * array;
                    stream.copyOnDevice(targets.address() + at, sources.address() + at, bytes);
                    sorter.sortAsync(targets.slice(at, bytes), stream.handle());
                }
            }
            one.synchronize();
            two.synchronize();
            long[] result = new long[all.length];
            targets.copyTo(MemorySegment.ofArray(result));
            for (int array = 0; array < 3; array++) {
                keys[array] = Arrays.copyOfRange(all, array * count, (array + 1) * count);
                Arrays.sort(keys[array]);
                assertThat(Arrays.copyOfRange(result, array * count, (array + 1) * count))
                        .as("array %d", array)
                        .isEqualTo(keys[array]);
            }
        }
    }

    @Test
    void pairsIndexesAndCountedKeys() {
        for (int count : new int[] {300, 5000}) {
            int[] indexes = IntStream.range(0, count).toArray();
            try (Sorter stable = SampleSort.onGpu()
                            .tuning(TINY)
                            .stable()
                            .payload(ElementType.INT)
                            .build(ElementType.INT);
                    Sorter bytes = SampleSort.onGpu().tuning(TINY).build(ElementType.BYTE);
                    DeviceMemory keys = DeviceMemory.allocate(Device.gpu(0), 4L * count);
                    DeviceMemory payloads = DeviceMemory.allocate(Device.gpu(0), 4L * count)) {
                for (int time = 0; time < 4; time++) {
                    int[] drawn = new Random(time).ints(count, 0, 50).toArray();
                    keys.copyFrom(MemorySegment.ofArray(drawn));
                    payloads.copyFrom(MemorySegment.ofArray(indexes));
                    assertThat(stable.sort(keys, payloads).elementCount()).isEqualTo(count);
                    int[] order = new int[count];
                    payloads.copyTo(MemorySegment.ofArray(order));
                    int[] expected = IntStream.range(0, count)
                            .boxed()
                            .sorted((a, b) -> Integer.compare(drawn[a], drawn[b]))
                            .mapToInt(i -> i)
                            .toArray();
                    assertThat(order).as("%d pairs, time %d", count, time).isEqualTo(expected);

                    byte[] few = new byte[4 * count];
                    new Random(time).nextBytes(few);
                    keys.copyFrom(MemorySegment.ofArray(few));
                    bytes.sort(keys);
                    byte[] sorted = new byte[few.length];
                    keys.copyTo(MemorySegment.ofArray(sorted));
                    Arrays.sort(few);
                    assertThat(sorted).as("%d bytes, time %d", few.length, time).isEqualTo(few);
                }
            }
        }
    }

    private static void checkDoubles(Sorter sorter, DeviceMemory device, int count, int seed, String what) {
        double[] keys = new Random(seed).doubles(count, -1, 1).toArray();
        keys[count / 2] = Double.NaN;
        device.copyFrom(MemorySegment.ofArray(keys));
        assertThat(sorter.sort(device).elementCount()).isEqualTo(count);
        double[] sorted = new double[count];
        device.copyTo(MemorySegment.ofArray(sorted));
        Arrays.sort(keys);
        assertThat(sorted).as("%s, %d keys, time %d", what, count, seed).isEqualTo(keys);
    }
}
