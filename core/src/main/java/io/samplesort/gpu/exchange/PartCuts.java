package io.samplesort.gpu.exchange;

/// How sorted parts of several GPUs are cut into pieces, one of each part for each home. This class has only the
/// arithmetic.
///
/// The pieces of a home, in the order of the parts, have as many elements as the home has. That holds even if the order
/// contradicts itself and the GPUs have found cuts that do not fit together: such cuts are moved until they do.
final class PartCuts {
    /// For each home, and for the end after the last one, the first element of each part that belongs there or to a
    /// later home.
    private final long[][] begins;

    /// @param sizes how many elements each part has, and each home
    /// @param found for each home the first element of each part that belongs there or to a later one; that of the
    ///     first home does not count
    PartCuts(long[] sizes, long[][] found) {
        int parts = sizes.length;
        begins = new long[parts + 1][parts];
        begins[parts] = sizes.clone();
        long place = 0;
        for (int home = 1; home < parts; home++) {
            place += sizes[home - 1];
            long missing = place;
            for (int part = 0; part < parts; part++) {
                begins[home][part] = Math.clamp(found[home][part], begins[home - 1][part], sizes[part]);
                missing -= begins[home][part];
            }
            for (int part = 0; part < parts && missing != 0; part++) {
                long moved = Math.clamp(
                        missing, begins[home - 1][part] - begins[home][part], sizes[part] - begins[home][part]);
                begins[home][part] += moved;
                missing -= moved;
            }
        }
    }

    /// Returns which elements of a part belong to a home.
    Range piece(int part, int home) {
        return new Range(begins[home][part], begins[home + 1][part]);
    }

    /// Returns how many elements of a home are in the pieces of the parts before this one.
    long before(int part, int home) {
        long before = 0;
        for (int other = 0; other < part; other++) {
            before += piece(other, home).count();
        }
        return before;
    }

    /// Returns how many elements of a part belong to the homes of other parts.
    long away(int part) {
        return begins[begins.length - 1][part] - piece(part, part).count();
    }
}
