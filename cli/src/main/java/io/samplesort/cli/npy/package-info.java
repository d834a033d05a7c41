/// NumPy's files of arrays: their headers, the types of their elements, and how those are turned into what a sort
/// compares.
package io.samplesort.cli.npy;
