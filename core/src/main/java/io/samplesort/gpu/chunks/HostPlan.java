package io.samplesort.gpu.chunks;

import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.IndexedColumns;
import io.samplesort.gpu.sort.SortPlan;
import io.samplesort.gpu.sort.WorkspaceLayout;
import io.samplesort.types.GpuUnavailableException;
import io.samplesort.types.InsufficientDeviceMemoryException;

/// How a sort of host memory is cut up: one chunk that is sorted and done; chunks that are sorted as they arrive and
/// stay on the device; or, where the device has not enough memory, chunks that go back to the host in between.
///
/// @param count      elements in all
/// @param chunkCount elements in a chunk; the last may have fewer
/// @param staysOnDevice whether the device holds all elements at once
/// @param layout     of the sort of a whole chunk
public record HostPlan(long count, long chunkCount, boolean staysOnDevice, WorkspaceLayout layout) {
    /// Chunks in device memory while one is on its way there, one is sorted and one is on its way back.
    static final int SLOTS = 3;

    /// With fewer, what sorting twice costs is more than what it hides.
    private static final int MIN_CHUNKS = 4;

    /// Of a chunk but the last: so that its columns begin where copies and gathers like it.
    private static final long UNIT = 256;

    /// @param free device memory that the sort may take, in bytes
    /// @throws InsufficientDeviceMemoryException if that is not even enough for small chunks
    static HostPlan of(long count, DeviceSort sort, long free) {
        HostPlan onDevice = onDevice(count, sort, free);
        return onDevice != null
                ? onDevice
                : throughHost("sorting " + count + " elements from host memory", count, sort, free);
    }

    /// The largest number of elements, up to `count`, that stays on the device; at least one.
    public static long largestOnDevice(long count, DeviceSort sort, long free) {
        long low = 1;
        long high = Math.min(count, free / sort.rowBytes()) + 1;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (onDevice(middle, sort, free) != null) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Null if so many elements do not fit the device.
    private static HostPlan onDevice(long count, DeviceSort sort, long free) {
        if (sort.element().sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            return null;
        }
        long bytes = Math.multiplyExact(count, sort.rowBytes());
        long chunks = Math.min(bytes / sort.tuning().chunkBytes(), sort.tuning().maxChunkCount());
        long chunk = chunks < MIN_CHUNKS ? count : roundUp((count + chunks - 1) / chunks);
        long besides = bytes + (chunk < count ? SLOTS * chunk * sort.rowBytes() : 0) + sort.indexBytes(chunk);
        WorkspaceLayout layout = sort.layouts().within(chunk, free - besides);
        return layout == null ? null : new HostPlan(count, chunk, true, layout);
    }

    private static HostPlan throughHost(String what, long count, DeviceSort sort, long free) {
        // The largest chunk that fits, in units.
        long low = 0;
        long high = Math.min(free / (SLOTS * sort.rowBytes()), Math.min(count, IndexedColumns.MAX_COUNT)) / UNIT + 1;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (layoutOfChunk(middle * UNIT, sort, free) != null) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            long needed = SLOTS * UNIT * sort.rowBytes()
                    + sort.indexBytes(UNIT)
                    + new WorkspaceLayout(SortPlan.of(UNIT, sort.tuning()), sort.element(), sort.tuning(), false)
                            .byteSize;
            throw new InsufficientDeviceMemoryException(what, needed, free);
        }
        // Equal chunks rather than a small last one.
        long chunks = (count + low * UNIT - 1) / (low * UNIT);
        long chunk = Math.min(low * UNIT, roundUp((count + chunks - 1) / chunks));
        if (chunks > Integer.MAX_VALUE) {
            throw new GpuUnavailableException(what + " with " + free + " bytes of device memory takes " + chunks
                    + " chunks: allow more device memory, or use the CPU");
        }
        return new HostPlan(count, chunk, false, layoutOfChunk(chunk, sort, free));
    }

    private static WorkspaceLayout layoutOfChunk(long chunk, DeviceSort sort, long free) {
        long besides = SLOTS * chunk * sort.rowBytes() + sort.indexBytes(chunk);
        return sort.layouts().within(chunk, free - besides);
    }

    private static long roundUp(long elements) {
        return (elements + UNIT - 1) / UNIT * UNIT;
    }

    int chunks() {
        return count <= chunkCount ? 1 : (int) ((count + chunkCount - 1) / chunkCount);
    }

    long begin(int chunk) {
        return chunk * chunkCount;
    }

    /// Elements of one chunk.
    long size(int chunk) {
        return Math.min(chunkCount, count - begin(chunk));
    }

    /// Whether elements are sorted twice, in chunks as they come and in buckets as they go.
    boolean isCutUp() {
        return chunks() > 1;
    }
}
