/// Machine code that was compiled before: what the engine asks for, and what the artifact `samplesort-kernels` answers.
package io.samplesort.gpu.ready;
