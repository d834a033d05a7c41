package io.samplesort.keys;

/// The message about wrong offsets of strings, in host and device memory alike. Offset `i` says where string `i` begins
/// and where the one before it ends.
public final class StringOffsets {
    private StringOffsets() {}

    /// Returns whether an offset is less than the one before it, or beyond the bytes.
    ///
    /// @param before the offset before this one; 0 for the first
    public static boolean isWrong(long offset, long before, long byteCount) {
        return offset < before || offset > byteCount;
    }

    /// Returns the error that names a wrong offset.
    ///
    /// @param number which offset it is
    /// @param before the offset before this one; 0 for the first
    public static IllegalArgumentException error(long number, long offset, long before, long byteCount) {
        String is = "offset " + number + " is " + offset;
        if (offset >= before) {
            return new IllegalArgumentException(
                    is + ", and there are " + byteCount + " bytes: offsets must not be greater than that");
        }
        return new IllegalArgumentException(
                number == 0
                        ? is + ": offsets must not be negative"
                        : is + " and the one before it " + before + ": offsets must not decrease");
    }
}
