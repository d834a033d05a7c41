/// Sorts of lines of text within a given memory: what is to be done, its files, and the steps from the inputs to the
/// result. What finds the order of strings is handed over.
package io.samplesort.lines;
