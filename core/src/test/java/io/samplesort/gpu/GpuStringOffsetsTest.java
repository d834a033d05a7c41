package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.samplesort.ColumnSorter;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.StringSorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Wrong offsets of strings in device memory are refused as in host memory, by all that sorts, selects, copies or
/// checks
/// them, also if there is no string, or none is wanted.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuStringOffsetsTest {
    private static final byte[] BYTES = "abcdefgh".getBytes();
    private static final int UNTOUCHED = 0x5a5a5a5a;

    private static MemorySegment offsets(long[] offsets, ElementType type) {
        return type.equals(ElementType.LONG)
                ? MemorySegment.ofArray(offsets)
                : MemorySegment.ofArray(
                        Arrays.stream(offsets).mapToInt(Math::toIntExact).toArray());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void areRefusedAsInHostMemory(boolean areLong) {
        ElementType type = areLong ? ElementType.LONG : ElementType.INT;
        try (StringSorter strings =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildStrings(StringOrder.bytes());
                ColumnSorter columns =
                        SampleSort.onGpu().tuning(GpuContractTest.TINY).buildColumns()) {
            for (long[] wrong : new long[][] {
                {0, 3, 2, 8},
                {0, 3, 3, 9},
                {0, 9, 3, 4},
                {-1, 3, 3, 8},
                {-2, -1, 3, 8},
                {9, 9, 9, 9},
                {0, 3, -1, 8},
                {9},
                {-1}
            }) {
                Throwable onHost = catchThrowableOfType(
                        IllegalArgumentException.class,
                        () -> Strings.of(MemorySegment.ofArray(BYTES), offsets(wrong, type), type));
                assertThat(onHost).as("offsets %s", Arrays.toString(wrong)).isNotNull();
                check(strings, columns, wrong, type, onHost.getMessage());
            }
        }
    }

    private static void check(
            StringSorter sorter, ColumnSorter columns, long[] wrong, ElementType type, String message) {
        int count = wrong.length - 1;
        int[] untouched = new int[8];
        Arrays.fill(untouched, UNTOUCHED);
        try (ColumnsOnDevice device = new ColumnsOnDevice()) {
            DeviceMemory bytes = device.copy(MemorySegment.ofArray(BYTES));
            DeviceStrings strings = new DeviceStrings(bytes, device.copy(offsets(wrong, type)), type, count);
            List<DeviceKeyColumn> rows = List.of(DeviceKeyColumn.of(strings));
            DeviceMemory room = device.copy(MemorySegment.ofArray(untouched));
            DeviceMemory indexes = room.slice(0, 4L * Math.max(1, count));
            DeviceMemory counts = device.room(4L * Math.max(1, count));
            DeviceMemory targetOffsets = device.copy(MemorySegment.ofArray(untouched));
            DeviceStrings target =
                    new DeviceStrings(device.room(8), targetOffsets.slice(0, 4L * (count + 1)), ElementType.INT, count);
            DeviceMemory inOrder = device.copy(MemorySegment.ofArray(new int[] {0, 1, 2}));
            DeviceMemory permutation = inOrder.slice(0, 4L * Math.max(1, count));
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> sorter.argsort(strings, indexes),
                    () -> sorter.argfirst(strings, 0, room),
                    () -> sorter.arglast(strings, 0, room),
                    () -> sorter.argfirst(strings, 1, room.slice(0, 4)),
                    () -> sorter.distinct(strings, indexes, counts),
                    () -> sorter.isSorted(strings),
                    () -> sorter.sortedCopy(strings, target),
                    () -> sorter.applyPermutation(permutation, strings, target),
                    () -> columns.argsort(rows, indexes),
                    () -> columns.argfirst(0, rows, room),
                    () -> columns.arglast(0, rows, room),
                    () -> columns.arglast(1, rows, room.slice(0, 4)))) {
                assertThatThrownBy(call)
                        .as("offsets %s", Arrays.toString(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(message);
            }
            for (DeviceMemory memory : List.of(room, targetOffsets)) {
                int[] after = new int[8];
                memory.copyTo(MemorySegment.ofArray(after));
                assertThat(after).containsExactly(untouched);
            }
        }
    }
}
