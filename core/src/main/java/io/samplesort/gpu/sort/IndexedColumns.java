package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.IndexKernels;

/// Elements that are sorted by index: their sort keys, and room to gather one column at a time, which is allocated
/// after the sort has given its own memory back. Everything happens in the order of a stream.
public final class IndexedColumns implements AutoCloseable {
    /// An index has 32 bits, and one of its values says that there is no element.
    public static final long MAX_COUNT = (1L << 32) - 2;

    private final Context context;
    private final Stream stream;
    private final IndexKernels kernels;
    private final long count;
    private final boolean restoresElements;
    private final DeviceAllocation keys;
    private final long roomBytes;
    private final Owned owned = new Owned();
    /// Null until the first column is gathered.
    private DeviceAllocation room;

    /// Returns the bytes of `count` sort keys.
    public static long keyBytes(KernelElement element, long count) {
        return Math.multiplyExact(count, (long) element.keyBytes());
    }

    /// @param roomBytes the bytes to allocate for gathering a column; 0 if none will be gathered
    IndexedColumns(
            Context context, Stream stream, IndexKernels kernels, KernelElement element, long count, long roomBytes) {
        this.context = context;
        this.stream = stream;
        this.kernels = kernels;
        this.count = count;
        this.roomBytes = roomBytes;
        this.restoresElements = element.restoresElements();
        try {
            keys = owned.add(DeviceAllocation.allocateAsync(context, stream, Math.max(1, count * element.keyBytes())));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Makes sort keys of the elements at device address `elements`.
    DeviceElements makeSortKeys(long elements, int elementBytes) {
        kernels.makeSortKeys(stream, elements, elementBytes, keys.address(), count);
        return keys();
    }

    /// Returns the room for the sort keys, and later the sort keys themselves.
    DeviceElements keys() {
        return new DeviceElements(keys.address(), 0);
    }

    /// Puts the elements from which the sort keys were made in the order of the sort keys.
    void putElementsInOrder(long elements, int elementBytes) {
        if (restoresElements) {
            copyElementsInOrder(elements, elements, elementBytes);
        } else {
            gatherInPlace(elements, elementBytes);
        }
    }

    /// Does the same from `source` to `target`.
    void copyElementsInOrder(long source, long target, int elementBytes) {
        if (restoresElements) {
            kernels.restoreElements(stream, keys.address(), target, elementBytes, count);
        } else {
            gather(source, target, elementBytes);
        }
    }

    /// Copies a column in the order of the sorted keys.
    void gather(long source, long target, int columnBytes) {
        kernels.gather(stream, keys.address(), source, target, count, columnBytes);
    }

    /// Puts a column in the order of the sorted keys.
    void gatherInPlace(long column, int columnBytes) {
        if (room == null) {
            room = owned.add(DeviceAllocation.allocateAsync(context, stream, Math.max(1, roomBytes)));
        }
        gather(column, room.address(), columnBytes);
        stream.copyOnDevice(column, room.address(), count * columnBytes);
    }

    void writePermutation(long permutation, int indexBytes) {
        kernels.writePermutation(stream, keys.address(), permutation, count, indexBytes, 0);
    }

    @Override
    public void close() {
        owned.close();
    }
}
