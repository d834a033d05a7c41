package io.samplesort.gpu.launch;

/// The buckets of the first pass that are divided further and sorted together: those from `begin` to `end`. A launch
/// sees the segments of one group, or all.
///
/// @param number which group, from 0
/// @param place  where its elements begin in the result, if the memory that tiles tell each other in is for one group
///     at a time ([DividingLayout#ofPages]), else 0
public record Group(int number, long begin, long end, long place) {
    /// Makes a group whose elements have memory of their own for what tiles tell each other.
    public Group(int number, long begin, long end) {
        this(number, begin, end, 0);
    }
}
