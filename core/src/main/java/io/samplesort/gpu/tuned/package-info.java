/// Tuning parameters that were measured on a GPU of this machine, and are kept in the user's cache folder.
package io.samplesort.gpu.tuned;
