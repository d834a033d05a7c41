/// Machine code of the kernels: ready-made, from the cache on disk or compiled now, with the tuning of this machine.
package io.samplesort.gpu.cubins;
