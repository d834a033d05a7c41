package io.samplesort.gpu;

import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// Copies of columns in device memory.
final class ColumnsOnDevice implements AutoCloseable {
    private final Deque<DeviceMemory> all = new ArrayDeque<>();

    DeviceMemory room(long bytes) {
        DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), Math.max(1, bytes));
        all.push(memory);
        return memory;
    }

    DeviceMemory copy(MemorySegment source) {
        DeviceMemory memory = room(source.byteSize());
        if (source.byteSize() > 0) {
            memory.copyFrom(source);
        }
        return memory;
    }

    DeviceKeyColumn column(KeyColumn key) {
        DeviceKeyColumn column;
        if (key.hasStrings()) {
            column = DeviceKeyColumn.of(strings(key.strings()));
        } else if (key.type() == null) {
            column = DeviceKeyColumn.ofFixedStrings(copy(key.values()), key.valueBytes());
        } else {
            column = DeviceKeyColumn.of(copy(key.values()), key.type());
        }
        column = key.isUnsigned() ? column.unsigned() : column;
        column = key.isReversed() ? column.reversed() : column;
        column = key.isNullsFirst() ? column.nullsFirst() : column.nullsLast();
        return key.hasValidity() ? column.validity(copy(key.validity())) : column;
    }

    DeviceStrings strings(Strings strings) {
        return new DeviceStrings(copy(strings.bytes()), copy(strings.offsets()), strings.offsetType(), strings.count());
    }

    /// Returns all memory, what was made first at the end.
    Deque<DeviceMemory> memory() {
        return all;
    }

    @Override
    public void close() {
        all.forEach(DeviceMemory::close);
    }
}
