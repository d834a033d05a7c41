/// The exceptions that the library throws in addition to Java's own. All are subclasses of
/// [io.samplesort.errors.SampleSortException].
@NullMarked
package io.samplesort.errors;

import org.jspecify.annotations.NullMarked;
