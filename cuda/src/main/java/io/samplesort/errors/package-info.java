/// The exceptions that the library throws beside Java's own, all of them kinds of
/// [io.samplesort.errors.SampleSortException].
package io.samplesort.errors;
