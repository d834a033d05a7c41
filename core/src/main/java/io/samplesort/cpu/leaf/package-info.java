/// What sorts the few numbers that fit a core's caches: the JDK's SIMD sort where it can be called, `Arrays.sort`
/// elsewhere.
package io.samplesort.cpu.leaf;
