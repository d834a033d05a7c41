/// Sorted lines in files: runs in temporary files, and merges of them.
package io.samplesort.lines.runs;
