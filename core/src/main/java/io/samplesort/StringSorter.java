package io.samplesort;

import io.samplesort.gpu.strings.DeviceText;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Sorts strings of any length. [SorterBuilder#buildStrings] makes one. All sorts are stable: equal strings come in the
/// order of their indexes.
///
/// A sorter sorts for one thread at a time. Any number of sorters may work at once.
public final class StringSorter implements AutoCloseable {
    private final StringOrder order;
    private final StringEngines engines;

    StringSorter(StringOrder order, StringEngines engines) {
        this.order = order;
        this.engines = engines;
    }

    /// Returns the order of the strings.
    public StringOrder order() {
        return order;
    }

    /// Finds the order of fewer than 2^31 strings and leaves them where they are: afterwards `permutation[i]` is the
    /// index of the string that comes i-th in sorted order.
    ///
    /// @throws IllegalArgumentException if the permutation is not as long as there are strings
    public SortReport argsort(Strings strings, int[] permutation) {
        if (permutation.length != strings.count()) {
            throw new IllegalArgumentException(
                    "the permutation has room for " + permutation.length + " of " + strings.count() + " strings");
        }
        return engines.argsort(
                strings,
                MemorySegment.ofArray(permutation),
                Integer.BYTES,
                () -> engines.cpu().argsort(strings, permutation));
    }

    /// Returns the order of fewer than 2^31 strings, as [#argsort(Strings, int[])] finds it, in a new array.
    ///
    /// @throws IllegalArgumentException if there are more
    public int[] argsort(Strings strings) {
        if (strings.count() > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException(strings.count()
                    + " strings: their permutation does not fit an int[], hand over a segment of longs");
        }
        int[] permutation = new int[(int) strings.count()];
        argsort(strings, permutation);
        return permutation;
    }

    /// Finds the order of strings in device memory and leaves them where they are, as [#argsort(Strings, int[])] does.
    ///
    /// @param permutation room for as many ints or longs as there are strings, in the memory of the same GPU
    /// @throws IllegalArgumentException if the permutation has another size, or is the memory of the strings or of
    ///     another GPU, or if offsets decrease or lie beyond the bytes
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport argsort(DeviceStrings strings, DeviceMemory permutation) {
        DeviceText text = strings.text();
        permutation.requireOpen();
        DeviceChecks.checkApart("permutation", permutation, "bytes", strings.bytes());
        DeviceChecks.checkApart("permutation", permutation, "offsets", strings.offsets());
        // Memory cannot be empty, so that of no strings has any size.
        int indexBytes = text.count() == 0 || permutation.byteSize() == text.count() * Integer.BYTES
                ? Integer.BYTES
                : Long.BYTES;
        if (text.count() > 0 && permutation.byteSize() != text.count() * indexBytes) {
            throw new IllegalArgumentException(
                    "the permutation has " + permutation.byteSize() + " bytes, and there are " + text.count()
                            + " strings: it must have room for as many ints or longs");
        }
        return engines.gpuFor(strings.bytes(), permutation).argsortOnDevice(text, permutation.address(), indexBytes);
    }

    /// Writes a sorted copy of strings in device memory: all bytes from the first byte of the target on, and offsets
    /// that begin with 0.
    ///
    /// @param target as many strings in memory of the same GPU, with room for all bytes of the source
    /// @throws IllegalArgumentException if the target has another count, too little room or memory of another GPU or of
    ///     the source, or if offsets decrease or lie beyond the bytes
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    public SortReport sortedCopy(DeviceStrings source, DeviceStrings target) {
        DeviceText from = source.text();
        DeviceText to = target.text();
        if (from.count() != to.count()) {
            throw new IllegalArgumentException("the source has " + from.count() + " strings and the target "
                    + to.count() + ": both must have as many");
        }
        for (DeviceMemory memory : List.of(target.bytes(), target.offsets())) {
            DeviceChecks.checkApart("target", memory, "source", source.bytes());
            DeviceChecks.checkApart("target", memory, "source", source.offsets());
        }
        return engines.gpuFor(source.bytes(), target.bytes()).sortedCopyOnDevice(from, to);
    }

    /// Returns whether strings in device memory are in order.
    ///
    /// @throws IllegalArgumentException if offsets decrease or lie beyond the bytes
    /// @throws IllegalStateException    if memory is closed, or this sorter is for the CPU
    public boolean isSorted(DeviceStrings strings) {
        DeviceText text = strings.text();
        return engines.gpuFor(strings.bytes()).orderedCount(text) == text.count();
    }

    /// Gives everything back. A second call does nothing.
    @Override
    public void close() {
        engines.close();
    }
}
