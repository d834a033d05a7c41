package io.samplesort;

import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.util.Objects;

/// The methods of a [Sorter] for arrays of numbers. There is one for each primitive type; all do the same.
abstract class ArraySorter {
    /// Sorts the whole array: the bytes, or with a sorter for structs the records that they hold.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads, or the array is
    ///     no whole number of records
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(byte[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`, or with a sorter for structs the records that these bytes hold.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads, or the range
    ///     is no whole number of records
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(byte[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.BYTE, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(short[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(short[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.SHORT, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(char[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(char[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.CHAR, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(int[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(int[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.INT, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(long[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(long[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.LONG, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(float[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(float[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.FLOAT, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(double[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(double[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.DOUBLE, keys, from, to);
    }

    /// Returns the indexes of the keys in order, as [Sorter#argsort(java.lang.foreign.MemorySegment)] does, or with a
    /// sorter for structs those of the records that the bytes hold.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads, or the array is
    ///     no whole number of records
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public int[] argsort(byte[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Returns the indexes of `keys[from]` to `keys[to - 1]` in order, as [#argsort(byte[])] does of all keys. The
    /// indexes count in the whole array: the smallest is `from`, or of records `from` divided by their size.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for elements with payloads, or the range
    ///     begins or ends within a record
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public int[] argsort(byte[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.BYTE, keys, from, to);
    }

    /// Writes the indexes of the keys in order to `permutation`, as [#argsort(byte[])] returns them.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for elements with payloads, the lengths
    ///     differ, or both are the same array
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport argsort(byte[] keys, int[] permutation) {
        return argsortInto(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// As [#argsort(byte[], int[])], into longs.
    public SortReport argsort(byte[] keys, long[] permutation) {
        return argsortInto(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `short`.
    public int[] argsort(short[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `short`.
    public int[] argsort(short[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.SHORT, keys, from, to);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `short`.
    public SortReport argsort(short[] keys, int[] permutation) {
        return argsortInto(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `short`, with longs as indexes.
    public SortReport argsort(short[] keys, long[] permutation) {
        return argsortInto(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `char`.
    public int[] argsort(char[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `char`.
    public int[] argsort(char[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.CHAR, keys, from, to);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `char`.
    public SortReport argsort(char[] keys, int[] permutation) {
        return argsortInto(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `char`, with longs as indexes.
    public SortReport argsort(char[] keys, long[] permutation) {
        return argsortInto(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `int`.
    public int[] argsort(int[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `int`.
    public int[] argsort(int[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.INT, keys, from, to);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `int`.
    public SortReport argsort(int[] keys, int[] permutation) {
        return argsortInto(ElementType.INT, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `int`, with longs as indexes.
    public SortReport argsort(int[] keys, long[] permutation) {
        return argsortInto(ElementType.INT, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `long`.
    public int[] argsort(long[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `long`.
    public int[] argsort(long[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.LONG, keys, from, to);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `long`.
    public SortReport argsort(long[] keys, int[] permutation) {
        return argsortInto(ElementType.LONG, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `long`, with longs as indexes.
    public SortReport argsort(long[] keys, long[] permutation) {
        return argsortInto(ElementType.LONG, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `float`.
    public int[] argsort(float[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `float`.
    public int[] argsort(float[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.FLOAT, keys, from, to);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `float`.
    public SortReport argsort(float[] keys, int[] permutation) {
        return argsortInto(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `float`, with longs as indexes.
    public SortReport argsort(float[] keys, long[] permutation) {
        return argsortInto(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `double`.
    public int[] argsort(double[] keys) {
        return argsort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `double`.
    public int[] argsort(double[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return argsortRange(ElementType.DOUBLE, keys, from, to);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `double`.
    public SortReport argsort(double[] keys, int[] permutation) {
        return argsortInto(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `double`, with longs as indexes.
    public SortReport argsort(double[] keys, long[] permutation) {
        return argsortInto(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), permutation);
    }

    /// Sorts the elements `from` to `to - 1` of an array of this type.
    abstract SortReport sortRange(ElementType type, Object array, int from, int to);

    /// Returns the indexes of the elements `from` to `to - 1` of an array of this type, counted in the whole array.
    abstract int[] argsortRange(ElementType type, Object array, int from, int to);

    /// Writes the indexes of all elements of an array of this type to `permutation`, an array of ints or longs.
    abstract SortReport argsortInto(ElementType type, Object array, Object permutation);
}
