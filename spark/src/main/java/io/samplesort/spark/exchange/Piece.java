package io.samplesort.spark.exchange;

import java.util.Comparator;

/// A part of a sorted run: what one partition of the result gets from it.
///
/// @param partition of the input, which the run is from
/// @param number    which run of that partition it is
/// @param block     a block that has the elements
/// @param from      where in that block they begin
/// @param count     how many they are
record Piece<B>(int partition, int number, B block, int from, int count) {
    /// The order of the input.
    static final Comparator<Piece<?>> BY_RUN =
            Comparator.<Piece<?>>comparingInt(Piece::partition).thenComparingInt(Piece::number);
}
