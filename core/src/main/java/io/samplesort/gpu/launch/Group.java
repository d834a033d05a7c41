package io.samplesort.gpu.launch;

/// The buckets of the first pass that are divided further and sorted together: those from `begin` to just before `end`.
/// A launch sees the segments of one group, or all.
///
/// @param number the number of the group, from 0
/// @param place  where its elements begin in the result, if the groups use the memory for the counts of tiles one after
///     another ([DividingLayout#ofPages]); else 0
public record Group(int number, long begin, long end, long place) {
    /// Makes a group that has its own memory for the counts of tiles.
    public Group(int number, long begin, long end) {
        this(number, begin, end, 0);
    }
}
