package io.samplesort.spark.exchange;

import java.io.Serializable;

/// Sorted elements of one partition of the input. Runs are numbered in the order of the input: first by partition, then
/// by number.
///
/// @param partition the partition of the input
/// @param number    which run of that partition it is, from 0
/// @param block     the elements, in order
public record Run<B>(int partition, int number, B block) implements Serializable {
    private static final long serialVersionUID = 1;
}
