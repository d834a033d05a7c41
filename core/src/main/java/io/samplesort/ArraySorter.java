package io.samplesort;

import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.util.Objects;

/// The methods of a [Sorter] for arrays of numbers. There is one for each primitive type; all do the same.
abstract class ArraySorter {
    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(byte[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(byte[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.BYTE, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(short[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(short[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.SHORT, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(char[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(char[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.CHAR, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(int[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(int[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.INT, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(long[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(long[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.LONG, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(float[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(float[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.FLOAT, keys, from, to);
    }

    /// Sorts the whole array.
    ///
    /// @throws IllegalArgumentException if this sorter is for other keys or for pairs
    /// @throws IllegalStateException    if this sorter is closed or is sorting already
    public SortReport sort(double[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws IllegalArgumentException  if this sorter is for other keys or for pairs
    /// @throws IllegalStateException     if this sorter is closed or is sorting already
    public SortReport sort(double[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return sortRange(ElementType.DOUBLE, keys, from, to);
    }

    /// Sorts the elements `from` to `to - 1` of an array of this type.
    abstract SortReport sortRange(ElementType type, Object array, int from, int to);
}
