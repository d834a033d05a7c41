package io.samplesort.gpu;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.host.StringRuns;
import io.samplesort.gpu.rows.DeviceText;
import io.samplesort.gpu.rows.StringSort;
import io.samplesort.gpu.sort.IndexedColumns;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sorts strings in host memory on a GPU, all at once or in chunks of consecutive strings that fit the device.
final class HostStringSort {
    /// With more chunks than this, each is so small that the CPU is faster.
    private static final int MOST_CHUNKS = 256;

    private final GpuResources gpu;
    private final StringOrder order;
    private final StringSort sort;

    HostStringSort(GpuResources gpu, StringOrder order, StringSort sort) {
        this.gpu = gpu;
        this.order = order;
        this.sort = sort;
    }

    /// Writes the indexes of strings in host memory in sorted order to host memory. Strings that do not fit the device
    /// together are sorted in chunks, and merged on the host with room for one more permutation.
    ///
    /// @param permutation an int or a long for each string
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    SortReport argsort(Strings strings, MemorySegment permutation, int indexBytes) {
        long start = System.nanoTime();
        if (strings.count() == 0) {
            return new SortReportBuilder(gpu.sort().device()).build();
        }
        long[] begins = chunks(strings, indexBytes);
        if (begins.length == 2) {
            return argsortChunk(strings, permutation, indexBytes);
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment runs = arena.allocate(strings.count() * indexBytes, Long.BYTES);
            SortReport report = null;
            for (int c = 0; c + 1 < begins.length; c++) {
                report = argsortChunk(
                        strings.slice(begins[c], begins[c + 1]),
                        runs.asSlice(begins[c] * indexBytes, (begins[c + 1] - begins[c]) * indexBytes),
                        indexBytes);
            }
            new StringRuns(strings, order, runs, indexBytes, begins)
                    .merge(permutation, Runtime.getRuntime().availableProcessors());
            return new SortReportBuilder(report)
                    .elementCount(strings.count())
                    .total(Duration.ofNanos(System.nanoTime() - start))
                    .build();
        }
    }

    /// Returns where chunks of strings begin, and where the last one ends. Chunks are as large as possible, and each
    /// alone fits the device. If even the most chunks are too few, there is one chunk of all strings.
    private long[] chunks(Strings strings, int indexBytes) {
        long count = strings.count();
        try (Context.Scope scope = gpu.context().enter()) {
            long free = gpu.sort().strategies().freeBytes();
            List<Long> begins = new ArrayList<>(List.of(0L));
            while (begins.getLast() < count) {
                long begin = begins.getLast();
                long fitting = begin;
                long end = count;
                // Finds as much as fits: `fitting` fits or is the begin, and nothing beyond `end` fits.
                while (fitting < end) {
                    long middle = end == count && fitting == begin ? end : fitting + (end - fitting + 1) / 2;
                    if (fits(strings.slice(begin, middle), indexBytes, free)) {
                        fitting = middle;
                    } else {
                        end = middle - 1;
                    }
                }
                if (fitting == begin || begins.size() == MOST_CHUNKS && fitting < count) {
                    return new long[] {0, count};
                }
                begins.add(fitting);
            }
            return begins.stream().mapToLong(Long::longValue).toArray();
        }
    }

    private boolean fits(Strings strings, int indexBytes, long free) {
        long beside = besideBytes(HostStrings.of(strings, indexBytes), strings.count());
        return strings.count() <= IndexedColumns.MAX_COUNT
                && gpu.sort().strategies().within(strings.count(), free - beside) != null;
    }

    /// What is copied to the device. The kernels read bytes by words, so on the device the bytes have the same position
    /// within a word as on the host.
    private record HostStrings(MemorySegment bytes, long begin, long bytesRoom, long offsetBytes, long indexRoom) {
        static HostStrings of(Strings strings, int indexBytes) {
            long count = strings.count();
            long begin = strings.start(0) & -Long.BYTES;
            MemorySegment bytes = strings.bytes().asSlice(begin, strings.start(count) - begin);
            return new HostStrings(
                    bytes,
                    begin,
                    Math.max(1, bytes.byteSize()),
                    strings.offsets().byteSize(),
                    count * indexBytes);
        }
    }

    private SortReport argsortChunk(Strings strings, MemorySegment permutation, int indexBytes) {
        long count = strings.count();
        HostStrings host = HostStrings.of(strings, indexBytes);
        Stream stream = gpu.stream();
        try (RunningSort running = RunningSort.ofStrings(
                        gpu, "sorting %d strings from host memory", count, besideBytes(host, count));
                DeviceAllocation deviceBytes = DeviceAllocation.allocateAsync(gpu.context(), stream, host.bytesRoom());
                DeviceAllocation deviceOffsets =
                        DeviceAllocation.allocateAsync(gpu.context(), stream, host.offsetBytes());
                DeviceAllocation deviceIndexes =
                        DeviceAllocation.allocateAsync(gpu.context(), stream, host.indexRoom())) {
            SortWatch.current().mayStop();
            running.timer().phase("upload");
            if (host.bytes().byteSize() > 0) {
                gpu.hostTransfer().upload(stream, host.bytes(), deviceBytes.address());
            }
            gpu.hostTransfer().upload(stream, strings.offsets(), deviceOffsets.address());
            DeviceText text = new DeviceText(
                    deviceBytes.address() - host.begin(),
                    Math.max(1, strings.start(count)),
                    deviceOffsets.address(),
                    strings.offsetType().byteSize(),
                    count,
                    strings.terminatorBytes());
            sort.argsort(text, running.strategy(), deviceIndexes.address(), indexBytes, running.timer());
            stream.synchronize();
            SortWatch.current().mayStop();
            running.timer().phase("download");
            gpu.hostTransfer().download(stream, deviceIndexes.address(), permutation);
            running.timer().end();
            return running.finishStrings();
        }
    }

    /// Returns the device memory for a chunk that is not memory of the sort itself.
    private static long besideBytes(HostStrings host, long count) {
        return StringSort.besideBytes(count) + host.bytesRoom() + host.offsetBytes() + host.indexRoom();
    }
}
