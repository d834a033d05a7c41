/// The exceptions that the library throws in addition to Java's own. All are subclasses of
/// [io.samplesort.errors.SampleSortException].
package io.samplesort.errors;
