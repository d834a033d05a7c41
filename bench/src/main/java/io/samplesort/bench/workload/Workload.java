package io.samplesort.bench.workload;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;

/// The keys, pairs or structs of a measurement. Draws them, and checks the result of a sort.
public final class Workload implements AutoCloseable {
    private final Subject subject;
    private final ElementBuffers buffers;
    private Fingerprint expected;

    /// @param memory must not be used for anything else while this is open
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    public Workload(int ordinal, Subject subject, long count, ReusedMemory memory) {
        this.subject = subject;
        buffers = new ElementBuffers(
                ordinal,
                Math.multiplyExact(count, subject.keyBytes()),
                Math.multiplyExact(count, subject.payloadBytes()),
                memory);
    }

    public ElementBuffers buffers() {
        return buffers;
    }

    /// Draws the elements. The first field of a struct follows the distribution, and the second one is uniform, so that
    /// it decides where the distribution repeats a key.
    public void fill(InputDistribution distribution, long seed) {
        KeyType key = subject.key();
        if (subject.isStruct()) {
            distribution.fillField(buffers.keys(), key, 2, seed);
            InputDistribution.UNIFORM.fillField(buffers.keys().asSlice(key.byteSize()), key, 2, seed + 1);
        } else {
            distribution.fill(buffers.keys(), key, seed);
        }
        if (subject.payload() != null) {
            InputDistribution.UNIFORM.fill(buffers.payloads(), subject.payload(), seed + 1);
        }
        expected = fingerprint();
        buffers.upload();
    }

    /// Returns whether the sorted elements are in order and are still the same ones, each key with its payload.
    public boolean isSorted() {
        buffers.download();
        return isInOrder() && fingerprint().equals(expected);
    }

    private boolean isInOrder() {
        return subject.isStruct()
                ? RecordElements.TWO_WORDS.isInOrder(buffers.keys(), null)
                : ResultCheck.firstViolation(buffers.keys(), subject.key(), false)
                        .isEmpty();
    }

    private Fingerprint fingerprint() {
        return subject.payload() == null
                ? Fingerprint.of(buffers.keys(), subject.keyBytes())
                : Fingerprint.of(buffers.keys(), subject.key(), buffers.payloads(), subject.payload());
    }

    @Override
    public void close() {
        buffers.close();
    }
}
