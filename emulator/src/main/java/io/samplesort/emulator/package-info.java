/// A CUDA driver and compiler for tests: the kernels run on the CPU, and every access and barrier of theirs is checked.
package io.samplesort.emulator;
