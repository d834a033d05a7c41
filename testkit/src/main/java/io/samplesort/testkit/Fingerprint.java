package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;

/// What a multiset of elements is known by, whatever their order: two that differ agree with a chance of about 2^-64.
///
/// @param count elements
/// @param sum   of the mixed bits of all elements
/// @param xor   of the same, rotated
public record Fingerprint(long count, long sum, long xor) {
    private static final long PIECE = 1 << 16;
    /// Odd: what was mixed before goes on to count.
    private static final long CHAIN = 0x632be59bd9b4e019L;

    private static final Fingerprint EMPTY = new Fingerprint(0, 0, 0);

    /// The fingerprint of keys.
    public static Fingerprint of(MemorySegment keys, KeyType type) {
        return of(type.count(keys), i -> mix(type.bits(keys, i)));
    }

    /// The fingerprint of keys with their payloads: pairs that were torn apart show.
    public static Fingerprint of(MemorySegment keys, KeyType type, MemorySegment payloads, KeyType payloadType) {
        return of(type.count(keys), i -> mix(mix(type.bits(keys, i)) + CHAIN * payloadType.bits(payloads, i)));
    }

    /// The fingerprint of elements of any size, each with its payload: elements that were torn apart show.
    ///
    /// @param byteSize        bytes of an element
    /// @param payloadByteSize bytes of a payload, 0 where there are none
    public static Fingerprint ofBytes(
            MemorySegment elements, int byteSize, MemorySegment payloads, int payloadByteSize) {
        return of(
                elements.byteSize() / byteSize,
                i -> mixBytes(
                        mixBytes(byteSize, elements, i * byteSize, byteSize),
                        payloads,
                        i * payloadByteSize,
                        payloadByteSize));
    }

    private static long mixBytes(long mixed, MemorySegment segment, long at, int byteSize) {
        long end = at + byteSize;
        long offset = at;
        for (; offset + Long.BYTES <= end; offset += Long.BYTES) {
            mixed = mix(mixed * CHAIN + segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset));
        }
        for (; offset < end; offset++) {
            mixed = mix(mixed * CHAIN + segment.get(ValueLayout.JAVA_BYTE, offset));
        }
        return mixed;
    }

    private interface Mixed {
        long at(long index);
    }

    private static Fingerprint of(long count, Mixed mixed) {
        return LongStream.range(0, (count + PIECE - 1) / PIECE)
                .parallel()
                .mapToObj(piece -> {
                    long end = Math.min(count, (piece + 1) * PIECE);
                    long sum = 0;
                    long xor = 0;
                    for (long i = piece * PIECE; i < end; i++) {
                        long bits = mixed.at(i);
                        sum += bits;
                        xor ^= Long.rotateLeft(bits, 17) * 0x9fb21c651e98df25L;
                    }
                    return new Fingerprint(end - piece * PIECE, sum, xor);
                })
                .reduce(EMPTY, Fingerprint::plus);
    }

    private Fingerprint plus(Fingerprint other) {
        return new Fingerprint(count + other.count, sum + other.sum, xor ^ other.xor);
    }

    /// A bijection that spreads every bit over all others (Stafford's variant 13 of the finaliser of MurmurHash3).
    private static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
