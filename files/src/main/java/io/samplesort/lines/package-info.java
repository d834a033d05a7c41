/// Sorts of lines of text within a given memory: the job, its files, and the steps from the inputs to the result. The
/// caller provides the sorter of strings.
package io.samplesort.lines;
