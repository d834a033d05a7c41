/// Sorts of strings on the device: rounds of sorts of words, and copies in another order.
package io.samplesort.gpu.strings;
