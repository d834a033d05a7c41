package io.samplesort.gpu.sort;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import java.util.ArrayList;
import java.util.List;

/// Device memory for elements in several columns. Each column is an allocation of its own, made and freed in the order
/// of a stream.
public final class DeviceColumns implements AutoCloseable {
    private final int[] columnBytes;
    private final List<DeviceAllocation> allocations = new ArrayList<>();
    private final Owned owned = new Owned();

    /// @param columnBytes bytes of an element in each column
    /// @param count       elements of each column
    public DeviceColumns(Context context, Stream stream, int[] columnBytes, long count) {
        this.columnBytes = columnBytes;
        try {
            for (int bytes : columnBytes) {
                // The driver's documentation does not say what an allocation of 0 bytes gives.
                allocations.add(owned.add(DeviceAllocation.allocateAsync(context, stream, Math.max(1, count * bytes))));
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns the address of element `begin` in each column.
    public long[] from(long begin) {
        long[] addresses = new long[columnBytes.length];
        for (int c = 0; c < addresses.length; c++) {
            addresses[c] = address(c, begin);
        }
        return addresses;
    }

    /// Returns the address of element `index` in one column.
    public long address(int column, long index) {
        return allocations.get(column).address() + index * columnBytes[column];
    }

    @Override
    public void close() {
        owned.close();
    }
}
