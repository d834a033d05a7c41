/// Operations on sorted arrays in device memory: merges, first elements of runs of equal ones, sets, bounds.
package io.samplesort.gpu.sorted;
