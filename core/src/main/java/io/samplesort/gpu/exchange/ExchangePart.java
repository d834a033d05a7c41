package io.samplesort.gpu.exchange;

/// The part of an array that lies on one GPU.
///
/// @param columns device addresses of its columns, the keys first
/// @param count   how many elements it has; may be 0
public record ExchangePart(long[] columns, long count) {}
