/// What every sort of more than fits at once has in common: where to cut sorted runs into buckets of a given size, and
/// memory for them.
/// Knows nothing of files or GPUs. Not for users.
package io.samplesort.runs;
