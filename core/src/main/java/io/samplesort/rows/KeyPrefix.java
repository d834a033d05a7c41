package io.samplesort.rows;

import io.samplesort.types.KeyColumn;

/// A column of one key of objects, or of the first part of it.
///
/// @param isWhole whether objects that are equal in the column are equal in their key
record KeyPrefix(KeyColumn column, boolean isWhole) {}
