/// What `samplesort tune` does: it tries tuning parameters on a GPU, in turns with the best so far.
package io.samplesort.cli.tune;
