package io.samplesort.gpu;

/// The segments of an array in device memory.
///
/// @param offsets     device address of the offsets, one more than there are segments
/// @param offsetBytes bytes of an offset, 4 or 8
/// @param count       how many segments there are
public record DeviceSegments(long offsets, int offsetBytes, long count) {}
