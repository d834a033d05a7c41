/// A CUDA driver and compiler for tests: the kernels run on the CPU, and all their accesses and barriers are checked.
package io.samplesort.emulator;
