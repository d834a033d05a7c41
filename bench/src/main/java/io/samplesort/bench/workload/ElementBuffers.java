package io.samplesort.bench.workload;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The memory of a measurement. Elements are drawn in host memory and kept in device memory as they were drawn
/// (pristine); before each sort they are copied from there to the place where they are sorted (work). So device memory
/// holds the elements twice, and host memory once.
public final class ElementBuffers implements AutoCloseable {
    private final ReusedMemory.Pair host;
    private final DeviceElements pristine;
    private final DeviceElements work;

    /// @param payloadBytes 0 if there are no payloads
    /// @param memory       must not be used for anything else while this is open
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public ElementBuffers(int ordinal, long keyBytes, long payloadBytes, ReusedMemory memory) {
        pristine = DeviceElements.allocate(ordinal, keyBytes, payloadBytes);
        try {
            work = DeviceElements.allocate(ordinal, keyBytes, payloadBytes);
            try {
                // This comes last: elements that the GPU has no room for must not fill the memory of the host either.
                host = memory.pair(keyBytes, payloadBytes);
            } catch (RuntimeException | Error e) {
                work.close();
                throw e;
            }
        } catch (RuntimeException | Error e) {
            pristine.close();
            throw e;
        }
    }

    /// Returns the keys in host memory.
    public MemorySegment keys() {
        return host.keys();
    }

    /// Returns the payloads in host memory; the segment is empty if there are none.
    public MemorySegment payloads() {
        return host.payloads();
    }

    /// Copies the drawn elements from host memory to the pristine buffers.
    public void upload() {
        pristine.keys().copyFrom(host.keys());
        if (pristine.payloads() != null) {
            pristine.payloads().copyFrom(host.payloads());
        }
    }

    /// Copies the sorted elements to host memory.
    public void download() {
        work.keys().copyTo(host.keys());
        if (work.payloads() != null) {
            work.payloads().copyTo(host.payloads());
        }
    }

    /// Puts a copy from the pristine buffers to the work buffers on the stream.
    public void restore(Stream stream) {
        copy(stream, pristine.keys(), work.keys());
        if (pristine.payloads() != null) {
            copy(stream, pristine.payloads(), work.payloads());
        }
    }

    private static void copy(Stream stream, DeviceMemory from, DeviceMemory to) {
        stream.copyOnDevice(to.address(), from.address(), from.byteSize());
    }

    /// Returns the buffers of the elements as they were drawn.
    public Buffers pristine() {
        return pristine.buffers();
    }

    /// Returns the buffers in which the elements are sorted.
    public Buffers work() {
        return work.buffers();
    }

    /// Puts our sort on the stream.
    public void enqueue(Sorter sorter, Stream stream) {
        List<DeviceMemory> payloads = work.payloads() == null ? List.of() : List.of(work.payloads());
        sorter.sortAsync(work.keys(), payloads, stream.handle());
    }

    /// Sorts the elements and waits for the end.
    public SortReport sortBy(Sorter sorter) {
        return work.payloads() == null ? sorter.sort(work.keys()) : sorter.sort(work.keys(), work.payloads());
    }

    /// Sorts the pristine elements into the work buffers, and waits for the end.
    public SortReport sortedCopyBy(Sorter sorter) {
        return sorter.sortedCopy(pristine.keys(), work.keys());
    }

    /// Turns the payloads into the permutation that sorts the keys, and waits for the end.
    public SortReport argsortBy(Sorter sorter) {
        return sorter.argsort(work.keys(), work.payloads());
    }

    @Override
    public void close() {
        pristine.close();
        work.close();
    }

    /// Keys and payloads in device memory.
    ///
    /// @param payloads null if there are none
    private record DeviceElements(DeviceMemory keys, DeviceMemory payloads) implements AutoCloseable {
        static DeviceElements allocate(int ordinal, long keyBytes, long payloadBytes) {
            DeviceMemory keys = DeviceMemory.allocate(Device.gpu(ordinal), keyBytes);
            try {
                return new DeviceElements(
                        keys, payloadBytes == 0 ? null : DeviceMemory.allocate(Device.gpu(ordinal), payloadBytes));
            } catch (RuntimeException | Error e) {
                keys.close();
                throw e;
            }
        }

        Buffers buffers() {
            return new Buffers(keys.address(), payloads == null ? 0 : payloads.address());
        }

        @Override
        public void close() {
            keys.close();
            if (payloads != null) {
                payloads.close();
            }
        }
    }
}
