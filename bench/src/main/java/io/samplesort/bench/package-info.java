/// The benchmark command, which measures samplesort against CUB, the JDK, fastutil and other programs. Its packages,
/// from the bottom to the top: `results` (options, statistics and the files of results), `baselines` (CUB), `workload`
/// (what is sorted, and the memory it lies in), `measure` (timing in device memory), then one package for each thing
/// that is measured, and `plot`, which draws the results.
package io.samplesort.bench;
