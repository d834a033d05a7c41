/// Benchmarks of the sorts against CUB's, the JDK's and fastutil's.
package io.samplesort.bench;
