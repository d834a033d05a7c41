package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Turns keys that are `String`s into a column of strings of bytes in the order of [String#compareTo], which is that of
/// UTF-16. Each `char` by itself becomes one to three bytes, as a code point does in UTF-8 (this is CESU-8). UTF-8
/// itself has another order: characters beyond U+FFFF come after those from U+E000 on, while in UTF-16 they come before
/// them.
final class StringKeys {
    private static final int MOST_IN_ARRAY = Integer.MAX_VALUE - 8;

    private final Object[] values;
    private final Parallel parallel;
    private final int grain;
    private final long[] offsets;
    /// The encoded strings of each range of `grain` keys.
    private final byte[][] ranges;

    /// @param values strings, or null
    StringKeys(Object[] values, Parallel parallel, int grain) {
        this.values = values;
        this.parallel = parallel;
        this.grain = grain;
        this.offsets = new long[values.length + 1];
        this.ranges = new byte[Math.ceilDiv(values.length, grain)][];
    }

    /// Returns the column; null keys are empty strings.
    KeyColumn column() {
        parallel.forRanges(values.length, grain, (first, last) -> {
            int from = (int) first;
            Encoder encoder = new Encoder();
            for (int i = from; i < last; i++) {
                int before = encoder.size;
                if (values[i] != null) {
                    encoder.add((String) values[i]);
                }
                offsets[i + 1] = (long) encoder.size - before;
            }
            ranges[from / grain] = encoder.encoded();
        });
        for (int i = 0; i < values.length; i++) {
            offsets[i + 1] += offsets[i];
        }
        MemorySegment bytes = room(offsets[values.length]);
        parallel.forRanges(ranges.length, 1, (first, last) -> {
            for (int range = (int) first; range < last; range++) {
                byte[] encoded = ranges[range];
                long at = offsets[range * grain];
                MemorySegment.copy(encoded, 0, bytes, ValueLayout.JAVA_BYTE, at, encoded.length);
            }
        });
        return KeyColumn.of(Strings.of(bytes, MemorySegment.ofArray(offsets), ElementType.LONG));
    }

    private static MemorySegment room(long bytes) {
        return bytes <= MOST_IN_ARRAY
                ? MemorySegment.ofArray(new byte[(int) bytes])
                : Arena.ofAuto().allocate(bytes);
    }

    /// Appends strings to an array of bytes.
    private final class Encoder {
        private static final int MOST_BYTES_OF_A_CHAR = 3;

        private final char[] chars = new char[256];
        private byte[] bytes = new byte[1 << 12];
        private int size;

        byte[] encoded() {
            return Arrays.copyOf(bytes, size);
        }

        void add(String string) {
            int length = string.length();
            for (int from = 0; from < length; from += chars.length) {
                int count = Math.min(chars.length, length - from);
                string.getChars(from, from + count, chars, 0);
                if (bytes.length - size < count * MOST_BYTES_OF_A_CHAR) {
                    bytes = Arrays.copyOf(bytes, grown(bytes.length, size + (long) count * MOST_BYTES_OF_A_CHAR));
                }
                addChars(count);
            }
        }

        private int grown(int length, long needed) {
            if (needed > MOST_IN_ARRAY) {
                throw new OutOfMemoryError("the string keys of " + grain + " objects have more than " + MOST_IN_ARRAY
                        + " bytes: sort by shorter ones first, such as their first characters");
            }
            return (int) Math.clamp(length + length / 2L, needed, MOST_IN_ARRAY);
        }

        private void addChars(int count) {
            byte[] target = bytes;
            int at = size;
            for (int i = 0; i < count; i++) {
                char c = chars[i];
                if (c < 0x80) {
                    target[at++] = (byte) c;
                } else if (c < 0x800) {
                    target[at++] = (byte) (0xc0 | c >>> 6);
                    target[at++] = (byte) (0x80 | c & 0x3f);
                } else {
                    target[at++] = (byte) (0xe0 | c >>> 12);
                    target[at++] = (byte) (0x80 | c >>> 6 & 0x3f);
                    target[at++] = (byte) (0x80 | c & 0x3f);
                }
            }
            size = at;
        }
    }
}
