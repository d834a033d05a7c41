/// Rows of several key columns on the device: their keys as words, or as strings of bytes.
package io.samplesort.gpu.columns;
