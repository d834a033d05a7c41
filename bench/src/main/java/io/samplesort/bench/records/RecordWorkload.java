package io.samplesort.bench.records;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.RecordInput;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.testkit.Fingerprint;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/// Records to be measured: what is drawn, and what is checked of the result.
final class RecordWorkload implements AutoCloseable {
    private final RecordJob job;
    private final long count;
    private final ElementBuffers buffers;
    private Fingerprint expected;

    /// @param memory not to be used for anything else while this is open
    /// @throws IllegalArgumentException                          if there are more elements than indexes
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
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

    /// Whether what has been sorted is in order and still the same elements, each with its payload, and stable where it
    /// has to be.
    ///
    /// @param isPermutation whether the keys were left where they are, and the payloads say where they belong
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

    /// Fetches each key to where the permutation says it belongs. False where an index is out of bounds.
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
