/// What sorts numbers without dividing them among buckets: the JDK's SIMD functions where they can be called, and a
/// sort by cells elsewhere.
package io.samplesort.cpu.leaf;
