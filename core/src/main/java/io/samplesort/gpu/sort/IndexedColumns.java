package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelElement;

/// Elements that are sorted by index: their sort keys, and room to gather one column at a time. Everything happens in
/// the order of a stream.
public final class IndexedColumns implements AutoCloseable {
    /// An index has 32 bits, and one of its values says that there is no element.
    public static final long MAX_COUNT = (1L << 32) - 2;

    private final Stream stream;
    private final IndexKernels kernels;
    private final long count;
    private final boolean restoresElements;
    private final DeviceAllocation keys;
    private final DeviceAllocation gathered;
    private final Owned owned = new Owned();

    /// Returns the bytes that this takes for `count` elements whose largest column has `columnBytes` bytes for each.
    public static long byteSize(KernelElement element, long count, int columnBytes) {
        return Math.multiplyExact(count, element.keyBytes() + columnBytes);
    }

    /// @param columnBytes bytes of an element in the largest column; 0 if none will be gathered
    IndexedColumns(
            Context context, Stream stream, IndexKernels kernels, KernelElement element, long count, int columnBytes) {
        this.stream = stream;
        this.kernels = kernels;
        this.count = count;
        this.restoresElements = element.restoresElements();
        try {
            keys = owned.add(DeviceAllocation.allocateAsync(context, stream, Math.max(1, count * element.keyBytes())));
            gathered = owned.add(DeviceAllocation.allocateAsync(context, stream, Math.max(1, count * columnBytes)));
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

    /// Returns room for the sort keys, which later holds them.
    DeviceElements keys() {
        return new DeviceElements(keys.address(), 0);
    }

    /// Puts the elements that the sort keys were made of in the order of the sort keys.
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
        gather(column, gathered.address(), columnBytes);
        stream.copyOnDevice(column, gathered.address(), count * columnBytes);
    }

    void writePermutation(long permutation, int indexBytes) {
        kernels.writePermutation(stream, keys.address(), permutation, count, indexBytes);
    }

    @Override
    public void close() {
        owned.close();
    }
}
