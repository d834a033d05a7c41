package io.samplesort.bench;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.ResultCheck;

/// Keys or pairs to be measured: what is drawn, and what is checked of the result.
final class Workload implements AutoCloseable {
    private final Subject subject;
    private final ElementBuffers buffers;
    private Fingerprint expected;

    /// @param memory not to be used for anything else while this is open
    /// @throws io.samplesort.InsufficientDeviceMemoryException if the GPU has too little free memory
    Workload(int ordinal, Subject subject, long count, HostMemory memory) {
        this.subject = subject;
        long keyBytes = Math.multiplyExact(count, subject.key().byteSize());
        long payloadBytes = subject.payload() == null
                ? 0
                : Math.multiplyExact(count, subject.payload().byteSize());
        buffers = new ElementBuffers(ordinal, keyBytes, payloadBytes, memory);
    }

    ElementBuffers buffers() {
        return buffers;
    }

    /// Draws the elements.
    void fill(InputDistribution distribution, long seed) {
        distribution.fill(buffers.keys(), subject.key(), seed);
        if (subject.payload() != null) {
            InputDistribution.UNIFORM.fill(buffers.payloads(), subject.payload(), seed + 1);
        }
        expected = fingerprint();
        buffers.upload();
    }

    /// Whether what has been sorted is in order and still the same elements, each key with its payload.
    boolean isSorted() {
        buffers.download();
        return ResultCheck.firstViolation(buffers.keys(), subject.key(), false).isEmpty()
                && fingerprint().equals(expected);
    }

    private Fingerprint fingerprint() {
        return subject.payload() == null
                ? Fingerprint.of(buffers.keys(), subject.key())
                : Fingerprint.of(buffers.keys(), subject.key(), buffers.payloads(), subject.payload());
    }

    @Override
    public void close() {
        buffers.close();
    }
}
