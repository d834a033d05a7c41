package io.samplesort.rows;

import io.samplesort.cpu.threads.Parallel;

/// Rows whose keys are equal as far as they have been compared, in groups of two or more. Each group is at neighbouring
/// places of the permutation.
///
/// @param places     the places of these rows in the permutation, ascending; null for all places
/// @param groups     the number of the group of each row, counted from 0; null if all are one group
/// @param count      how many rows there are
/// @param groupCount how many groups there are
record TiedRows(int[] places, int[] groups, int count, int groupCount) {
    static final TiedRows NONE = new TiedRows(null, null, 0, 0);

    /// Returns all rows, before any keys have been compared.
    static TiedRows all(int count) {
        return new TiedRows(null, null, count, Math.min(count, 1));
    }

    /// Says which rows are still equal to the row before, by their places among these rows.
    @FunctionalInterface
    interface Tie {
        /// @param i from 1
        boolean isEqualToTheOneBefore(int i);
    }

    /// Returns how many bits the numbers of the groups need.
    int groupBits() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, groupCount - 1));
    }

    /// Returns how many bits the places among these rows need.
    int placeBits() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1));
    }

    int place(int i) {
        return places == null ? i : places[i];
    }

    int group(int i) {
        return groups == null ? 0 : groups[i];
    }

    /// Returns the rows that are still tied, now that these have been sorted by a further part of their keys.
    TiedRows stillTied(Tie tie, Parallel parallel, int grain) {
        int rangeCount = Math.ceilDiv(count, grain);
        int[] rowOffsets = new int[rangeCount + 1];
        int[] groupOffsets = new int[rangeCount + 1];
        parallel.forRanges(count, grain, (from, to) -> {
            int rows = 0;
            int starts = 0;
            boolean isBound = isBound(tie, (int) from);
            for (int i = (int) from; i < to; i++) {
                boolean isNextBound = isBound(tie, i + 1);
                if (isBound || isNextBound) {
                    rows++;
                    starts += isBound ? 0 : 1;
                }
                isBound = isNextBound;
            }
            int range = (int) (from / grain);
            rowOffsets[range + 1] = rows;
            groupOffsets[range + 1] = starts;
        });
        for (int range = 0; range < rangeCount; range++) {
            rowOffsets[range + 1] += rowOffsets[range];
            groupOffsets[range + 1] += groupOffsets[range];
        }
        int tied = rowOffsets[rangeCount];
        int[] tiedPlaces = new int[tied];
        int[] tiedGroups = new int[tied];
        parallel.forRanges(count, grain, (from, to) -> {
            int range = (int) (from / grain);
            int at = rowOffsets[range];
            int group = groupOffsets[range] - 1;
            boolean isBound = isBound(tie, (int) from);
            for (int i = (int) from; i < to; i++) {
                boolean isNextBound = isBound(tie, i + 1);
                if (isBound || isNextBound) {
                    group += isBound ? 0 : 1;
                    tiedPlaces[at] = place(i);
                    tiedGroups[at++] = group;
                }
                isBound = isNextBound;
            }
        });
        return new TiedRows(tiedPlaces, tiedGroups, tied, groupOffsets[rangeCount]);
    }

    private boolean isBound(Tie tie, int i) {
        return i > 0 && i < count && tie.isEqualToTheOneBefore(i);
    }
}
