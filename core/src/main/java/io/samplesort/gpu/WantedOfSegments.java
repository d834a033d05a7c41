package io.samplesort.gpu;

/// Which elements of each segment in device memory are wanted, and where they go.
///
/// @param most    how many of each segment; a shorter one gives all that it has
/// @param isLast  whether the last ones are wanted, and not the first
/// @param offsets device address of room for the offsets of the results: as many as the segments have, of as many bytes
/// @param target  device address of room for the elements or their indexes
/// @param room    how many of them there is room for
public record WantedOfSegments(long most, boolean isLast, long offsets, long target, long room) {}
