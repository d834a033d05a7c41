package io.samplesort.gpu.host;

import io.samplesort.cuda.Context;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.IndexedColumns;
import io.samplesort.gpu.sort.SortStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/// How a sort of host memory is cut into chunks. There may be one chunk, which is simply sorted; chunks that are sorted
/// as they arrive and stay on the device; or, if the device has too little memory, chunks that go back to the host
/// between the two sorts.
///
/// @param count         all elements
/// @param chunkCount    elements in a chunk; the last may have fewer
/// @param staysOnDevice whether the device holds all elements at once
/// @param strategy      how a whole chunk is sorted
/// @param lastStrategy  the same of the last chunk
public record HostPlan(
        long count, long chunkCount, boolean staysOnDevice, SortStrategy strategy, SortStrategy lastStrategy) {
    /// This many chunks are in device memory at once: one on its way to the device, one being sorted, one on its way
    /// back.
    static final int SLOTS = 3;

    /// With fewer chunks than this, sorting all elements twice costs more time than it hides.
    private static final int MIN_CHUNKS = 4;

    /// Every chunk but the last is a multiple of this many elements, so that its columns begin where copies and
    /// gathers are fast.
    private static final long UNIT = 256;

    /// Plans a sort.
    ///
    /// @param free device memory that the sort may take, in bytes
    /// @throws InsufficientDeviceMemoryException if even small chunks do not fit
    static HostPlan of(long count, DeviceSort sort, long free) {
        HostPlan onDevice = onDevice(count, sort, free);
        return onDevice != null
                ? onDevice
                : throughHost(
                        "sorting " + count + " elements from host memory on gpu:"
                                + sort.context().device().ordinal(),
                        count,
                        sort,
                        free);
    }

    /// Returns the largest number of elements, from 1 to `count`, that stays on the device. If there is not even room
    /// for a unit, the result is 1: a few elements could be sorted without extra memory, but so few at a time are never
    /// worth it.
    public static long largestOnDevice(long count, DeviceSort sort, long free) {
        long most = Math.min(count, free / sort.rowBytes());
        long fitting = largest(1, most, elements -> onDevice(elements, sort, free) != null);
        return fitting < Math.min(count, UNIT) ? 1 : fitting;
    }

    /// Returns the largest number above `low` and up to `high` that fits, or `low` if none does. This assumes that if a
    /// number fits, all smaller ones fit, too.
    private static long largest(long low, long high, LongPredicate fits) {
        long fitting = low;
        long tooLarge = high + 1;
        while (tooLarge - fitting > 1) {
            long middle = (fitting + tooLarge) >>> 1;
            if (fits.test(middle)) {
                fitting = middle;
            } else {
                tooLarge = middle;
            }
        }
        return fitting;
    }

    /// Plans a sort whose elements stay on the device. Returns null if they do not fit there.
    ///
    /// @param free device memory that the sort may take, in bytes
    static HostPlan onDevice(long count, DeviceSort sort, long free) {
        if (sort.element().sortsIndexes() && count > IndexedColumns.MAX_COUNT) {
            return null;
        }
        long bytes = Math.multiplyExact(count, sort.rowBytes());
        long chunks = Math.min(bytes / sort.tuning().chunkBytes(), sort.tuning().maxChunkCount());
        long chunk = chunks < MIN_CHUNKS ? count : roundUp((count + chunks - 1) / chunks);
        return plan(count, chunk, true, sort, free - besidesOnDevice(count, chunk, sort));
    }

    /// Returns the bytes that a sort whose elements stay on the device takes in addition to the memory for sorting a
    /// chunk.
    private static long besidesOnDevice(long count, long chunk, DeviceSort sort) {
        return count * sort.rowBytes() + (chunk < count ? besides(chunk, sort) : sort.indexBytes(chunk));
    }

    /// Returns the device memory in bytes that this plan takes if elements stay on the device.
    long deviceBytes(DeviceSort sort) {
        return besidesOnDevice(count, chunkCount, sort) + Math.max(strategy.byteSize(), lastStrategy.byteSize());
    }

    /// Returns null if there is too little memory for the sort of a chunk, or of the last one.
    private static HostPlan plan(long count, long chunk, boolean staysOnDevice, DeviceSort sort, long bytes) {
        SortStrategy strategy = sort.strategies().within(chunk, bytes);
        if (strategy == null) {
            return null;
        }
        // A sort of no elements has no chunks.
        long rest = chunk == 0 ? 0 : count % chunk;
        SortStrategy lastStrategy = rest == 0 ? strategy : sort.strategies().within(rest, bytes);
        if (lastStrategy == null) {
            lastStrategy = strategy.forFewer(rest);
        }
        return lastStrategy.byteSize() <= bytes
                ? new HostPlan(count, chunk, staysOnDevice, strategy, lastStrategy)
                : null;
    }

    /// Plans a sort that several GPUs share: one plan for each GPU, all with the same chunks, which fit every GPU.
    /// There are a few chunks for each GPU, so that copies and sorts overlap and a faster GPU can take more of them.
    ///
    /// @throws InsufficientDeviceMemoryException if even small chunks do not fit one of the GPUs, which it names
    static List<HostPlan> forAll(long count, List<HostSort> gpus) {
        DeviceSort first = gpus.getFirst().sort();
        long wanted = Math.clamp(
                count * first.rowBytes() / first.tuning().chunkBytes(), gpus.size(), (long) MIN_CHUNKS * gpus.size());
        long chunk = roundUp(Math.ceilDiv(count, wanted));
        List<Long> free = new ArrayList<>();
        for (HostSort gpu : gpus) {
            try (Context.Scope scope = gpu.context().enter()) {
                free.add(gpu.sort().strategies().freeBytes());
            }
            String what = "sorting " + count + " elements from host memory on gpu:"
                    + gpu.context().device().ordinal();
            chunk = Math.min(chunk, throughHost(what, count, gpu.sort(), free.getLast()).chunkCount);
        }
        while (true) {
            List<HostPlan> plans = new ArrayList<>();
            for (int gpu = 0; gpu < gpus.size(); gpu++) {
                plans.add(planOfChunks(count, chunk, gpus.get(gpu).sort(), free.get(gpu)));
            }
            if (!plans.contains(null)) {
                return plans;
            }
            chunk = smaller(chunk);
        }
    }

    private static HostPlan throughHost(String what, long count, DeviceSort sort, long free) {
        long mostElements = Math.min(free / (SLOTS * sort.rowBytes()), Math.min(count, IndexedColumns.MAX_COUNT));
        long units = largest(0, mostElements / UNIT, middle -> {
            long chunk = middle * UNIT;
            return sort.strategies().within(chunk, free - besides(chunk, sort)) != null;
        });
        if (units == 0) {
            long needed =
                    besides(UNIT, sort) + sort.strategies().smallest(UNIT, 0).byteSize();
            throw new InsufficientDeviceMemoryException(what, needed, free);
        }
        // All chunks are about equally large; otherwise the last one could be small.
        long largestChunk = units * UNIT;
        long chunks = (count + largestChunk - 1) / largestChunk;
        long chunk = Math.min(largestChunk, roundUp((count + chunks - 1) / chunks));
        HostPlan plan = planOfChunks(count, chunk, sort, free);
        while (plan == null) {
            chunk = smaller(chunk);
            plan = planOfChunks(count, chunk, sort, free);
        }
        if (Math.ceilDiv(count, chunk) > Integer.MAX_VALUE) {
            throw new GpuUnavailableException(what + " with " + free + " bytes of device memory takes "
                    + Math.ceilDiv(count, chunk) + " chunks: allow more device memory, or use the CPU");
        }
        return plan;
    }

    /// Returns the plan of chunks that go through the host, or null if they do not fit. Occasionally a slightly smaller
    /// chunk takes a little more memory, since its sort has one pass less.
    private static HostPlan planOfChunks(long count, long chunk, DeviceSort sort, long free) {
        return plan(count, chunk, false, sort, free - besides(chunk, sort));
    }

    /// Returns the next smaller chunk to try; a chunk of one unit fits whenever any does.
    private static long smaller(long chunk) {
        return Math.max(UNIT, chunk / UNIT * 7 / 8 * UNIT);
    }

    private static long besides(long chunk, DeviceSort sort) {
        return SLOTS * chunk * sort.rowBytes() + sort.indexBytes(chunk);
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

    /// Returns how many elements a chunk has.
    long size(int chunk) {
        return Math.min(chunkCount, count - begin(chunk));
    }

    /// Returns whether elements are sorted twice: in chunks as they arrive, and in buckets as they leave.
    boolean isCutUp() {
        return chunks() > 1;
    }
}
