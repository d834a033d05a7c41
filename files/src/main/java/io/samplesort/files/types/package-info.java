/// The values that describe a sort of files or of lines of text: columns and conversions of files, plans and listeners,
/// orders of lines and their keys.
@NullMarked
package io.samplesort.files.types;

import org.jspecify.annotations.NullMarked;
