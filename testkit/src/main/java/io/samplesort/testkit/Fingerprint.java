package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;

/// A summary of a multiset of elements that does not depend on their order. Two multisets that differ have the same
/// fingerprint with a chance of about 2^-64.
///
/// @param count how many elements there are
/// @param sum   the sum of the mixed bits of all elements
/// @param xor   the exclusive or of the same bits, rotated
public record Fingerprint(long count, long sum, long xor) {
    private static final long PIECE = 1 << 16;

    private static final Fingerprint EMPTY = new Fingerprint(0, 0, 0);

    /// Returns the fingerprint of keys.
    public static Fingerprint of(MemorySegment keys, KeyType type) {
        return of(keys, type.byteSize());
    }

    /// Returns the fingerprint of keys with their payloads, which changes if pairs are torn apart.
    public static Fingerprint of(MemorySegment keys, KeyType type, MemorySegment payloads, KeyType payloadType) {
        return of(keys, type.byteSize(), payloads, payloadType.byteSize());
    }

    /// Returns the fingerprint of elements of any size, such as records, whatever their bytes mean.
    public static Fingerprint of(MemorySegment elements, int byteSize) {
        return of(elements.byteSize() / byteSize, i -> mix(elements, i * byteSize, byteSize));
    }

    /// Returns the fingerprint of elements of any size with their payloads, which changes if pairs are torn apart.
    public static Fingerprint of(MemorySegment elements, int byteSize, MemorySegment payloads, int payloadByteSize) {
        return of(
                elements.byteSize() / byteSize,
                i -> mix(mix(elements, i * byteSize, byteSize)
                        + 0x632be59bd9b4e019L * mix(payloads, i * payloadByteSize, payloadByteSize)));
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

    /// Mixes the bits of one element, eight bytes at a time. Each step depends on all before it, so that the result
    /// changes if two words change places.
    private static long mix(MemorySegment segment, long offset, int byteSize) {
        long mixed = 0;
        for (int done = 0; done < byteSize; done += Long.BYTES) {
            mixed = mix(0xd1342543de82ef95L * mixed + bits(segment, offset + done, byteSize - done));
        }
        return mixed;
    }

    /// Returns the next eight bytes, or as many as are left.
    private static long bits(MemorySegment segment, long offset, int left) {
        if (left >= Long.BYTES) {
            return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        }
        long bits = 0;
        for (int i = left - 1; i >= 0; i--) {
            bits = bits << Byte.SIZE | segment.get(ValueLayout.JAVA_BYTE, offset + i) & 0xffL;
        }
        return bits;
    }

    /// Spreads every bit over all others by a bijection (Stafford's variant 13 of the finaliser of MurmurHash3).
    private static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
