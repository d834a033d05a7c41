/// Sorts by lanes on several threads: distribution passes, merges of sorted runs, and counting.
package io.samplesort.cpu.passes;
