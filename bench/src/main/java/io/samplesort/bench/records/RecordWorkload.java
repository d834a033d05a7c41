package io.samplesort.bench.records;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.RecordInput;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.testkit.Fingerprint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/// The records of a measurement. Draws them, and checks the result of a sort.
final class RecordWorkload implements AutoCloseable {
    private final RecordJob job;
    private final long count;
    private final ElementBuffers buffers;
    private Fingerprint expected;

    /// @param memory must not be used for anything else while this is open
    /// @throws IllegalArgumentException                          if there are more elements than indexes
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    RecordWorkload(int ordinal, RecordJob job, long count, ReusedMemory memory) {
        if (job.isIndexed() && count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(count + " elements for " + job + ": indexes are ints");
        }
        this.job = job;
        this.count = count;
        buffers =
                new ElementBuffers(ordinal, Math.multiplyExact(count, elementBytes()), count * payloadBytes(), memory);
    }

    private int elementBytes() {
        return job.elements().type().byteSize();
    }

    private int payloadBytes() {
        return job.isIndexed() ? Integer.BYTES : 0;
    }

    ElementBuffers buffers() {
        return buffers;
    }

    /// Draws the elements.
    void fill(RecordInput input, long seed) {
        input.fill(buffers.keys(), job.elements(), seed);
        if (job.isIndexed()) {
            LongStream.range(0, count)
                    .parallel()
                    .forEach(i -> buffers.payloads().setAtIndex(JAVA_INT, i, (int) i));
        }
        expected = fingerprint(buffers.keys());
        buffers.upload();
    }

    /// Returns whether the sorted elements are in order and are still the same ones, each with its payload, and whether
    /// equal ones have kept their order if they have to.
    ///
    /// @param isPermutation whether the keys are where they were before, and the payloads say where they belong
    boolean isSorted(boolean isPermutation) {
        buffers.download();
        if (!isPermutation) {
            return isSorted(buffers.keys());
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment keys = arena.allocate(buffers.keys().byteSize(), Long.BYTES);
            return permute(keys) && isSorted(keys);
        }
    }

    /// Copies each key to the place where the permutation wants it. Returns false if an index is out of bounds.
    private boolean permute(MemorySegment target) {
        int bytes = elementBytes();
        return LongStream.range(0, count).parallel().allMatch(i -> {
            int index = buffers.payloads().getAtIndex(JAVA_INT, i);
            if (index < 0 || index >= count) {
                return false;
            }
            MemorySegment.copy(buffers.keys(), (long) index * bytes, target, i * bytes, bytes);
            return true;
        });
    }

    private boolean isSorted(MemorySegment keys) {
        MemorySegment indexes = job.isIndexed() ? buffers.payloads() : null;
        return job.elements().isInOrder(keys, indexes) && fingerprint(keys).equals(expected);
    }

    private Fingerprint fingerprint(MemorySegment keys) {
        return Fingerprint.of(keys, elementBytes(), buffers.payloads(), payloadBytes());
    }

    @Override
    public void close() {
        buffers.close();
    }
}
