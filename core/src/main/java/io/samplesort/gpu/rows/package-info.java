/// Sorts of strings and of rows of several key columns on the device: their keys become words, which are sorted in
/// rounds.
package io.samplesort.gpu.rows;
