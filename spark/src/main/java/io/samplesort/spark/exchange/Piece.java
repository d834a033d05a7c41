package io.samplesort.spark.exchange;

import java.util.Comparator;

/// The part of a sorted run that one partition of the result gets.
///
/// @param partition the partition of the input that the run is from
/// @param number    which run of that partition it is
/// @param block     a block that has the elements
/// @param from      where in that block they begin
/// @param count     how many there are
record Piece<B>(int partition, int number, B block, int from, int count) {
    /// The order of the input.
    static final Comparator<Piece<?>> BY_RUN =
            Comparator.<Piece<?>>comparingInt(Piece::partition).thenComparingInt(Piece::number);
}
