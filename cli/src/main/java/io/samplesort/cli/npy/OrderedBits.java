package io.samplesort.cli.npy;

import io.samplesort.files.types.FileConversion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// Turns fields as NumPy stores them into unsigned numbers of the same size and order, one to one, and back: numbers
/// with their bytes in the other order, small floating-point numbers, times.
///
/// @param elementBytes the size of an element
/// @param fields       the fields to convert
/// @param isForStrings whether the unsigned numbers are stored with the most significant byte first, so that they
///     compare as strings of bytes; otherwise it comes last
record OrderedBits(int elementBytes, List<NpyField> fields, boolean isForStrings) implements FileConversion {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// Returns whether the pieces of a field are not stored as unsigned numbers in this order of bytes already.
    static boolean isNeeded(NpyField field, boolean isForStrings) {
        boolean isUnsigned = field.kind() == NpyField.Kind.UNSIGNED || field.kind() == NpyField.Kind.TRUTH;
        return !isUnsigned || field.pieceBytes() > 1 && field.isBigEndian() != isForStrings;
    }

    @Override
    public void afterReading(MemorySegment elements) {
        for (NpyField field : fields) {
            long sign = sign(field);
            forPieces(elements, field, at -> {
                long bits = bits(elements, at, field.pieceBytes(), field.isBigEndian());
                setBits(elements, at, field.pieceBytes(), isForStrings, ordered(field.kind(), bits, sign));
            });
        }
    }

    @Override
    public void beforeWriting(MemorySegment elements) {
        for (NpyField field : fields) {
            long sign = sign(field);
            forPieces(elements, field, at -> {
                long bits = bits(elements, at, field.pieceBytes(), isForStrings);
                setBits(elements, at, field.pieceBytes(), field.isBigEndian(), stored(field.kind(), bits, sign));
            });
        }
    }

    private interface PieceWork {
        void on(long at);
    }

    private void forPieces(MemorySegment elements, NpyField field, PieceWork work) {
        for (long element = 0; element < elements.byteSize(); element += elementBytes) {
            for (int piece = 0; piece < field.count(); piece++) {
                work.on(element + field.offset() + (long) piece * field.pieceBytes());
            }
        }
    }

    private static long sign(NpyField field) {
        return 1L << (field.pieceBytes() * Byte.SIZE - 1);
    }

    /// Returns how many NaNs have a sign. Mirrored, they are the lowest values of all, and move past zero to the end.
    private static long negativeNans(long sign) {
        int exponentBits = sign == 1L << 15 ? 5 : sign == 1L << 31 ? 8 : 11;
        return (sign >>> exponentBits) - 1;
    }

    private static long ordered(NpyField.Kind kind, long bits, long sign) {
        return switch (kind) {
            case SIGNED -> bits ^ sign;
            case TIME -> (bits ^ sign) - 1;
            case FLOAT -> ((bits & sign) == 0 ? bits ^ sign : ~bits) - negativeNans(sign);
            case UNSIGNED, TRUTH, UNORDERED -> bits;
        };
    }

    /// Undoes [#ordered]. Bits above those of the piece do not matter.
    private static long stored(NpyField.Kind kind, long bits, long sign) {
        return switch (kind) {
            case SIGNED -> bits ^ sign;
            case TIME -> (bits + 1) ^ sign;
            case FLOAT -> {
                long mirrored = bits + negativeNans(sign);
                yield (mirrored & sign) == 0 ? ~mirrored : mirrored ^ sign;
            }
            case UNSIGNED, TRUTH, UNORDERED -> bits;
        };
    }

    private static long bits(MemorySegment elements, long at, int bytes, boolean isBigEndian) {
        return switch (bytes) {
            case 1 -> elements.get(ValueLayout.JAVA_BYTE, at);
            case 2 -> isBigEndian ? Short.reverseBytes(elements.get(SHORT, at)) : elements.get(SHORT, at);
            case 4 -> isBigEndian ? Integer.reverseBytes(elements.get(INT, at)) : elements.get(INT, at);
            default -> isBigEndian ? Long.reverseBytes(elements.get(LONG, at)) : elements.get(LONG, at);
        };
    }

    private static void setBits(MemorySegment elements, long at, int bytes, boolean isBigEndian, long bits) {
        switch (bytes) {
            case 1 -> elements.set(ValueLayout.JAVA_BYTE, at, (byte) bits);
            case 2 -> elements.set(SHORT, at, isBigEndian ? Short.reverseBytes((short) bits) : (short) bits);
            case 4 -> elements.set(INT, at, isBigEndian ? Integer.reverseBytes((int) bits) : (int) bits);
            default -> elements.set(LONG, at, isBigEndian ? Long.reverseBytes(bits) : bits);
        }
    }
}
