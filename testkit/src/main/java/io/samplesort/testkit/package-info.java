/// Inputs and checks that tests, the command and the benchmarks share.
package io.samplesort.testkit;
