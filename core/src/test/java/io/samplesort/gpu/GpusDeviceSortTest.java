package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceParts;
import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sorts of arrays that lie on several GPUs, by the library's calls. The tests in the package `exchange` are about
/// the exchange itself.
@Tag("gpu")
@Tag("several")
@ExtendWith(GpuEnvironment.class)
class GpusDeviceSortTest {
    /// Elements of each part.
    private static final int[] SIZES = {9000, 3001, 5345};

    private static final int COUNT = Arrays.stream(SIZES).sum();

    /// An array on several GPUs, which a test closes.
    private record Parts(DeviceParts parts, int elementBytes) implements AutoCloseable {
        static Parts of(int elementBytes, int... gpus) {
            List<DeviceMemory> memory = new ArrayList<>();
            for (int i = 0; i < gpus.length; i++) {
                memory.add(DeviceMemory.allocate(Device.gpu(gpus[i]), (long) SIZES[i] * elementBytes));
            }
            return new Parts(new DeviceParts(memory), elementBytes);
        }

        void put(MemorySegment all) {
            long begin = 0;
            for (DeviceMemory part : parts.parts()) {
                part.copyFrom(all.asSlice(begin, part.byteSize()));
                begin += part.byteSize();
            }
        }

        void get(MemorySegment all) {
            long begin = 0;
            for (DeviceMemory part : parts.parts()) {
                part.copyTo(all.asSlice(begin, part.byteSize()));
                begin += part.byteSize();
            }
        }

        @Override
        public void close() {
            parts.parts().forEach(DeviceMemory::close);
        }
    }

    /// Elements and indexes that an exchange of host memory holds count against the limit of each GPU.
    @Test
    void hostMemoryIsExchangedWithinTheLimit() {
        int count = 20_000;
        long[] numbers = new SplittableRandom(3).longs(count).toArray();
        int exchanged = 0;
        try (SeveralGpus gpus = SeveralGpus.of(2)) {
            boolean isExchanged = true;
            for (long limit = 1_600_000; isExchanged; limit -= limit / 12) {
                try (Sorter sorter = SampleSort.onGpus(0, 1)
                        .tuning("chunkBytes=4096,mergedBytes=0,oneGpuBytes=0")
                        .deviceMemory(limit)
                        .build(ElementType.LONG)) {
                    int[] indexes = new int[count];
                    SortReport report = sorter.argsort(MemorySegment.ofArray(numbers), MemorySegment.ofArray(indexes));
                    for (int i = 1; i < count; i++) {
                        assertThat(numbers[indexes[i - 1]]).isLessThanOrEqualTo(numbers[indexes[i]]);
                    }
                    isExchanged = report.exchange().isPresent();
                    if (isExchanged) {
                        exchanged++;
                        assertThat(report.extraBytes()).isLessThanOrEqualTo(2 * limit);
                    }
                } catch (InsufficientDeviceMemoryException e) {
                    isExchanged = false;
                }
            }
        }
        assertThat(exchanged).isPositive();
    }

