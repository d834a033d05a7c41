/// GPU engine, host half; the CUDA half lies at the same path under resources.
package io.samplesort.gpu;
