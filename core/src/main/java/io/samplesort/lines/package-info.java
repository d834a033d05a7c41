/// Sorts of lines of text within a given memory: chunks of lines, their keys as strings of bytes, sorted runs in
/// temporary files, and their merge. What finds the order of strings is handed over.
package io.samplesort.lines;
