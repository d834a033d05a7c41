package io.samplesort.bench.workload;

import io.samplesort.testkit.InputDistribution;

/// The keys, pairs or structs of a measurement. Draws them, and checks the result of a sort.
public final class Workload implements AutoCloseable {
    private final ElementBuffers buffers;
    private final HostElements elements;

    /// @param memory must not be used for anything else while this is open
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public Workload(int ordinal, Subject subject, long count, ReusedMemory memory) {
        buffers = new ElementBuffers(
                ordinal,
                Math.multiplyExact(count, subject.keyBytes()),
                Math.multiplyExact(count, subject.payloadBytes()),
                memory);
        elements = new HostElements(subject, buffers.keys(), buffers.payloads());
    }

    public ElementBuffers buffers() {
        return buffers;
    }

    /// Draws the elements, see [HostElements#fill].
    public void fill(InputDistribution distribution, long seed) {
        elements.fill(distribution, seed);
        buffers.upload();
    }

    /// Returns whether the sorted elements are in order and are still the same ones, each key with its payload.
    public boolean isSorted() {
        buffers.download();
        return elements.isSorted();
    }

    @Override
    public void close() {
        buffers.close();
    }
}
