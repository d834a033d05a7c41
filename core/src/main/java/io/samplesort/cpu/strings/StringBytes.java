package io.samplesort.cpu.strings;

import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Reads the bytes of strings, many strings at a time, so that the processor waits for the memory of several at once.
/// There is a loop for each kind of memory, since a loop over several kinds is slow.
abstract sealed class StringBytes {
    /// Returns a reader of the strings' bytes.
    static StringBytes of(Strings strings, Symbols symbols) {
        MemorySegment bytes = strings.bytes();
        if (bytes.byteSize() < Long.BYTES) {
            byte[] padded = Arrays.copyOf(bytes.toArray(ValueLayout.JAVA_BYTE), Long.BYTES);
            return new OfArray(padded, 0, Long.BYTES, symbols);
        }
        if (!bytes.isReadOnly() && bytes.heapBase().orElse(null) instanceof byte[] array) {
            return new OfArray(array, (int) bytes.address(), (int) bytes.byteSize(), symbols);
        }
        return new OfSegment(bytes, symbols);
    }

    /// Makes the words of strings.
    ///
    /// @param strings the numbers of the strings, in the bits of `mask`, at places `from..to`
    /// @param starts  where the string of each number begins
    /// @param ends    where it ends
    /// @param depth   how many bytes of each string to skip; no string has fewer
    /// @param words   takes the words, at the places of their strings
    /// @return the bits in which a word differs from the first
    abstract long words(
            long[] strings, long mask, int from, int to, long[] starts, long[] ends, long depth, long[] words);

    /// Returns how many bytes two strings have in common, at most `limit`.
    ///
    /// @param start where the bytes of one begin
    /// @param other where the bytes of the other begin
    abstract long common(long start, long other, long limit);

    /// Returns a hash of a string. Strings that are equal in the order of the sort have the same hash.
    abstract long hash(long start, long length);

    /// Returns whether two strings are equal in the order of the sort.
    ///
    /// @param start where the bytes of one begin
    /// @param other where the bytes of the other begin
    abstract boolean areEqual(long start, long other, long length);

    /// Copies the bytes of a string. It may write up to seven bytes more, which must fit the target.
    ///
    /// @param at where the copy begins in the target
    abstract void copy(long start, int length, byte[] target, int at);

    /// Adds eight bytes to a hash.
    private static long mix(long hash, long bytes) {
        return (Long.rotateLeft(hash, 29) ^ bytes) * 0x9e37_79b9_7f4a_7c15L;
    }

    /// Makes all bits of a hash depend on all others.
    private static long finish(long hash) {
        long mixed = (hash ^ hash >>> 32) * 0xd6e8_feb8_6659_fd93L;
        return mixed ^ mixed >>> 32;
    }

    /// Returns the first of eight bytes, with 0 for the others.
    private static long first(long bytes, int count) {
        return count == 0 ? 0 : bytes & -1L << Byte.SIZE * (Long.BYTES - count);
    }

