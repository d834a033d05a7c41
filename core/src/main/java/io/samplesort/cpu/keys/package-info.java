/// Sort keys on the CPU: the bits of an element that an order looks at ([SortKey]), and comparisons of elements by
/// their indexes.
package io.samplesort.cpu.keys;
