package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.DirectArgsort;
import io.samplesort.cpu.numbers.DirectSort;
import io.samplesort.cpu.segments.ManyArrays;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.gpu.GpuSorter;
import io.samplesort.memory.ArrayRange;
import io.samplesort.types.ElementType;
import io.samplesort.types.KeyColumn;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import io.samplesort.types.SortReport;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sorting by sample sort (N. Leischner, V. Osipov, P. Sanders, "GPU Sample Sort", 2009), on the GPU or on the CPU.
///
/// The methods named `sort` and `argsort` sort arrays, lists and key columns on the best device ([Device#auto]). Any
/// number of threads may call them. Build a [Sorter] if you sort often, if the elements are in memory segments or in
/// device memory, or if a sort is to be stable or to move payloads in another order than the natural one:
///
/// ```java
/// try (Sorter sorter = SampleSort.onBestDevice().order(Order.natural().reversed()).build(ElementType.LONG)) {
///     for (long[] keys : arrays) {
///         sorter.sort(keys);
///     }
/// }
/// ```
public final class SampleSort {
    private SampleSort() {}

    /// Begins to build a sorter on the best device, which is [Device#auto]: the GPU if there is a usable one and the
    /// input is large enough to gain from it, else the CPU.
    public static SorterBuilder onBestDevice() {
        return on(Device.auto());
    }

    /// Begins to build a sorter on all cores of the CPU.
    public static SorterBuilder onCpu() {
        return on(Device.cpu());
    }

    /// Begins to build a sorter on the first GPU.
    public static SorterBuilder onGpu() {
        return onGpu(0);
    }

    /// Begins to build a sorter on the GPU with this number.
    ///
    /// @throws IllegalArgumentException if `ordinal` is negative
    public static SorterBuilder onGpu(int ordinal) {
        return on(Device.gpu(ordinal));
    }

    /// Begins to build a sorter on several GPUs of this host, which sort together; without a number, on all of them. On
    /// one GPU this is the same as [#onGpu(int)]. Two GPUs are faster than one from about 2^29 longs in device memory
    /// on; `docs/performance` has the rates.
    ///
    /// Such a sorter sorts elements in host memory and files, and arrays that lie on its GPUs ([DeviceParts]). What
    /// lies on one of its GPUs is sorted there, as by a sorter for that GPU. Sorters of strings, rows and objects take
    /// one GPU.
    ///
    /// @throws IllegalArgumentException if a number is negative or appears twice
    public static SorterBuilder onGpus(int... ordinals) {
        return on(Device.gpus(ordinals));
    }

    /// Begins to build a sorter on this device.
    public static SorterBuilder on(Device device) {
        return new SorterBuilder(device);
    }

    /// Returns why no GPU can be used, and what to install; empty if one can be used.
    public static Optional<String> gpuUnavailableReason() {
        return GpuSorter.unavailableReason();
    }

    /// Returns which SIMD instructions sorts on the CPU use in this process, as text for people: `AVX-512`, or `AVX2`
    /// or `none` with the reason, and whether there are kernels for text.
    public static String cpuKernels() {
        return CpuSorter.simdInWords();
    }

