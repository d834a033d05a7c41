/// An application: the sort benchmark's 100-byte records, generated, sorted and validated.
package io.samplesort.spark.terasort;
