package io.samplesort;

import io.samplesort.types.ElementType;
import java.util.Objects;

/// The methods of a [Selector] for arrays of every primitive type. An array of bytes may also hold records. No method
/// changes its input.
///
/// Arrays are selected from on the CPU, whatever the device of the selector.
public abstract sealed class ArraySelector permits Selector {
    ArraySelector() {}

    /// Returns the `k` keys that come first, in order; all keys if there are no more. With a selector for structs, the
    /// array holds records, and so does the result.
    ///
    /// @throws IllegalArgumentException if `k` is negative, this selector is for other keys or for elements with
    ///     payloads, or the array is no whole number of records
    /// @throws IllegalStateException    if this selector is closed or is selecting already
    public byte[] first(byte[] keys, int k) {
        return (byte[]) selectArray(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Returns the `k` keys that come last, in order, so that the very last one is at the end.
    ///
    /// @throws IllegalArgumentException as by [#first(byte[], int)]
    /// @throws IllegalStateException    if this selector is closed or is selecting already
    public byte[] last(byte[] keys, int k) {
        return (byte[]) selectArray(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Returns the indexes of the `k` keys or records that come first, in the order of these. Of equal ones, the one
    /// with the smaller index comes first.
    ///
    /// @throws IllegalArgumentException as by [#first(byte[], int)]
    /// @throws IllegalStateException    if this selector is closed or is selecting already
    public int[] argfirst(byte[] keys, int k) {
        return argselectArray(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Returns the indexes of the `k` keys or records that come last, in the order of these, as [#argfirst(byte[],
    /// int)] does. Of equal ones, the one with the greater index comes last.
    ///
    /// @throws IllegalArgumentException as by [#first(byte[], int)]
    /// @throws IllegalStateException    if this selector is closed or is selecting already
    public int[] arglast(byte[] keys, int k) {
        return argselectArray(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Returns the key of this rank: that at place `rank`, from 0 on, of the sorted array.
    ///
    /// @throws IndexOutOfBoundsException if there is no such place
    /// @throws IllegalArgumentException  if this selector is for other keys, records among them, or for elements with
    ///     payloads
    /// @throws IllegalStateException     if this selector is closed or is selecting already
    public byte nth(byte[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((byte[]) numbersOfRanks(ElementType.BYTE, keys, rank))[0];
    }

    /// Returns the key in the middle, the lower one of two: the quantile 0.5 of [#quantiles(byte[], double...)].
    ///
    /// @throws IllegalArgumentException if there are no keys, or as by [#nth(byte[], int)]
    /// @throws IllegalStateException    if this selector is closed or is selecting already
    public byte median(byte[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((byte[]) numbersOfRanks(ElementType.BYTE, keys, rank))[0];
    }

    /// Returns quantiles by the rule of the **nearest rank**: the quantile q of n keys is the smallest key such that at
    /// least q · n keys do not come after it, and the quantile 0 is the first key. So each is one of the keys, and
    /// nothing is interpolated. Here q is the decimal number that Java prints: 0.1 is a tenth. Each quantile takes a
    /// pass over the keys.
    ///
    /// @throws IllegalArgumentException if there are quantiles but no keys, one is not from 0 to 1, or as by
    ///     [#first(byte[], int)]
    /// @throws IllegalStateException    if this selector is closed or is selecting already
    public byte[] quantiles(byte[] keys, double... quantiles) {
        return (byte[]) quantilesOfArray(ElementType.BYTE, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Does the same as [#first(byte[], int)] for keys of type `short`.
    public short[] first(short[] keys, int k) {
        return (short[]) selectArray(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#last(byte[], int)] for keys of type `short`.
    public short[] last(short[] keys, int k) {
        return (short[]) selectArray(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#argfirst(byte[], int)] for keys of type `short`.
    public int[] argfirst(short[] keys, int k) {
        return argselectArray(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#arglast(byte[], int)] for keys of type `short`.
    public int[] arglast(short[] keys, int k) {
        return argselectArray(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#nth(byte[], int)] for keys of type `short`.
    public short nth(short[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((short[]) numbersOfRanks(ElementType.SHORT, keys, rank))[0];
    }

    /// Does the same as [#median(byte[])] for keys of type `short`.
    public short median(short[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((short[]) numbersOfRanks(ElementType.SHORT, keys, rank))[0];
    }

    /// Does the same as [#quantiles(byte[], double...)] for keys of type `short`.
    public short[] quantiles(short[] keys, double... quantiles) {
        return (short[]) quantilesOfArray(ElementType.SHORT, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Does the same as [#first(byte[], int)] for keys of type `char`.
    public char[] first(char[] keys, int k) {
        return (char[]) selectArray(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#last(byte[], int)] for keys of type `char`.
    public char[] last(char[] keys, int k) {
        return (char[]) selectArray(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#argfirst(byte[], int)] for keys of type `char`.
    public int[] argfirst(char[] keys, int k) {
        return argselectArray(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#arglast(byte[], int)] for keys of type `char`.
    public int[] arglast(char[] keys, int k) {
        return argselectArray(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#nth(byte[], int)] for keys of type `char`.
    public char nth(char[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((char[]) numbersOfRanks(ElementType.CHAR, keys, rank))[0];
    }

    /// Does the same as [#median(byte[])] for keys of type `char`.
    public char median(char[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((char[]) numbersOfRanks(ElementType.CHAR, keys, rank))[0];
    }

    /// Does the same as [#quantiles(byte[], double...)] for keys of type `char`.
    public char[] quantiles(char[] keys, double... quantiles) {
        return (char[]) quantilesOfArray(ElementType.CHAR, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Does the same as [#first(byte[], int)] for keys of type `int`.
    public int[] first(int[] keys, int k) {
        return (int[]) selectArray(ElementType.INT, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#last(byte[], int)] for keys of type `int`.
    public int[] last(int[] keys, int k) {
        return (int[]) selectArray(ElementType.INT, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#argfirst(byte[], int)] for keys of type `int`.
    public int[] argfirst(int[] keys, int k) {
        return argselectArray(ElementType.INT, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#arglast(byte[], int)] for keys of type `int`.
    public int[] arglast(int[] keys, int k) {
        return argselectArray(ElementType.INT, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#nth(byte[], int)] for keys of type `int`.
    public int nth(int[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((int[]) numbersOfRanks(ElementType.INT, keys, rank))[0];
    }

    /// Does the same as [#median(byte[])] for keys of type `int`.
    public int median(int[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((int[]) numbersOfRanks(ElementType.INT, keys, rank))[0];
    }

    /// Does the same as [#quantiles(byte[], double...)] for keys of type `int`.
    public int[] quantiles(int[] keys, double... quantiles) {
        return (int[]) quantilesOfArray(ElementType.INT, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Does the same as [#first(byte[], int)] for keys of type `long`.
    public long[] first(long[] keys, int k) {
        return (long[]) selectArray(ElementType.LONG, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#last(byte[], int)] for keys of type `long`.
    public long[] last(long[] keys, int k) {
        return (long[]) selectArray(ElementType.LONG, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#argfirst(byte[], int)] for keys of type `long`.
    public int[] argfirst(long[] keys, int k) {
        return argselectArray(ElementType.LONG, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#arglast(byte[], int)] for keys of type `long`.
    public int[] arglast(long[] keys, int k) {
        return argselectArray(ElementType.LONG, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#nth(byte[], int)] for keys of type `long`.
    public long nth(long[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((long[]) numbersOfRanks(ElementType.LONG, keys, rank))[0];
    }

    /// Does the same as [#median(byte[])] for keys of type `long`.
    public long median(long[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((long[]) numbersOfRanks(ElementType.LONG, keys, rank))[0];
    }

    /// Does the same as [#quantiles(byte[], double...)] for keys of type `long`.
    public long[] quantiles(long[] keys, double... quantiles) {
        return (long[]) quantilesOfArray(ElementType.LONG, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Does the same as [#first(byte[], int)] for keys of type `float`.
    public float[] first(float[] keys, int k) {
        return (float[]) selectArray(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#last(byte[], int)] for keys of type `float`.
    public float[] last(float[] keys, int k) {
        return (float[]) selectArray(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#argfirst(byte[], int)] for keys of type `float`.
    public int[] argfirst(float[] keys, int k) {
        return argselectArray(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#arglast(byte[], int)] for keys of type `float`.
    public int[] arglast(float[] keys, int k) {
        return argselectArray(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#nth(byte[], int)] for keys of type `float`.
    public float nth(float[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((float[]) numbersOfRanks(ElementType.FLOAT, keys, rank))[0];
    }

    /// Does the same as [#median(byte[])] for keys of type `float`.
    public float median(float[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((float[]) numbersOfRanks(ElementType.FLOAT, keys, rank))[0];
    }

    /// Does the same as [#quantiles(byte[], double...)] for keys of type `float`.
    public float[] quantiles(float[] keys, double... quantiles) {
        return (float[]) quantilesOfArray(ElementType.FLOAT, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Does the same as [#first(byte[], int)] for keys of type `double`.
    public double[] first(double[] keys, int k) {
        return (double[]) selectArray(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#last(byte[], int)] for keys of type `double`.
    public double[] last(double[] keys, int k) {
        return (double[]) selectArray(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#argfirst(byte[], int)] for keys of type `double`.
    public int[] argfirst(double[] keys, int k) {
        return argselectArray(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), k, false);
    }

    /// Does the same as [#arglast(byte[], int)] for keys of type `double`.
    public int[] arglast(double[] keys, int k) {
        return argselectArray(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), k, true);
    }

    /// Does the same as [#nth(byte[], int)] for keys of type `double`.
    public double nth(double[] keys, int rank) {
        Objects.checkIndex(rank, Objects.requireNonNull(keys, "keys").length);
        return ((double[]) numbersOfRanks(ElementType.DOUBLE, keys, rank))[0];
    }

    /// Does the same as [#median(byte[])] for keys of type `double`.
    public double median(double[] keys) {
        long rank = Ranks.ofQuantile(Ranks.MEDIAN, Objects.requireNonNull(keys, "keys").length);
        return ((double[]) numbersOfRanks(ElementType.DOUBLE, keys, rank))[0];
    }

    /// Does the same as [#quantiles(byte[], double...)] for keys of type `double`.
    public double[] quantiles(double[] keys, double... quantiles) {
        return (double[]) quantilesOfArray(ElementType.DOUBLE, Objects.requireNonNull(keys, "keys"), quantiles);
    }

    /// Returns an array of the first or the last `k` elements of an array of this type.
    abstract Object selectArray(ElementType type, Object array, int k, boolean isLast);

    /// Returns the indexes of the first or the last `k` elements of an array of this type.
    abstract int[] argselectArray(ElementType type, Object array, int k, boolean isLast);

    /// Returns an array of the numbers of these ranks.
    abstract Object numbersOfRanks(ElementType type, Object array, long... ranks);

    /// Returns an array of these quantiles.
    abstract Object quantilesOfArray(ElementType type, Object array, double... quantiles);
}
