package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringCase;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Few sorts that run the kernels of strings and of key columns.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEveryStringKernelTest {
    /// Rounds of words, those of a misled sample among them, small groups, groups that share more than a thread
    /// compares, a copy in order, and the different ones.
    @Test
    void strings() {
        for (StringCase input : List.of(StringCase.LATE_DIFFERENCES, StringCase.COMMON_BEGINNINGS, StringCase.RARE)) {
            Strings strings = Strings.copyOf(input.strings(new Random(5), input == StringCase.RARE ? 9000 : 3000));
            try (DeviceMemory bytes =
                            DeviceMemory.allocate(Device.gpu(0), strings.bytes().byteSize());
                    DeviceMemory offsets = DeviceMemory.allocate(
                            Device.gpu(0), strings.offsets().byteSize());
                    DeviceMemory sortedBytes = DeviceMemory.allocate(Device.gpu(0), bytes.byteSize());
                    DeviceMemory sortedOffsets = DeviceMemory.allocate(Device.gpu(0), offsets.byteSize());
                    StringSorter sorter =
                            SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes())) {
                bytes.copyFrom(strings.bytes());
                offsets.copyFrom(strings.offsets());
                DeviceStrings source = new DeviceStrings(bytes, offsets, ElementType.LONG, strings.count());
                DeviceStrings target = new DeviceStrings(sortedBytes, sortedOffsets, ElementType.LONG, strings.count());
                sorter.sortedCopy(source, target);
                assertThat(sorter.isSorted(target)).isTrue();
                assertThat(sorter.isSorted(source)).isFalse();
                try (DeviceMemory indexes = DeviceMemory.allocate(Device.gpu(0), strings.count() * Integer.BYTES);
                        DeviceMemory counts = DeviceMemory.allocate(Device.gpu(0), indexes.byteSize())) {
                    assertThat(sorter.distinct(source, indexes, counts)).isPositive();
                    sorter.argsort(source, indexes);
                    sorter.applyPermutation(indexes, source, target);
                    assertThat(sorter.isSorted(target)).isTrue();
                }
            }
        }
    }

    /// Rows as words, and as strings that go through shared memory and that do not fit there.
    @Test
    void keyColumns() {
        int count = 3000;
        Random random = new Random(6);
        Strings strings = Strings.copyOf(StringCase.LATE_DIFFERENCES.strings(random, count));
        int[] numbers = random.ints(count, 0, 9).toArray();
        int[] permutation = new int[count];
        try (DeviceMemory ints = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                DeviceMemory bytes =
                        DeviceMemory.allocate(Device.gpu(0), strings.bytes().byteSize());
                DeviceMemory offsets =
                        DeviceMemory.allocate(Device.gpu(0), strings.offsets().byteSize());
                DeviceMemory order = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                ColumnSorter sorter =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildColumns();
                ColumnSorter onCpu = SampleSort.onCpu().buildColumns()) {
            ints.copyFrom(MemorySegment.ofArray(numbers));
            bytes.copyFrom(strings.bytes());
            offsets.copyFrom(strings.offsets());
            DeviceKeyColumn number = DeviceKeyColumn.of(ints, ElementType.INT).reversed();
            DeviceKeyColumn string = DeviceKeyColumn.of(new DeviceStrings(bytes, offsets, ElementType.LONG, count));
            KeyColumn hostNumber = KeyColumn.of(numbers).reversed();
            KeyColumn hostString = KeyColumn.of(strings);
            sorter.argsort(List.of(number), order);
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation).isEqualTo(onCpu.argsort(hostNumber));
            sorter.argsort(List.of(number, string), order);
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation).isEqualTo(onCpu.argsort(hostNumber, hostString));
            sorter.argsort(List.of(string.reversed(), number), order);
            order.copyTo(MemorySegment.ofArray(permutation));
            assertThat(permutation).isEqualTo(onCpu.argsort(hostString.reversed(), hostNumber));
            try (DeviceMemory gathered = DeviceMemory.allocate(Device.gpu(0), count * 4L);
                    DeviceMemory validity = DeviceMemory.allocate(Device.gpu(0), count / 8);
                    DeviceMemory gatheredValidity = DeviceMemory.allocate(Device.gpu(0), count / 8)) {
                validity.copyFrom(MemorySegment.ofArray(Arrays.copyOf(new byte[] {5}, count / 8)));
                DeviceKeyColumn target =
                        DeviceKeyColumn.of(gathered, ElementType.INT).validity(gatheredValidity);
                sorter.applyPermutation(order, number.validity(validity), target);
                int[] inOrder = new int[count];
                gathered.copyTo(MemorySegment.ofArray(inOrder));
                assertThat(inOrder)
                        .isEqualTo(
                                IntStream.of(permutation).map(i -> numbers[i]).toArray());
                byte[] bits = new byte[count / 8];
                gatheredValidity.copyTo(MemorySegment.ofArray(bits));
                assertThat(BitSet.valueOf(bits).cardinality()).isEqualTo(2);
            }
        }
    }
}