    /// Longer strings are copied by the JDK, since they are worth the call.
    private static final int MOST_IN_WORDS = 96;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final class OfArray extends StringBytes {
        private static final VarHandle BIG_ENDIAN =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

        private final byte[] bytes;
        private final int base;
        private final int last;
        private final Symbols symbols;

        private OfArray(byte[] bytes, int base, int size, Symbols symbols) {
            this.bytes = bytes;
            this.base = base;
            this.last = base + size - Long.BYTES;
            this.symbols = symbols;
        }

        @Override
        long words(long[] strings, long mask, int from, int to, long[] starts, long[] ends, long depth, long[] words) {
            for (int i = from; i < to; i++) {
                int at = base + (int) (starts[(int) (strings[i] & mask)] + depth);
                int readable = Math.min(at, last);
                words[i] = (long) BIG_ENDIAN.get(bytes, readable) << Byte.SIZE * (at - readable);
            }
            return symbols.convert(strings, mask, from, to, starts, ends, depth, words);
        }

        @Override
        long common(long start, long other, long limit) {
            int at = base + (int) start;
            int otherAt = base + (int) other;
            int size = (int) limit;
            int different = Arrays.mismatch(bytes, at, at + size, bytes, otherAt, otherAt + size);
            return different < 0 ? limit : different;
        }

        @Override
        long hash(long start, long length) {
            int at = base + (int) start;
            int end = at + (int) length;
            long hash = length;
            for (; at <= end - Long.BYTES; at += Long.BYTES) {
                hash = mix(hash, symbols.folded((long) BIG_ENDIAN.get(bytes, at)));
            }
            return finish(mix(hash, rest(at, end)));
        }

        @Override
        boolean areEqual(long start, long other, long length) {
            if (!symbols.folds()) {
                return common(start, other, length) == length;
            }
            int at = base + (int) start;
            int end = at + (int) length;
            int distance = (int) (other - start);
            for (; at <= end - Long.BYTES; at += Long.BYTES) {
                long word = symbols.folded((long) BIG_ENDIAN.get(bytes, at));
                if (word != symbols.folded((long) BIG_ENDIAN.get(bytes, at + distance))) {
                    return false;
                }
            }
            return rest(at, end) == rest(at + distance, end + distance);
        }

        private long rest(int at, int end) {
            int readable = Math.min(at, last);
            long word = (long) BIG_ENDIAN.get(bytes, readable) << Byte.SIZE * (at - readable);
            return first(symbols.folded(word), end - at);
        }

        @Override
        void copy(long start, int length, byte[] target, int at) {
            int from = base + (int) start;
            if (length > MOST_IN_WORDS || from + length > last) {
                System.arraycopy(bytes, from, target, at, length);
                return;
            }
            for (int i = 0; i < length; i += Long.BYTES) {
                WORD.set(target, at + i, (long) WORD.get(bytes, from + i));
            }
        }
    }

    private static final class OfSegment extends StringBytes {
        private static final ValueLayout.OfLong BIG_ENDIAN =
                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

        private final MemorySegment bytes;
        private final long last;
        private final Symbols symbols;

        private OfSegment(MemorySegment bytes, Symbols symbols) {
            this.bytes = bytes;
            this.last = bytes.byteSize() - Long.BYTES;
            this.symbols = symbols;
        }

        @Override
        long words(long[] strings, long mask, int from, int to, long[] starts, long[] ends, long depth, long[] words) {
            for (int i = from; i < to; i++) {
                long at = starts[(int) (strings[i] & mask)] + depth;
                long readable = Math.min(at, last);
                words[i] = bytes.get(BIG_ENDIAN, readable) << Byte.SIZE * (int) (at - readable);
            }
            return symbols.convert(strings, mask, from, to, starts, ends, depth, words);
        }

        @Override
        long common(long start, long other, long limit) {
            long different = MemorySegment.mismatch(bytes, start, start + limit, bytes, other, other + limit);
            return different < 0 ? limit : different;
        }

        @Override
        long hash(long start, long length) {
            long at = start;
            long end = start + length;
            long hash = length;
            for (; at <= end - Long.BYTES; at += Long.BYTES) {
                hash = mix(hash, symbols.folded(bytes.get(BIG_ENDIAN, at)));
            }
            return finish(mix(hash, rest(at, end)));
        }

        @Override
        boolean areEqual(long start, long other, long length) {
            if (!symbols.folds()) {
                return common(start, other, length) == length;
            }
            long at = start;
            long end = start + length;
            long distance = other - start;
            for (; at <= end - Long.BYTES; at += Long.BYTES) {
                long word = symbols.folded(bytes.get(BIG_ENDIAN, at));
                if (word != symbols.folded(bytes.get(BIG_ENDIAN, at + distance))) {
                    return false;
                }
            }
            return rest(at, end) == rest(at + distance, end + distance);
        }

        private long rest(long at, long end) {
            long readable = Math.min(at, last);
            long word = bytes.get(BIG_ENDIAN, readable) << Byte.SIZE * (int) (at - readable);
            return first(symbols.folded(word), (int) (end - at));
        }

        @Override
        void copy(long start, int length, byte[] target, int at) {
            if (length > MOST_IN_WORDS || start + length > last) {
                MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, start, target, at, length);
                return;
            }
            for (int i = 0; i < length; i += Long.BYTES) {
                WORD.set(target, at + i, bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, start + i));
            }
        }
    }
}
