package io.samplesort.gpu.inplace;

/// Neighbouring segments that are divided further and sorted together.
///
/// @param lastSegment the one behind the last
/// @param begin       the first place of the array that they take
/// @param count       their elements
record Region(int firstSegment, int lastSegment, long begin, long count) {
    long end() {
        return begin + count;
    }
}
