package io.samplesort.lines.flow;

/// Says that only the first or the last lines in order are wanted.
///
/// @param count  how many; lines that are left out as equal to others do not count
/// @param isLast whether the last ones are wanted
public record LineCut(long count, boolean isLast) {}
