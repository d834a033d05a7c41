/// Bits of keys: integers in the order of floating-point numbers, of signed numbers and of strings of bytes. And what
/// is said of keys that are null.
package io.samplesort.keys;
