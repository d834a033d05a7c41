/// Machine code of the kernels: ready-made, from the cache on disk or compiled now, and loaded.
package io.samplesort.gpu.cubins;
