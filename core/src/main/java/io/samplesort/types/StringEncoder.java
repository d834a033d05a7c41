package io.samplesort.types;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Encodes Java strings as bytes that have the same order, on all cores.
///
/// A char takes one to three bytes, as in UTF-8. A character beyond U+FFFF is two surrogates and so takes six bytes;
/// this encoding is CESU-8 (Unicode Technical Report 26). The bytes compare as the chars do. For strings without
/// surrogates, the encoding is the same as UTF-8.
final class StringEncoder {
    /// How many strings a thread encodes at a time.
    private static final int BLOCK = 1 << 12;

    private static final int TWO_BYTES = 0x80;
    private static final int THREE_BYTES = 0x800;

    private final String[] strings;
    private final boolean isUtf8;

    /// @param isUtf8 whether to encode as UTF-8, where a pair of surrogates takes four bytes and a single one becomes a
    ///     question mark
    StringEncoder(String[] strings, boolean isUtf8) {
        this.strings = strings;
        this.isUtf8 = isUtf8;
    }

    /// Encodes the strings.
    ///
    /// @param room allocates memory of a given size
    /// @throws NullPointerException if a string is null
    Strings encode(LongFunction<MemorySegment> room) {
        long[] offsets = new long[strings.length + 1];
        forBlocks((from, to) -> {
            Chars chars = new Chars();
            for (int i = from; i < to; i++) {
                offsets[i + 1] = chars.load(i);
            }
        });
        // One thread adds up the lengths of a million strings in a millisecond.
        for (int i = 0; i < strings.length; i++) {
            offsets[i + 1] += offsets[i];
        }
        MemorySegment bytes = room.apply(offsets[strings.length]);
        forBlocks((from, to) -> {
            Chars chars = new Chars();
            for (int i = from; i < to; i++) {
                int length = chars.load(i);
                MemorySegment.copy(chars.encoded(length), 0, bytes, ValueLayout.JAVA_BYTE, offsets[i], length);
            }
        });
        return Strings.ofValid(bytes, offsets);
    }

    @FunctionalInterface
    private interface BlockBody {
        void accept(int from, int to);
    }

    private void forBlocks(BlockBody body) {
        int blocks = Math.ceilDiv(strings.length, BLOCK);
        IntStream range = IntStream.range(0, blocks);
        (blocks > 1 ? range.parallel() : range)
                .forEach(block -> body.accept(block * BLOCK, Math.min((block + 1) * BLOCK, strings.length)));
    }

    /// The chars of one string, in memory that is used again for the next string.
    private final class Chars {
        private char[] chars = new char[256];
        private byte[] bytes = new byte[256];
        private int count;
        /// The bytes of a string with surrogates in UTF-8; null for other strings.
        private byte @Nullable [] utf8;

        /// Takes the chars of a string, and returns how many bytes their encoding has.
        int load(int index) {
            String string = strings[index];
            if (string == null) {
                throw new NullPointerException("the string at index " + index + " is null");
            }
            count = string.length();
            if (chars.length < count) {
                chars = new char[Math.max(count, 2 * chars.length)];
            }
            string.getChars(0, count, chars, 0);
            utf8 = null;
            int any = 0;
            for (int i = 0; i < count; i++) {
                any |= chars[i];
            }
            return any < TWO_BYTES ? count : longLength(string);
        }

        private int longLength(String string) {
            boolean hasSurrogates = false;
            long length = 0;
            for (int i = 0; i < count; i++) {
                char c = chars[i];
                length += c < TWO_BYTES ? 1 : c < THREE_BYTES ? 2 : 3;
                hasSurrogates |= Character.isSurrogate(c);
            }
            if (isUtf8 && hasSurrogates) {
                utf8 = string.getBytes(StandardCharsets.UTF_8);
                return utf8.length;
            }
            return Math.toIntExact(length);
        }

        /// Returns the bytes of the string, `length` of them.
        byte[] encoded(int length) {
            if (utf8 != null) {
                return utf8;
            }
            if (bytes.length < length) {
                bytes = new byte[Math.max(length, 2 * bytes.length)];
            }
            if (length == count) {
                for (int i = 0; i < count; i++) {
                    bytes[i] = (byte) chars[i];
                }
                return bytes;
            }
            int at = 0;
            for (int i = 0; i < count; i++) {
                char c = chars[i];
                if (c < TWO_BYTES) {
                    bytes[at++] = (byte) c;
                } else if (c < THREE_BYTES) {
                    bytes[at++] = (byte) (0xc0 | c >> 6);
                    bytes[at++] = (byte) (0x80 | c & 0x3f);
                } else {
                    bytes[at++] = (byte) (0xe0 | c >> 12);
                    bytes[at++] = (byte) (0x80 | c >> 6 & 0x3f);
                    bytes[at++] = (byte) (0x80 | c & 0x3f);
                }
            }
            return bytes;
        }
    }
}
