package io.samplesort.types;

import io.samplesort.keys.StringOffsets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/// Strings of any length in host memory: all their bytes one after another, and offsets that say where each begins.
/// This is the layout that Arrow calls variable-size binary. Bytes may have any value; only the offset of the next
/// string ends a string.
///
/// String i has the bytes from `offsets[i]` to `offsets[i + 1]`, so there is one more offset than there are strings.
/// The first offset need not be 0, and bytes before the first and after the last string are ignored. Strings are a
/// view: they copy nothing, and see what is written to their memory later. The offsets must not change while the view
/// is used.
public final class Strings {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.nativeOrder());
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.nativeOrder());

    private final MemorySegment bytes;
    private final MemorySegment offsets;
    private final ElementType offsetType;
    private final boolean isWide;
    private final long count;
    private final int terminatorBytes;

    private Strings(MemorySegment bytes, MemorySegment offsets, ElementType offsetType, int terminatorBytes) {
        this.bytes = bytes;
        this.offsets = offsets;
        this.offsetType = offsetType;
        this.isWide = offsetType.equals(ElementType.LONG);
        this.count = Math.max(0, offsets.byteSize() / offsetType.byteSize() - 1);
        this.terminatorBytes = terminatorBytes;
    }

    /// Returns a view of strings whose offsets are ints.
    ///
    /// @throws IllegalArgumentException as by [#of(MemorySegment, MemorySegment, ElementType)]
    public static Strings of(byte[] bytes, int[] offsets) {
        return of(MemorySegment.ofArray(bytes), MemorySegment.ofArray(offsets), ElementType.INT);
    }

    /// Returns a view of strings whose offsets are longs.
    ///
    /// @throws IllegalArgumentException as by [#of(MemorySegment, MemorySegment, ElementType)]
    public static Strings of(byte[] bytes, long[] offsets) {
        return of(MemorySegment.ofArray(bytes), MemorySegment.ofArray(offsets), ElementType.LONG);
    }

    /// Returns a view of strings in heap, native or mapped segments.
    ///
    /// @param bytes      the bytes of all strings
    /// @param offsets    where each string begins, and where the last one ends; without offsets there are no strings
    /// @param offsetType the type of the offsets: [ElementType#INT] or [ElementType#LONG]
    /// @throws IllegalArgumentException if the offsets are of another type, have a size that is no multiple of their
    ///     type's, decrease, or lie beyond the bytes
    public static Strings of(MemorySegment bytes, MemorySegment offsets, ElementType offsetType) {
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(offsets, "offsets");
        if (!offsetType.equals(ElementType.INT) && !offsetType.equals(ElementType.LONG)) {
            throw new IllegalArgumentException("offsets of type " + offsetType + ": they must be ints or longs");
        }
        if (offsets.byteSize() % offsetType.byteSize() != 0) {
            throw new IllegalArgumentException("the offsets have " + offsets.byteSize()
                    + " bytes, which is no multiple of " + offsetType.byteSize() + ", the size of one " + offsetType);
        }
        Strings strings = new Strings(bytes, offsets, offsetType, 0);
        strings.checkOffsets();
        return strings;
    }

    private void checkOffsets() {
        if (offsets.byteSize() == 0) {
            return;
        }
        long before = 0;
        for (long i = 0; i <= count; i++) {
            long offset = start(i);
            if (StringOffsets.isWrong(offset, before, bytes.byteSize())) {
                throw StringOffsets.error(i, offset, before, bytes.byteSize());
            }
            before = offset;
        }
    }

    /// Copies strings that each lie in an array of their own.
    ///
    /// @throws NullPointerException if a string is null; the message says which
    public static Strings copyOf(byte[][] strings) {
        return copyOf(Arrays.asList(strings));
    }

    /// Copies strings that each lie in an array of their own.
    ///
    /// @throws NullPointerException if a string is null; the message says which
    public static Strings copyOf(List<byte[]> strings) {
        long total = 0;
        int index = 0;
        for (byte[] string : strings) {
            if (string == null) {
                throw new NullPointerException("the string at index " + index + " is null");
            }
            total += string.length;
            index++;
        }
        MemorySegment bytes = room(total);
        long[] offsets = new long[strings.size() + 1];
        int i = 0;
        long at = 0;
        for (byte[] string : strings) {
            MemorySegment.copy(string, 0, bytes, ValueLayout.JAVA_BYTE, at, string.length);
            at += string.length;
            offsets[++i] = at;
        }
        return ofValid(bytes, offsets);
    }

    private static MemorySegment room(long byteSize) {
        return byteSize <= Integer.MAX_VALUE - 8
                ? MemorySegment.ofArray(new byte[(int) byteSize])
                : Arena.ofAuto().allocate(byteSize);
    }

    /// Encodes strings as UTF-8, whose order of bytes is that of code points. It differs from that of
    /// [String#compareTo] where characters beyond U+FFFF meet those from U+E000 on. A surrogate without its other half
    /// becomes a question mark, as by [String#getBytes(java.nio.charset.Charset)].
    ///
    /// @throws NullPointerException if a string is null; the message says which
    public static Strings utf8(Collection<String> strings) {
        return new StringEncoder(strings.toArray(new String[0]), true).encode(Strings::room);
    }

    /// Encodes strings so that the order of their bytes is that of [String#compareTo], the order of UTF-16 code units.
    /// This is UTF-8 except for characters beyond U+FFFF, whose two surrogates take three bytes each (CESU-8).
    ///
    /// @throws NullPointerException if a string is null
    public static Strings inJavaOrder(String[] strings) {
        return new StringEncoder(strings, false).encode(Strings::room);
    }

    /// Returns a view of strings whose offsets need no check.
    static Strings ofValid(MemorySegment bytes, long[] offsets) {
        return new Strings(bytes, MemorySegment.ofArray(offsets), ElementType.LONG, 0);
    }

    /// Returns a view of the same strings without the last bytes of each, such as the newline of lines. They are not
    /// compared, but move with their string.
    ///
    /// @param count how many bytes; a string with fewer is empty
    /// @throws IllegalArgumentException if `count` is negative
    public Strings withoutLast(int count) {
        if (count < 0) {
            throw new IllegalArgumentException(count + " bytes at the end of strings: must not be negative");
        }
        return new Strings(bytes, offsets, offsetType, count);
    }

    /// Returns a view of the strings `from` to `to - 1`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within these strings
    public Strings slice(long from, long to) {
        Objects.checkFromToIndex(from, to, count);
        int size = offsetType.byteSize();
        return new Strings(bytes, offsets.asSlice(from * size, (to - from + 1) * size), offsetType, terminatorBytes);
    }

    /// Returns the same strings in other segments, which must hold the same bytes and offsets: nothing is checked.
    public Strings in(MemorySegment otherBytes, MemorySegment otherOffsets) {
        return new Strings(otherBytes, otherOffsets, offsetType, terminatorBytes);
    }

    /// Returns how many strings there are.
    public long count() {
        return count;
    }

    /// Returns how many bytes the strings have together, terminators included.
    public long byteSize() {
        return count == 0 ? 0 : start(count) - start(0);
    }

    /// Returns the memory that the bytes of all strings lie in.
    public MemorySegment bytes() {
        return bytes;
    }

    /// Returns where each string begins in [#bytes], and where the last one ends.
    public MemorySegment offsets() {
        return offsets;
    }

    /// Returns the type of the offsets.
    public ElementType offsetType() {
        return offsetType;
    }

    /// Returns how many bytes at the end of each string are not compared, as [#withoutLast] says.
    public int terminatorBytes() {
        return terminatorBytes;
    }

    /// Returns where string `i` begins in [#bytes]. For `i` = [#count] this is where the last one ends.
    public long start(long i) {
        return isWide ? offsets.get(LONG, i * Long.BYTES) : offsets.get(INT, i * Integer.BYTES);
    }

    /// Returns where the part of string `i` ends that is compared.
    public long end(long i) {
        long end = start(i + 1);
        return terminatorBytes == 0 ? end : Math.max(start(i), end - terminatorBytes);
    }

    /// Returns the byte at a place of [#bytes].
    public byte byteAt(long place) {
        return bytes.get(ValueLayout.JAVA_BYTE, place);
    }

    /// Returns a copy of the part of string `i` that is compared.
    ///
    /// @throws IndexOutOfBoundsException if there is no such string
    public byte[] get(long i) {
        Objects.checkIndex(i, count);
        return bytes.asSlice(start(i), end(i) - start(i)).toArray(ValueLayout.JAVA_BYTE);
    }
}
