/// The innermost steps of the CPU engine: native kernels for numbers, records and text (`core/src/main/cpp`), and what
/// finds, loads and calls them. Where the kernels for numbers cannot be called, the JDK's SIMD sort of ints or a sort
/// by cells takes their place.
package io.samplesort.cpu.leaf;