    /// Gives back all that the one-shot methods of this class, such as `sort`, keep for their next calls: host and
    /// device memory, buffers and loaded kernels. Without this, they keep up to 256 MiB of host memory in all, and on a
    /// GPU also its context, kernels and buffers for transfers. Sorts under way are not disturbed; what they use is
    /// kept. Later sorts make anew what they need.
    ///
    /// Sorters that a [SorterBuilder] has built are not touched.
    public static void release() {
        SharedSorters.release();
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(byte[])] does.
    public static SortReport sort(byte[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(byte[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.BYTE, keys, from, to);
    }

    /// Sorts the whole array in this order: such as `Order.natural().reversed()`, the largest first, or
    /// `Order.unsigned()`.
    ///
    /// @throws IllegalArgumentException if the order is not for keys of this type
    public static SortReport sort(byte[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(short[])] does.
    public static SortReport sort(short[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(short[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.SHORT, keys, from, to);
    }

    /// Sorts the whole array, as [#sort(byte[], Order)] does.
    public static SortReport sort(short[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(char[])] does.
    public static SortReport sort(char[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(char[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.CHAR, keys, from, to);
    }

    /// Sorts the whole array, as [#sort(byte[], Order)] does.
    public static SortReport sort(char[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(int[])] does.
    public static SortReport sort(int[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(int[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.INT, keys, from, to);
    }

    /// Sorts the whole array, as [#sort(byte[], Order)] does.
    public static SortReport sort(int[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(long[])] does.
    public static SortReport sort(long[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(long[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.LONG, keys, from, to);
    }

    /// Sorts the whole array, as [#sort(byte[], Order)] does.
    public static SortReport sort(long[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(float[])] does.
    public static SortReport sort(float[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(float[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.FLOAT, keys, from, to);
    }

    /// Sorts the whole array, as [#sort(byte[], Order)] does.
    public static SortReport sort(float[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the whole array in natural order, as [java.util.Arrays#sort(double[])] does.
    public static SortReport sort(double[] keys) {
        return sort(keys, 0, Objects.requireNonNull(keys, "keys").length);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static SortReport sort(double[] keys, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(keys, "keys").length);
        return SharedSorters.sort(ElementType.DOUBLE, keys, from, to);
    }

    /// Sorts the whole array, as [#sort(byte[], Order)] does.
    public static SortReport sort(double[] keys, Order order) {
        return sortAll(keys, order);
    }

    /// Sorts the keys in natural order and moves payload i along with key i. Equal keys may come in any order.
    ///
    /// @throws IllegalArgumentException if the lengths differ, or both are the same array
    public static SortReport sort(int[] keys, int[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts `keys[from]` to `keys[to - 1]` in natural order and moves payload i along with key i. All else stays where
    /// it is. Equal keys may come in any order.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within both arrays
    /// @throws IllegalArgumentException  if both are the same array
    public static SortReport sort(int[] keys, int[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(int[] keys, long[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(int[] keys, long[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(int[] keys, float[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(int[] keys, float[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(int[] keys, double[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(int[] keys, double[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(long[] keys, int[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(long[] keys, int[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(long[] keys, long[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(long[] keys, long[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(long[] keys, float[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(long[] keys, float[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(long[] keys, double[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(long[] keys, double[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(float[] keys, int[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(float[] keys, int[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(float[] keys, long[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(float[] keys, long[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(float[] keys, float[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(float[] keys, float[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(float[] keys, double[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(float[] keys, double[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(double[] keys, int[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(double[] keys, int[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(double[] keys, long[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(double[] keys, long[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(double[] keys, float[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(double[] keys, float[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Sorts keys with payloads, as [#sort(int[], int[])] does.
    public static SortReport sort(double[] keys, double[] payloads) {
        return sortPairs(keys, payloads);
    }

    /// Sorts a range of keys with payloads, as [#sort(int[], int[], int, int)] does.
    public static SortReport sort(double[] keys, double[] payloads, int from, int to) {
        return sortPairs(keys, payloads, from, to);
    }

    /// Returns the indexes of the keys in natural order, and leaves the keys where they are. Equal keys come in the
    /// order of their indexes. See [Sorter#argsort(MemorySegment)].
    public static int[] argsort(byte[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Returns the indexes of the keys in this order, as [#argsort(byte[])] does in natural order. In a reversed order,
    /// too, equal keys come in the order of their indexes.
    ///
    /// @throws IllegalArgumentException if the order is not for keys of this type
    public static int[] argsort(byte[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Returns the indexes of `keys[from]` to `keys[to - 1]` in natural order, as [#argsort(byte[])] does of all keys.
    /// The indexes count in the whole array: the smallest is `from`.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static int[] argsort(byte[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Writes the indexes of the keys in natural order to `permutation`, as [#argsort(byte[])] returns them.
    ///
    /// @throws IllegalArgumentException if the lengths differ
    public static SortReport argsort(byte[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// As [#argsort(byte[], int[])], into longs.
    public static SortReport argsort(byte[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `short`.
    public static int[] argsort(short[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Does the same as [#argsort(byte[], Order)] for keys of type `short`.
    public static int[] argsort(short[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `short`.
    public static int[] argsort(short[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `short`.
    public static SortReport argsort(short[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `short`, with longs as indexes.
    public static SortReport argsort(short[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `char`.
    public static int[] argsort(char[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Does the same as [#argsort(byte[], Order)] for keys of type `char`.
    public static int[] argsort(char[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `char`.
    public static int[] argsort(char[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `char`.
    public static SortReport argsort(char[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `char`, with longs as indexes.
    public static SortReport argsort(char[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `int`.
    public static int[] argsort(int[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Does the same as [#argsort(byte[], Order)] for keys of type `int`.
    public static int[] argsort(int[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `int`.
    public static int[] argsort(int[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `int`.
    ///
    /// @throws IllegalArgumentException if the lengths differ, or both are the same array
    public static SortReport argsort(int[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `int`, with longs as indexes.
    public static SortReport argsort(int[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `long`.
    public static int[] argsort(long[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Does the same as [#argsort(byte[], Order)] for keys of type `long`.
    public static int[] argsort(long[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `long`.
    public static int[] argsort(long[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `long`.
    public static SortReport argsort(long[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `long`, with longs as indexes.
    ///
    /// @throws IllegalArgumentException if the lengths differ, or both are the same array
    public static SortReport argsort(long[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `float`.
    public static int[] argsort(float[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Does the same as [#argsort(byte[], Order)] for keys of type `float`.
    public static int[] argsort(float[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `float`.
    public static int[] argsort(float[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `float`.
    public static SortReport argsort(float[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `float`, with longs as indexes.
    public static SortReport argsort(float[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[])] for keys of type `double`.
    public static int[] argsort(double[] keys) {
        return argsortAll(keys, Order.natural());
    }

    /// Does the same as [#argsort(byte[], Order)] for keys of type `double`.
    public static int[] argsort(double[] keys, Order order) {
        return argsortAll(keys, order);
    }

    /// Does the same as [#argsort(byte[], int, int)] for keys of type `double`.
    public static int[] argsort(double[] keys, int from, int to) {
        return argsortRange(keys, from, to, Order.natural());
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `double`.
    public static SortReport argsort(double[] keys, int[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Does the same as [#argsort(byte[], int[])] for keys of type `double`, with longs as indexes.
    public static SortReport argsort(double[] keys, long[] permutation) {
        return argsortInto(keys, permutation);
    }

    /// Sorts strings as [java.util.Arrays#sort(Object[])] does, in the order of [String#compareTo]. The sort is stable.
    /// On the heap it takes about 30 bytes for each string and one byte for each character.
    ///
    /// @throws NullPointerException if a string is null; in that case the array is unchanged
    public static SortReport sort(String[] strings) {
        return sort(strings, 0, Objects.requireNonNull(strings, "strings").length);
    }

    /// Sorts `strings[from]` to `strings[to - 1]`, as [#sort(String[])] does.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    /// @throws NullPointerException      if a string is null; in that case the array is unchanged
    public static SortReport sort(String[] strings, int from, int to) {
        Objects.checkFromToIndex(from, to, Objects.requireNonNull(strings, "strings").length);
        return StringArrays.sort(strings, from, to, Comparator.naturalOrder(), Strings::inJavaOrder);
    }

    /// Sorts arrays of bytes as strings: byte by byte as unsigned numbers, and an array before all others that begin
    /// with it, as by [java.util.Arrays#compareUnsigned(byte[], byte[])]. The sort is stable, and moves only the
    /// references.
    ///
    /// @throws NullPointerException if an array is null; in that case `strings` is unchanged
    public static SortReport sort(byte[][] strings) {
        int count = Objects.requireNonNull(strings, "strings").length;
        return StringArrays.sort(strings, 0, count, Arrays::compareUnsigned, Strings::copyOf);
    }

    /// Returns the indexes of the strings in the order of [String#compareTo], and leaves the strings where they are.
    /// Equal strings come in the order of their indexes.
    ///
    /// @throws NullPointerException if a string is null
    public static int[] argsort(String[] strings) {
        return StringArrays.argsort(Objects.requireNonNull(strings, "strings"));
    }

    /// Returns the order of rows by several key columns, the most important first: the index of the row that comes
    /// first, second and so on. Rows whose keys are equal come in the order of their indexes. See [ColumnSorter].
    ///
    /// @throws IllegalArgumentException if there is no column, or the columns have different numbers of rows
    public static int[] argsort(KeyColumn... columns) {
        return SharedSorters.withColumns(sorter -> sorter.argsort(columns));
    }

    /// Sorts objects in their natural order. The sort is stable and gives exactly the result of
    /// [java.util.Arrays#sort(Object[])]. Strings and boxed numbers, recognised when the sort begins, are sorted in the
    /// fast ways for strings and numbers. Other objects are compared, by several threads at a time.
    ///
    /// @throws NullPointerException if an object is null; in that case the array is unchanged
    /// @throws ClassCastException   if two objects cannot be compared; in that case the array is unchanged
    public static <T extends Comparable<? super T>> SortReport sort(T[] objects) {
        return sort(objects, null);
    }

    /// Sorts `objects[from]` to `objects[to - 1]`, as [#sort(Comparable[])] does.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static <T extends Comparable<? super T>> SortReport sort(T[] objects, int from, int to) {
        return sort(objects, from, to, null);
    }

    /// Sorts a list of any kind in the natural order of its elements, as [#sort(Comparable[])] does an array. A list
    /// whose iterators set nothing is sorted by its own [List#sort], as [ObjectSorter#sort(List)] says.
    ///
    /// @throws NullPointerException          if an element is null; in that case the list is unchanged
    /// @throws UnsupportedOperationException if the list cannot be changed; this is found before the sort begins
    /// @throws java.util.ConcurrentModificationException if the list's size has changed during the sort; the list is
    ///     not written to in that case
    public static <T extends Comparable<? super T>> SortReport sort(List<T> objects) {
        return sort(objects, null);
    }

    /// Sorts the objects by [io.samplesort.types.Keys], which is fast, or by any other comparator. The sort is stable
    /// and gives exactly the result of [java.util.Arrays#sort(Object[], Comparator)]. See [ObjectSorter].
    ///
    /// @param order null for natural order. Natural order and [Comparator#reverseOrder] are recognised, and are as fast
    ///     as [#sort(Comparable[])].
    /// @throws NullPointerException if a key is null and the order does not say where nulls come; in that case the
    ///     array is unchanged
    /// @throws ClassCastException   if two objects cannot be compared; in that case the array is unchanged
    public static <T> SortReport sort(T[] objects, @Nullable Comparator<? super T> order) {
        return sort(objects, 0, Objects.requireNonNull(objects, "objects").length, order);
    }

    /// Sorts `objects[from]` to `objects[to - 1]`, as [#sort(Object[], Comparator)] does.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the array
    public static <T> SortReport sort(T[] objects, int from, int to, @Nullable Comparator<? super T> order) {
        return ObjectArrays.sort(objects, from, to, order);
    }

    /// Sorts a list, as [#sort(Object[], Comparator)] does an array.
    ///
    /// @throws UnsupportedOperationException if the list cannot be changed; this is found before the sort begins
    public static <T> SortReport sort(List<T> objects, @Nullable Comparator<? super T> order) {
        return ObjectArrays.sort(objects, order);
    }

    /// Sorts each segment of the array by itself, in natural order and in one call. What is in no segment stays where
    /// it is. Build a [SegmentedSorter] for other types, orders, payloads and permutations.
    ///
    /// @throws IllegalArgumentException if the last offset is greater than the length of the array
    public static SortReport sort(int[] keys, SegmentOffsets segments) {
        return SharedSorters.withSegments(ElementType.INT, sorter -> sorter.sort(keys, segments));
    }

    /// Sorts each segment of the array by itself, as [#sort(int[], SegmentOffsets)] does.
    public static SortReport sort(long[] keys, SegmentOffsets segments) {
        return SharedSorters.withSegments(ElementType.LONG, sorter -> sorter.sort(keys, segments));
    }

    /// Sorts each segment of the array by itself, as [#sort(int[], SegmentOffsets)] does.
    public static SortReport sort(float[] keys, SegmentOffsets segments) {
        return SharedSorters.withSegments(ElementType.FLOAT, sorter -> sorter.sort(keys, segments));
    }

    /// Sorts each segment of the array by itself, as [#sort(int[], SegmentOffsets)] does.
    public static SortReport sort(double[] keys, SegmentOffsets segments) {
        return SharedSorters.withSegments(ElementType.DOUBLE, sorter -> sorter.sort(keys, segments));
    }

    /// Sorts each of the arrays by itself, in natural order, on all cores of the CPU and in one call. This pays if
    /// there are many arrays, of any lengths.
    ///
    /// @param arrays different arrays: if one appears twice, it may lose elements
    /// @throws NullPointerException if an array is null; all are unchanged in that case
    public static SortReport sort(int[][] arrays) {
        return ManyArrays.sort(ElementType.INT, arrays, Parallel.commonParallelism());
    }

    /// Sorts each of the arrays by itself, as [#sort(int[][])] does.
    public static SortReport sort(long[][] arrays) {
        return ManyArrays.sort(ElementType.LONG, arrays, Parallel.commonParallelism());
    }

    /// Sorts each of the arrays by itself, as [#sort(int[][])] does.
    public static SortReport sort(float[][] arrays) {
        return ManyArrays.sort(ElementType.FLOAT, arrays, Parallel.commonParallelism());
    }

    /// Sorts each of the arrays by itself, as [#sort(int[][])] does.
    public static SortReport sort(double[][] arrays) {
        return ManyArrays.sort(ElementType.DOUBLE, arrays, Parallel.commonParallelism());
    }

    /// Returns the `k` keys that come first in natural order, sorted; all keys if there are no more. This takes about
    /// as long as reading the array once. [Selector] does the same in other orders, for other types, for indexes, and
    /// in device memory.
    ///
    /// @throws IllegalArgumentException if `k` is negative
    public static int[] first(int[] keys, int k) {
        return SharedSorters.withSelector(ElementType.INT, selector -> selector.first(keys, k));
    }

    /// Returns the `k` keys that come last in natural order, sorted.
    ///
    /// @throws IllegalArgumentException if `k` is negative
    public static int[] last(int[] keys, int k) {
        return SharedSorters.withSelector(ElementType.INT, selector -> selector.last(keys, k));
    }

    /// Returns the key in the middle of the sorted array, the lower one of two.
    ///
    /// @throws IllegalArgumentException if there are no keys
    public static int median(int[] keys) {
        return SharedSorters.withSelector(ElementType.INT, selector -> selector.median(keys));
    }

    /// Returns quantiles, each of which is one of the keys: that of the nearest rank, as
    /// [ArraySelector#quantiles(byte[], double...)] says.
    ///
    /// @throws IllegalArgumentException if there are quantiles but no keys, or one is not from 0 to 1
    public static int[] quantiles(int[] keys, double... quantiles) {
        return SharedSorters.withSelector(ElementType.INT, selector -> selector.quantiles(keys, quantiles));
    }

    /// Does the same as [#first(int[], int)] for keys of type `long`.
    public static long[] first(long[] keys, int k) {
        return SharedSorters.withSelector(ElementType.LONG, selector -> selector.first(keys, k));
    }

    /// Does the same as [#last(int[], int)] for keys of type `long`.
    public static long[] last(long[] keys, int k) {
        return SharedSorters.withSelector(ElementType.LONG, selector -> selector.last(keys, k));
    }

    /// Does the same as [#median(int[])] for keys of type `long`.
    public static long median(long[] keys) {
        return SharedSorters.withSelector(ElementType.LONG, selector -> selector.median(keys));
    }

    /// Does the same as [#quantiles(int[], double...)] for keys of type `long`.
    public static long[] quantiles(long[] keys, double... quantiles) {
        return SharedSorters.withSelector(ElementType.LONG, selector -> selector.quantiles(keys, quantiles));
    }

    /// Does the same as [#first(int[], int)] for keys of type `float`.
    public static float[] first(float[] keys, int k) {
        return SharedSorters.withSelector(ElementType.FLOAT, selector -> selector.first(keys, k));
    }

    /// Does the same as [#last(int[], int)] for keys of type `float`.
    public static float[] last(float[] keys, int k) {
        return SharedSorters.withSelector(ElementType.FLOAT, selector -> selector.last(keys, k));
    }

    /// Does the same as [#median(int[])] for keys of type `float`.
    public static float median(float[] keys) {
        return SharedSorters.withSelector(ElementType.FLOAT, selector -> selector.median(keys));
    }

    /// Does the same as [#quantiles(int[], double...)] for keys of type `float`.
    public static float[] quantiles(float[] keys, double... quantiles) {
        return SharedSorters.withSelector(ElementType.FLOAT, selector -> selector.quantiles(keys, quantiles));
    }

    /// Does the same as [#first(int[], int)] for keys of type `double`.
    public static double[] first(double[] keys, int k) {
        return SharedSorters.withSelector(ElementType.DOUBLE, selector -> selector.first(keys, k));
    }

    /// Does the same as [#last(int[], int)] for keys of type `double`.
    public static double[] last(double[] keys, int k) {
        return SharedSorters.withSelector(ElementType.DOUBLE, selector -> selector.last(keys, k));
    }

    /// Does the same as [#median(int[])] for keys of type `double`.
    public static double median(double[] keys) {
        return SharedSorters.withSelector(ElementType.DOUBLE, selector -> selector.median(keys));
    }

    /// Does the same as [#quantiles(int[], double...)] for keys of type `double`.
    public static double[] quantiles(double[] keys, double... quantiles) {
        return SharedSorters.withSelector(ElementType.DOUBLE, selector -> selector.quantiles(keys, quantiles));
    }

    /// Returns the indexes of the objects in their natural order, and leaves the objects where they are. Equal objects
    /// come in the order of their indexes. Strings and boxed numbers are recognised, as by [#sort(Comparable[])].
    ///
    /// @throws NullPointerException if an object is null
    /// @throws ClassCastException   if two objects cannot be compared
    public static <T extends Comparable<? super T>> int[] argsort(T[] objects) {
        return argsort(objects, null);
    }

    /// Returns the indexes of the objects in this order, as [ObjectSorter#argsort] does.
    ///
    /// @param order null for natural order, as in [#sort(Object[], Comparator)]
    /// @throws NullPointerException if a key is null and the order does not say where nulls come
    /// @throws ClassCastException   if two objects cannot be compared
    public static <T> int[] argsort(T[] objects, @Nullable Comparator<? super T> order) {
        return ObjectArrays.argsort(Objects.requireNonNull(objects, "objects"), order);
    }

    /// Returns the indexes of the elements of a list in their natural order, as [#argsort(Comparable[])] does. The list
    /// is copied, and need not be one that can be changed.
    ///
    /// @throws NullPointerException if an element is null
    /// @throws ClassCastException   if two elements cannot be compared
    public static <T extends Comparable<? super T>> int[] argsort(List<T> objects) {
        return argsort(objects, null);
    }

    /// Returns the indexes of the elements of a list in this order, as [#argsort(Object[], Comparator)] does.
    ///
    /// @param order null for natural order
    /// @throws NullPointerException if a key is null and the order does not say where nulls come
    /// @throws ClassCastException   if two elements cannot be compared
    public static <T> int[] argsort(List<T> objects, @Nullable Comparator<? super T> order) {
        return ObjectArrays.argsort(Objects.requireNonNull(objects, "objects").toArray(), order);
    }

    /// Returns the `k` objects that come first in natural order, sorted, in a new array, as
    /// [#first(Object[], int, Comparator)] does.
    ///
    /// @throws IllegalArgumentException if `k` is negative
    /// @throws NullPointerException     if an object is null
    /// @throws ClassCastException       if two objects cannot be compared
    public static <T extends Comparable<? super T>> T[] first(T[] objects, int k) {
        return first(objects, k, null);
    }

    /// Returns the `k` objects that come last in natural order, sorted, in a new array, as
    /// [#last(Object[], int, Comparator)] does.
    public static <T extends Comparable<? super T>> T[] last(T[] objects, int k) {
        return last(objects, k, null);
    }

    /// Returns the `k` objects that come first in this order, sorted, in a new array; all objects if there are no more.
    /// For few objects this takes little longer than looking at each of them once. Of equal objects, the one with the
    /// smaller index comes first, as by [ObjectSorter#first(Object[], int)].
    ///
    /// @param order null for natural order
    /// @throws IllegalArgumentException if `k` is negative
    /// @throws NullPointerException     if a key is null that is looked at and the order does not say where nulls come
    /// @throws ClassCastException       if two objects cannot be compared
    public static <T> T[] first(T[] objects, int k, @Nullable Comparator<? super T> order) {
        return ObjectArrays.select(Objects.requireNonNull(objects, "objects"), k, false, order);
    }

    /// Returns the `k` objects that come last in this order, sorted, in a new array, so that the very last one is at
    /// the end, as [#first(Object[], int, Comparator)] does with those that come first.
    public static <T> T[] last(T[] objects, int k, @Nullable Comparator<? super T> order) {
        return ObjectArrays.select(Objects.requireNonNull(objects, "objects"), k, true, order);
    }

    private static SortReport sortAll(Object keys, Order order) {
        int count = NumberArrays.length("keys", keys);
        ElementType type = NumberArrays.type(keys);
        Objects.requireNonNull(order, "order").checkApplicableTo(type);
        return SharedSorters.sort(type, keys, 0, count, order);
    }

    private static SortReport sortPairs(Object keys, Object payloads) {
        int count = NumberArrays.length("keys", keys);
        Segments.requireAsMany(count, NumberArrays.length("payloads", payloads));
        return sortPairs(keys, payloads, 0, count);
    }

    private static SortReport sortPairs(Object keys, Object payloads, int from, int to) {
        Objects.checkFromToIndex(from, to, NumberArrays.length("keys", keys));
        Objects.checkFromToIndex(from, to, NumberArrays.length("payloads", payloads));
        MemorySegment keyRange = new ArrayRange(keys, from, to).segment();
        MemorySegment payloadRange = new ArrayRange(payloads, from, to).segment();
        return SharedSorters.with(
                NumberArrays.type(keys),
                NumberArrays.type(payloads),
                Order.natural(),
                sorter -> sorter.sort(keyRange, payloadRange));
    }

    private static int[] argsortAll(Object keys, Order order) {
        return argsortRange(keys, 0, NumberArrays.length("keys", keys), order);
    }

    private static int[] argsortRange(Object keys, int from, int to, Order order) {
        Objects.checkFromToIndex(from, to, NumberArrays.length("keys", keys));
        ElementType type = NumberArrays.type(keys);
        Objects.requireNonNull(order, "order").checkApplicableTo(type);
        int[] direct = order instanceof NaturalOrder natural && DirectSort.isNatural(type, natural)
                ? DirectArgsort.tryArgsort(
                        keys, from, to, longs -> SharedSorters.sort(ElementType.LONG, longs, 0, longs.length))
                : null;
        return direct != null
                ? direct
                : SharedSorters.with(type, null, order, sorter -> sorter.argsortRange(type, keys, from, to));
    }

    private static SortReport argsortInto(Object keys, Object permutation) {
        ElementType type = NumberArrays.type(Objects.requireNonNull(keys, "keys"));
        return SharedSorters.with(type, null, Order.natural(), sorter -> sorter.argsortInto(type, keys, permutation));
    }
}
