package io.samplesort.bench;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SortReport;
import io.samplesort.Sorter;
import io.samplesort.bench.Baselines.Buffers;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.ResultCheck;

/// The elements of a measurement: drawn into host memory, kept in device memory as they were drawn, and copied from
/// there to where they are sorted. Twice the elements in device memory, once in host memory.
final class Workload implements AutoCloseable {
    private final Subject subject;
    private final long count;
    private final HostMemory.Pair host;
    private final DeviceElements pristine;
    private final DeviceElements work;
    private Fingerprint expected;

    /// @param memory not to be used for anything else while this is open
    /// @throws io.samplesort.InsufficientDeviceMemoryException if the GPU has too little free memory
    Workload(int ordinal, Subject subject, long count, HostMemory memory) {
        this.subject = subject;
        this.count = count;
        long keyBytes = Math.multiplyExact(count, subject.key().byteSize());
        long payloadBytes = subject.payload() == null
                ? 0
                : Math.multiplyExact(count, subject.payload().byteSize());
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

    long count() {
        return count;
    }

    /// Draws the elements.
    void fill(InputDistribution distribution, long seed) {
        distribution.fill(host.keys(), subject.key(), seed);
        if (subject.payload() != null) {
            InputDistribution.UNIFORM.fill(host.payloads(), subject.payload(), seed + 1);
        }
        expected = fingerprint();
        pristine.keys().copyFrom(host.keys());
        if (pristine.payloads() != null) {
            pristine.payloads().copyFrom(host.payloads());
        }
    }

    /// Puts a copy of the elements as they were drawn on the stream.
    void restore(Stream stream) {
        copy(stream, pristine.keys(), work.keys());
        if (pristine.payloads() != null) {
            copy(stream, pristine.payloads(), work.payloads());
        }
    }

    private static void copy(Stream stream, DeviceMemory from, DeviceMemory to) {
        stream.copyOnDevice(to.address(), from.address(), from.byteSize());
    }

    /// Where the elements lie as they were drawn.
    Buffers pristine() {
        return pristine.buffers();
    }

    /// Where they are to be sorted.
    Buffers work() {
        return work.buffers();
    }

    /// Sorts and waits for the end.
    SortReport sortBy(Sorter sorter) {
        return work.payloads() == null ? sorter.sort(work.keys()) : sorter.sort(work.keys(), work.payloads());
    }

    /// Whether what has been sorted is in order and still the same elements, each key with its payload.
    boolean isSorted() {
        work.keys().copyTo(host.keys());
        if (work.payloads() != null) {
            work.payloads().copyTo(host.payloads());
        }
        return ResultCheck.firstViolation(host.keys(), subject.key(), false).isEmpty()
                && fingerprint().equals(expected);
    }

    private Fingerprint fingerprint() {
        return subject.payload() == null
                ? Fingerprint.of(host.keys(), subject.key())
                : Fingerprint.of(host.keys(), subject.key(), host.payloads(), subject.payload());
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
