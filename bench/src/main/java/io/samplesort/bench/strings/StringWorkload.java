package io.samplesort.bench.strings;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.StringSorter;
import io.samplesort.bench.workload.DevicePermutation;
import io.samplesort.cuda.Owned;
import io.samplesort.testkit.StringInput;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Strings of one input in host and in device memory, and room for their permutation and for a sorted copy.
final class StringWorkload implements AutoCloseable {
    /// CUB's comparison reads words of eight bytes, one beyond the end of the text.
    private static final int BYTES_BEHIND = 16;

    private final Owned owned = new Owned();
    private final Strings strings;
    private final DeviceStrings source;
    private final DeviceStrings target;
    private final DevicePermutation permutation;

    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if the GPU has too little free memory
    StringWorkload(int ordinal, StringInput input, int count, ElementType offsetType, long seed) {
        StringInput.Generated generated = input.generate(count, seed);
        strings = offsetType.equals(ElementType.LONG)
                ? Strings.of(generated.bytes(), generated.offsets())
                : Strings.of(generated.bytes(), narrow(generated.offsets()));
        Device gpu = Device.gpu(ordinal);
        try {
            source = allocate(gpu, offsetType);
            target = allocate(gpu, offsetType);
            permutation = owned.add(new DevicePermutation(gpu, count));
            source.bytes().copyFrom(strings.bytes());
            source.offsets().copyFrom(strings.offsets());
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private static int[] narrow(long[] offsets) {
        return Arrays.stream(offsets).parallel().mapToInt(Math::toIntExact).toArray();
    }

    private DeviceStrings allocate(Device gpu, ElementType offsetType) {
        DeviceMemory bytes =
                owned.add(DeviceMemory.allocate(gpu, strings.bytes().byteSize() + BYTES_BEHIND));
        DeviceMemory offsets =
                owned.add(DeviceMemory.allocate(gpu, strings.offsets().byteSize()));
        return new DeviceStrings(bytes, offsets, offsetType, strings.count());
    }

    /// Returns how many bytes all strings have.
    long textBytes() {
        return strings.bytes().byteSize();
    }

    DeviceStrings source() {
        return source;
    }

    DeviceStrings target() {
        return target;
    }

    DevicePermutation permutation() {
        return permutation;
    }

    SortReport argsortBy(StringSorter sorter) {
        return sorter.argsort(source, permutation.memory());
    }

    SortReport sortedCopyBy(StringSorter sorter) {
        return sorter.sortedCopy(source, target);
    }

    boolean isSorted() {
        return permutation.isSorted((i, j) -> StringOrder.bytes().compare(strings, i, j));
    }

    /// Returns whether the copy has the strings in the order of the permutation, which has been checked.
    boolean isCopied() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(textBytes())]);
        MemorySegment offsets =
                MemorySegment.ofArray(new byte[Math.toIntExact(strings.offsets().byteSize())]);
        target.bytes().copyTo(bytes);
        target.offsets().copyTo(offsets);
        Strings sorted = Strings.of(bytes, offsets, source.offsetType());
        int[] order = permutation.checked();
        return IntStream.range(0, order.length).parallel().allMatch(i -> sameBytes(sorted, i, order[i]));
    }

    private boolean sameBytes(Strings sorted, long i, long j) {
        return MemorySegment.mismatch(
                        sorted.bytes(),
                        sorted.start(i),
                        sorted.end(i),
                        strings.bytes(),
                        strings.start(j),
                        strings.end(j))
                < 0;
    }

    @Override
    public void close() {
        owned.close();
    }
}
