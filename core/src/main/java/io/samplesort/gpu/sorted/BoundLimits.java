package io.samplesort.gpu.sorted;

/// From which sizes on a search for bounds takes detours that pay. The defaults were measured on an H200.
///
/// @param fewestSorted how many queries and elements there must be, at least, for the queries to be sorted
/// @param partBytes    how many bytes of bounds are written to any of their places at a time, if there are more: so
/// many
///                     stay in the cache until all of them are there
public record BoundLimits(long fewestSorted, long partBytes) {
    /// A search of 2^22 elements reads half of its steps from memory.
    public static final BoundLimits DEFAULT = new BoundLimits(1L << 22, 32L << 20);
}