    /// A sorter has threads for the latest four orders of GPUs alone.
    @Test
    void keepsThreadsOfFewOrdersOfGpus() throws InterruptedException {
        int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {0, 1, 2}};
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Sorter sorter = SampleSort.onGpus().tuning(GpuContractTest.TINY).build(ElementType.LONG)) {
            for (int[] order : orders) {
                try (Parts keys = Parts.of(Long.BYTES, order)) {
                    long[] numbers = new SplittableRandom(2).longs(COUNT).toArray();
                    keys.put(MemorySegment.ofArray(numbers));
                    sorter.sort(keys.parts());
                    keys.get(MemorySegment.ofArray(numbers));
                    assertThat(numbers).isSorted();
                }
            }
            // Threads that are told to end take a moment.
            for (int wait = 0; wait < 2000 && gpuThreads() > 4 * 3; wait++) {
                Thread.sleep(10);
            }
            assertThat(gpuThreads()).isBetween(1L, 4L * 3);
        }
    }

    private static long gpuThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("samplesort-gpu-"))
                .count();
    }

    /// Returns memory of other parts, of which the last one is too short.
    private static DeviceParts cut(Parts keys) {
        DeviceMemory first = keys.parts().parts().getFirst();
        DeviceMemory second = keys.parts().parts().get(1);
        return DeviceParts.of(first.slice(0, first.byteSize()), second.slice(0, second.byteSize() - Long.BYTES));
    }

    @Test
    void partsOfDifferentSizesInAnyOrderOfGpus() {
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Sorter sorter = SampleSort.onGpus().tuning(GpuContractTest.TINY).build(ElementType.LONG);
                Parts keys = Parts.of(Long.BYTES, 2, 0, 1)) {
            assertThat(keys.parts().byteSize()).isEqualTo((long) COUNT * Long.BYTES);
            long[] numbers = new SplittableRandom(1).longs(COUNT).toArray();
            keys.put(MemorySegment.ofArray(numbers));
            SortReport report = sorter.sort(keys.parts());
            Arrays.sort(numbers);
            long[] found = new long[COUNT];
            keys.get(MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(numbers);
            assertThat(report.elementCount()).isEqualTo(COUNT);
            assertThat(report.device()).contains("gpu:0 ", "gpu:1 ", "gpu:2 ");
        }
    }

    @Test
    void someOfTheGpusWithPayloads() {
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Sorter sorter = SampleSort.onGpus()
                        .tuning(GpuContractTest.TINY)
                        .payload(ElementType.INT)
                        .stable()
                        .build(ElementType.INT);
                Parts keys = Parts.of(Integer.BYTES, 0, 2);
                Parts payloads = Parts.of(Integer.BYTES, 0, 2)) {
            int count = SIZES[0] + SIZES[1];
            int[] numbers = new SplittableRandom(2).ints(count, 0, 1000).toArray();
            keys.put(MemorySegment.ofArray(numbers));
            payloads.put(MemorySegment.ofArray(IntStream.range(0, count).toArray()));
            sorter.sort(keys.parts(), payloads.parts());
            int[] found = new int[count];
            payloads.get(MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(stableOrder(numbers));
        }
    }

    private static int[] stableOrder(long[] keys) {
        return IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparing(i -> keys[i]))
                .mapToInt(i -> i)
                .toArray();
    }

    private static int[] stableOrder(int[] keys) {
        return IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparing(i -> keys[i]))
                .mapToInt(i -> i)
                .toArray();
    }

    /// Returns structs that are moved, where equal ones are the same, and records of 100 bytes by a key of ten, which
    /// are sorted by index and so stably.
    static List<RecordCase> records() {
        List<String> names = List.of("two longs", "sort benchmark");
        return RecordCase.all().stream()
                .filter(each -> names.contains(each.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("records")
    void sortsRecords(RecordCase record) {
        sortsRecords(record, 1, 0, 2);
    }

    @ParameterizedTest
    @MethodSource("records")
    @Tag("exhaustive")
    void sortsRecordsOnTwoGpus(RecordCase record) {
        sortsRecords(record, 1, 0);
    }

    private static void sortsRecords(RecordCase record, int... gpus) {
        int bytes = record.type().byteSize();
        int count = Arrays.stream(SIZES).limit(gpus.length).sum();
        MemorySegment elements = Arena.ofAuto().allocate((long) count * bytes, Long.BYTES);
        record.fill(elements, new Random(8));
        byte[] expected = RecordCase.gathered(elements, bytes, record.stableOrder(elements));
        try (SeveralGpus several = SeveralGpus.of(gpus.length);
                Sorter sorter = SampleSort.onGpus()
                        .tuning(GpuContractTest.TINY)
                        .order(record.order())
                        .build(record.type());
                Parts parts = Parts.of(bytes, gpus)) {
            parts.put(elements);
            sorter.sort(parts.parts());
            parts.get(elements);
        }
        assertThat(elements.toArray(ValueLayout.JAVA_BYTE))
                .as("%s on %d GPUs", record, gpus.length)
                .isEqualTo(expected);
    }

    @Test
    void argsortCountsThroughAllParts() {
        try (SeveralGpus gpus = SeveralGpus.of(2);
                Sorter sorter = SampleSort.onGpus().tuning(GpuContractTest.TINY).build(ElementType.INT);
                Parts keys = Parts.of(Integer.BYTES, 0, 1);
                Parts permutation = Parts.of(Integer.BYTES, 0, 1)) {
            int count = SIZES[0] + SIZES[1];
            int[] numbers = new SplittableRandom(3).ints(count, 0, 1000).toArray();
            keys.put(MemorySegment.ofArray(numbers));
            sorter.argsort(keys.parts(), permutation.parts());
            int[] found = new int[count];
            permutation.get(MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(stableOrder(numbers));
            int[] left = new int[count];
            keys.get(MemorySegment.ofArray(left));
            assertThat(left).isEqualTo(numbers);
        }
    }

    /// A program for any number of GPUs need not know whether it has one: that one is named, is all that the machine
    /// has, or is one of several.
    @Test
    void oneGpuIsAsGoodAsSeveral() {
        int count = SIZES[0];
        long[] numbers = new SplittableRandom(9).longs(count, 0, 5000).toArray();
        int[] order = stableOrder(numbers);
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        for (int[] onGpus : new int[][] {{0}, {}, {0, 1}}) {
            try (SeveralGpus gpus = SeveralGpus.of(Math.max(1, onGpus.length));
                    Sorter sorter = SampleSort.onGpus(onGpus)
                            .tuning(GpuContractTest.TINY)
                            .build(ElementType.LONG);
                    Sorter pairs = SampleSort.onGpus(onGpus)
                            .tuning(GpuContractTest.TINY)
                            .payload(ElementType.INT)
                            .stable()
                            .build(ElementType.LONG);
                    Parts keys = Parts.of(Long.BYTES, 0);
                    Parts payloads = Parts.of(Integer.BYTES, 0)) {
                MemorySegment found = MemorySegment.ofArray(new int[count]);
                keys.put(MemorySegment.ofArray(numbers));
                sorter.argsort(keys.parts(), payloads.parts());
                payloads.get(found);
                assertThat(found.toArray(ValueLayout.JAVA_INT)).isEqualTo(order);
                payloads.put(MemorySegment.ofArray(IntStream.range(0, count).toArray()));
                assertThat(pairs.sort(keys.parts(), payloads.parts()).elementCount())
                        .isEqualTo(count);
                payloads.get(found);
                assertThat(found.toArray(ValueLayout.JAVA_INT)).isEqualTo(order);
                keys.put(MemorySegment.ofArray(numbers));
                sorter.sort(keys.parts());
                MemorySegment keysFound = MemorySegment.ofArray(new long[count]);
                keys.get(keysFound);
                assertThat(keysFound.toArray(ValueLayout.JAVA_LONG)).isEqualTo(sorted);
            }
        }
    }

    /// Device memory of any of several GPUs is sorted as by a sorter for that GPU.
    @Test
    void memoryOfEachOfSeveralGpusIsSortedThere() {
        int count = SIZES[0];
        long[] numbers = new SplittableRandom(9).longs(count, 0, 5000).toArray();
        int[] order = stableOrder(numbers);
        long[] sorted = numbers.clone();
        Arrays.sort(sorted);
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Sorter sorter =
                        SampleSort.onGpus(2, 1).tuning(GpuContractTest.TINY).build(ElementType.LONG)) {
            for (int gpu : new int[] {1, 2}) {
                try (DeviceMemory source = DeviceMemory.allocate(Device.gpu(gpu), (long) count * Long.BYTES);
                        DeviceMemory target = DeviceMemory.allocate(Device.gpu(gpu), (long) count * Long.BYTES);
                        DeviceMemory permutation =
                                DeviceMemory.allocate(Device.gpu(gpu), (long) count * Integer.BYTES)) {
                    source.copyFrom(MemorySegment.ofArray(numbers));
                    assertThat(sorter.isSorted(source)).isFalse();
                    sorter.argsort(source, permutation);
                    int[] found = new int[count];
                    permutation.copyTo(MemorySegment.ofArray(found));
                    assertThat(found).isEqualTo(order);
                    sorter.applyPermutation(permutation, ElementType.LONG, source, target);
                    assertThat(longs(target)).isEqualTo(sorted);
                    target.copyFrom(MemorySegment.ofArray(numbers));
                    assertThat(sorter.sort(target).device()).startsWith("gpu:" + gpu + " ");
                    assertThat(longs(target)).isEqualTo(sorted);
                    target.copyFrom(MemorySegment.ofArray(numbers));
                    sorter.sortedCopy(source, target);
                    assertThat(longs(target)).isEqualTo(sorted);
                    assertThat(sorter.isSorted(target)).isTrue();
                }
            }
            try (DeviceMemory elsewhere = DeviceMemory.allocate(Device.gpu(0), 80);
                    DeviceMemory one = DeviceMemory.allocate(Device.gpu(1), 80)) {
                assertThatThrownBy(() -> sorter.sort(elsewhere))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("works on gpu:2,gpu:1 and the memory is of gpu:0");
                assertThatThrownBy(() -> sorter.sortedCopy(one, elsewhere))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("device memory of gpu:1 and of gpu:0");
            }
        }
    }

    private static long[] longs(DeviceMemory memory) {
        long[] longs = new long[(int) (memory.byteSize() / Long.BYTES)];
        memory.copyTo(MemorySegment.ofArray(longs));
        return longs;
    }

    @Test
    void mistakesAreNamed() {
        try (SeveralGpus gpus = SeveralGpus.of(3);
                Sorter sorter =
                        SampleSort.onGpus(0, 1).tuning(GpuContractTest.TINY).build(ElementType.LONG);
                Sorter pairs = SampleSort.onGpus(0, 1)
                        .tuning(GpuContractTest.TINY)
                        .payload(ElementType.LONG)
                        .build(ElementType.LONG);
                Sorter onOne = SampleSort.onGpu().tuning(GpuContractTest.TINY).build(ElementType.LONG);
                Parts keys = Parts.of(Long.BYTES, 0, 1);
                Parts others = Parts.of(Long.BYTES, 0, 1);
                Parts reversed = Parts.of(Long.BYTES, 1, 0);
                Parts elsewhere = Parts.of(Long.BYTES, 0, 2)) {
            assertThatThrownBy(() -> DeviceParts.of()).hasMessageContaining("an array of no parts");
            DeviceMemory first = keys.parts().parts().getFirst();
            assertThatThrownBy(() -> DeviceParts.of(first, first))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("two parts of an array lie on gpu:0");
            assertThatThrownBy(() -> sorter.sort(elsewhere.parts()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("works on gpu:0,gpu:1 and the memory is of gpu:0,gpu:2");
            assertThatThrownBy(() -> pairs.sort(keys.parts(), reversed.parts()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("arrays on gpu:0,gpu:1 and gpu:1,gpu:0");
            assertThatThrownBy(() -> pairs.sort(keys.parts(), cut(others)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("3001 keys on gpu:1 and 3000 payloads on gpu:1: there must be as many");
            assertThatThrownBy(() -> sorter.argsort(keys.parts(), keys.parts()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("elements on gpu:0 and indexes on gpu:0 are the same device memory");
            assertThatThrownBy(() -> pairs.sort(keys.parts(), keys.parts()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the same device memory");
            assertThatThrownBy(() -> sorter.sort(keys.parts(), keys.parts()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("this sorter is for keys alone");
            assertThatThrownBy(() -> onOne.sort(keys.parts()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("this sorter is for gpu:0")
                    .hasMessageContaining("build it with onGpus()");
        }
    }
}
