/// Compares every call of `SampleSort` with what a Java user would call instead.
package io.samplesort.bench.jdk;
