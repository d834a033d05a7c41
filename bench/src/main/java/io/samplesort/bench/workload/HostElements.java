package io.samplesort.bench.workload;

import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.stream.LongStream;

/// Elements in host memory, which are drawn there, and checked after a sort.
public final class HostElements {
    /// The first bytes of a record's key as a number in the order of the bytes.
    private static final ValueLayout.OfLong FIRST_BYTES =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Subject subject;
    private final MemorySegment keys;
    private final MemorySegment payloads;
    private Fingerprint expected;

    /// @param payloads empty if there are none
    public HostElements(Subject subject, MemorySegment keys, MemorySegment payloads) {
        this.subject = subject;
        this.keys = keys;
        this.payloads = payloads;
    }

    public MemorySegment keys() {
        return keys;
    }

    /// Returns the payloads; the segment is empty if there are none.
    public MemorySegment payloads() {
        return payloads;
    }

    /// Draws the elements. The first field of a struct of two words follows the distribution, and the second one is
    /// uniform, so that it decides where the distribution repeats a key. The same holds for the first eight bytes of a
    /// record's key and the other two.
    public void fill(InputDistribution distribution, long seed) {
        KeyType key = subject.key();
        if (subject.struct() == RecordElements.RECORD_100) {
            fillRecords(distribution, seed);
        } else if (subject.isStruct()) {
            distribution.fillField(keys, key, 2, seed);
            InputDistribution.UNIFORM.fillField(keys.asSlice(key.byteSize()), key, 2, seed + 1);
        } else {
            distribution.fill(keys, key, seed);
        }
        if (subject.payload() != null) {
            InputDistribution.UNIFORM.fill(payloads, subject.payload(), seed + 1);
        }
        expected = fingerprint();
    }

    private void fillRecords(InputDistribution distribution, long seed) {
        RecordInput.UNIFORM.fill(keys, RecordElements.RECORD_100, seed);
        if (distribution == InputDistribution.UNIFORM) {
            return;
        }
        int bytes = subject.keyBytes();
        long count = keys.byteSize() / bytes;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment words = arena.allocate(count * Long.BYTES, Long.BYTES);
            distribution.fill(words, subject.key(), seed);
            LongStream.range(0, count)
                    .parallel()
                    .forEach(i -> keys.set(FIRST_BYTES, i * bytes, words.getAtIndex(ValueLayout.JAVA_LONG, i)));
        }
    }

    /// Returns whether the elements are in order and are still those that were drawn, each key with its payload.
    public boolean isSorted() {
        return isInOrder() && fingerprint().equals(expected);
    }

    private boolean isInOrder() {
        return subject.isStruct()
                ? subject.struct().isInOrder(keys, null)
                : ResultCheck.firstViolation(keys, subject.key(), false).isEmpty();
    }

    private Fingerprint fingerprint() {
        return subject.payload() == null
                ? Fingerprint.of(keys, subject.keyBytes())
                : Fingerprint.of(keys, subject.key(), payloads, subject.payload());
    }
}
