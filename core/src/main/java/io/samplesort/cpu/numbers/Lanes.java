package io.samplesort.cpu.numbers;

import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;

/// Makes the lane that suits a type of elements. This is a class of its own since Java loads all lanes with the class
/// that names them, and a sort by kernels needs none.
final class Lanes {
    private Lanes() {}

    /// @param payload the type of the payload; null for none
    /// @param bytes   bytes of an element in a lane's buffer
    static Lane make(CpuTuning tuning, ElementType key, ElementType payload, NaturalOrder order, int bytes) {
        return switch (bytes) {
            case Integer.BYTES -> new IntLane(tuning, IntCodec.forKeys(key, order), 1);
            case Long.BYTES ->
                payload == null
                        ? new LongLane(tuning, LongCodec.forKeys(key, order), 1)
                        : new LongLane(tuning, LongCodec.forPairs(key, order, payload.byteSize()), 1L << 32);
            default -> new PairLane(tuning, LongCodec.forKeys(key, order), LongCodec.forPayload(payload.byteSize()));
        };
    }
}
