/// Bits of keys: integers in the order of floating-point numbers, of signed numbers and of strings of bytes.
package io.samplesort.keys;
