/// Cuts sorted runs into buckets of a given size, for every sort of more elements than fit at once. This package knows
/// nothing of files or GPUs, and is not for users.
package io.samplesort.runs;
