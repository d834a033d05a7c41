package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.DeviceMemory;
import io.samplesort.RecordCase;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Room on the device for columns, behind which nothing is to be written.
final class SortedTarget {
    private static final byte UNTOUCHED = 0x5A;
    private static final int GUARD_BYTES = 32;

    private final List<DeviceMemory> memory = new ArrayList<>();
    private final int[] bytes;
    private final int room;

    SortedTarget(ColumnsOnDevice device, int[] bytes, int room) {
        this.bytes = bytes;
        this.room = room;
        for (int each : bytes) {
            byte[] untouched = new byte[room * each + GUARD_BYTES];
            Arrays.fill(untouched, UNTOUCHED);
            memory.add(device.copy(MemorySegment.ofArray(untouched)));
        }
    }

    long[] addresses() {
        return memory.stream().mapToLong(DeviceMemory::address).toArray();
    }

    int room() {
        return room;
    }

    DeviceMemory memory(int column) {
        return memory.get(column);
    }

    /// Checks that the columns hold these rows, or as many of them as there is room for.
    void check(String what, SortedRows all, int[] rows) {
        int[] held = Arrays.copyOf(rows, Math.min(rows.length, room));
        for (int c = 0; c < bytes.length; c++) {
            check(what + ", column " + c, c, RecordCase.gathered(all.column(c, 0), bytes[c], held), held.length);
        }
    }

    void check(String what, int column, byte[] gathered, int held) {
        byte[] got = new byte[(int) memory.get(column).byteSize()];
        memory.get(column).copyTo(MemorySegment.ofArray(got));
        int size = held * bytes[column];
        int wrong = Arrays.mismatch(Arrays.copyOf(gathered, size), Arrays.copyOf(got, size));
        assertThat(wrong).as("%s: first wrong byte", what).isEqualTo(-1);
        for (int i = room * bytes[column]; i < got.length; i++) {
            assertThat(got[i]).as("%s: byte %d behind the target", what, i).isEqualTo(UNTOUCHED);
        }
    }

    /// Checks that a column holds these numbers.
    void checkNumbers(String what, int column, long[] numbers) {
        int held = Math.min(numbers.length, room);
        MemorySegment wanted = MemorySegment.ofArray(new byte[numbers.length * bytes[column]]);
        for (int i = 0; i < numbers.length; i++) {
            if (bytes[column] == Integer.BYTES) {
                wanted.set(ValueLayout.JAVA_INT_UNALIGNED, (long) i * Integer.BYTES, (int) numbers[i]);
            } else {
                wanted.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, numbers[i]);
            }
        }
        check(what, column, wanted.toArray(ValueLayout.JAVA_BYTE), held);
    }
}
