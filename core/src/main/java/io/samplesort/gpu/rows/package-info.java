/// Strings and rows of several key columns on the device: their keys as words, sorted in rounds.
package io.samplesort.gpu.rows;
