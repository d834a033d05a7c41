package io.samplesort.bench.workload;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;

/// Where the elements of a measurement lie: drawn into host memory, kept in device memory as they were drawn, and
/// copied from there to where they are sorted. Twice the elements in device memory, once in host memory.
public final class ElementBuffers implements AutoCloseable {
    private final ReusedMemory.Pair host;
    private final DeviceElements pristine;
    private final DeviceElements work;

    /// @param payloadBytes 0 where there are no payloads
    /// @param memory       not to be used for anything else while this is open
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    public ElementBuffers(int ordinal, long keyBytes, long payloadBytes, ReusedMemory memory) {
        pristine = DeviceElements.allocate(ordinal, keyBytes, payloadBytes);
        try {
            work = DeviceElements.allocate(ordinal, keyBytes, payloadBytes);
            try {
                // Last: what the GPU has no room for must not fill the host's memory either.
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

    /// The keys in host memory.
    public MemorySegment keys() {
        return host.keys();
    }

    /// The payloads in host memory; empty where there are none.
    public MemorySegment payloads() {
        return host.payloads();
    }

    /// Keeps what is in host memory as the elements as they were drawn.
    public void upload() {
        pristine.keys().copyFrom(host.keys());
        if (pristine.payloads() != null) {
            pristine.payloads().copyFrom(host.payloads());
        }
    }

    /// Fetches what has been sorted to host memory.
    public void download() {
        work.keys().copyTo(host.keys());
        if (work.payloads() != null) {
            work.payloads().copyTo(host.payloads());
        }
    }

    /// Puts a copy of the elements as they were drawn on the stream.
    public void restore(Stream stream) {
        copy(stream, pristine.keys(), work.keys());
        if (pristine.payloads() != null) {
            copy(stream, pristine.payloads(), work.payloads());
        }
    }

    private static void copy(Stream stream, DeviceMemory from, DeviceMemory to) {
        stream.copyOnDevice(to.address(), from.address(), from.byteSize());
    }

    /// Where the elements lie as they were drawn.
    public Buffers pristine() {
        return pristine.buffers();
    }

    /// Where they are to be sorted.
    public Buffers work() {
        return work.buffers();
    }

    /// Puts our sort on the stream.
    public void enqueue(Sorter sorter, long count, Stream stream) {
        if (work.payloads() == null) {
            sorter.sortAsync(work.keys().address(), count, stream.handle());
        } else {
            sorter.sortAsync(work.keys().address(), work.payloads().address(), count, stream.handle());
        }
    }

    /// Sorts and waits for the end.
    public SortReport sortBy(Sorter sorter) {
        return work.payloads() == null ? sorter.sort(work.keys()) : sorter.sort(work.keys(), work.payloads());
    }

    /// Sorts a copy of the elements as they were drawn, and waits for the end.
    public SortReport sortedCopyBy(Sorter sorter) {
        return sorter.sortedCopy(pristine.keys(), work.keys());
    }

    /// Has the payloads say how the keys are to be ordered, and waits for the end.
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
    /// @param payloads null where there are none
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
