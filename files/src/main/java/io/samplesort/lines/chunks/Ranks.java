package io.samplesort.lines.chunks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The place of each line among all lines in order.
final class Ranks {
    private Ranks() {}

    /// Inverts the permutation in place: replaces the index of the line that comes i-th by the place of line i.
    ///
    /// @param permutation of ints
    static void replace(MemorySegment permutation) {
        long count = permutation.byteSize() / Integer.BYTES;
        for (int first = 0; first < count; first++) {
            int value = get(permutation, first);
            if (value < 0) {
                // This is part of a cycle that is done.
                set(permutation, first, ~value);
                continue;
            }
            int place = first;
            for (int line = value; line != first; ) {
                int next = get(permutation, line);
                set(permutation, line, ~place);
                place = line;
                line = next;
            }
            set(permutation, first, place);
        }
    }

    private static int get(MemorySegment permutation, long i) {
        return permutation.get(ValueLayout.JAVA_INT, i * Integer.BYTES);
    }

    private static void set(MemorySegment permutation, long i, int value) {
        permutation.set(ValueLayout.JAVA_INT, i * Integer.BYTES, value);
    }
}
