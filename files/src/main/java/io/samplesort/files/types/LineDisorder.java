package io.samplesort.files.types;

import java.nio.file.Path;

/// A line that is out of order.
///
/// @param file where it was found
/// @param line its number, counted from 1
/// @param text its bytes without the terminator
@SuppressWarnings("ArrayRecordComponent")
public record LineDisorder(Path file, long line, byte[] text) {}
