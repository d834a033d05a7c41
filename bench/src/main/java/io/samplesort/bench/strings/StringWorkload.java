package io.samplesort.bench.strings;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.StringSorter;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.IndexBenchmark;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.workload.DevicePermutation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.StringInput;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/// Strings of one input in host and in device memory, and room for their permutation, for a sorted copy, and for the
/// different ones with their counts.
final class StringWorkload implements IndexBenchmark.Workload {
    /// CUB's comparison reads words of eight bytes, one beyond the end of the text.
    private static final int BYTES_BEHIND = 16;

    private final Owned owned = new Owned();
    private final StringInput input;
    private final Strings strings;
    private final DeviceStrings source;
    private final DeviceStrings target;
    private final DevicePermutation permutation;
    private final DeviceMemory distinct;
    private final DeviceMemory counts;
    private final StringSorter sorter;
    private final StringSorter phaseSorter;

    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    StringWorkload(GpuOptions options, StringInput input, int count, ElementType offsetType) {
        this.input = input;
        StringInput.Generated generated = input.generate(count, options.seed());
        strings = offsetType.equals(ElementType.LONG)
                ? Strings.of(generated.bytes(), generated.offsets())
                : Strings.of(generated.bytes(), narrow(generated.offsets()));
        Device gpu = Device.gpu(options.device());
        try {
            source = allocate(gpu, offsetType);
            target = allocate(gpu, offsetType);
            permutation = owned.add(new DevicePermutation(gpu, count));
            distinct = owned.add(DeviceMemory.allocate(gpu, (long) count * Integer.BYTES));
            counts = owned.add(DeviceMemory.allocate(gpu, (long) count * Integer.BYTES));
            sorter = owned.add(sorter(options, false));
            phaseSorter = owned.add(sorter(options, true));
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

    private static StringSorter sorter(GpuOptions options, boolean timesPhases) {
        SorterBuilder builder = SampleSort.onGpu(options.device()).tuning(options.tuning());
        if (timesPhases) {
            builder.timesPhases();
        }
        return builder.buildStrings(StringOrder.bytes());
    }

    @Override
    public Buffers input() {
        return new Buffers(source.bytes().address(), source.offsets().address());
    }

    @Override
    public DevicePermutation permutation() {
        return permutation;
    }

    @Override
    public SortReport argsort() {
        return sorter.argsort(source, permutation.memory());
    }

    @Override
    public SortReport argsortInPhases() {
        return phaseSorter.argsort(source, permutation.memory());
    }

    @Override
    public boolean isSorted() {
        return permutation.isSorted((i, j) -> StringOrder.bytes().compare(strings, i, j));
    }

    @Override
    public void describe(Map<String, Object> result) {
        result.put("input", input.title());
        result.put("textBytes", textBytes());
        result.put("offsets", source.offsetType().toString());
    }

    @Override
    public boolean measureMore(Map<String, Object> result, Stopwatch stopwatch, Stream stream) {
        AfterStringSort after = new AfterStringSort(result, stopwatch);
        after.putCopy(
                () -> sorter.sortedCopy(source, target),
                () -> phaseSorter.sortedCopy(source, target),
                () -> stream.copyOnDevice(
                        target.bytes().address(), source.bytes().address(), textBytes()));
        long different = after.putDistinct(() -> sorter.distinct(source, distinct, counts));
        return isCopied() && areDistinct(different);
    }

    private long textBytes() {
        return strings.bytes().byteSize();
    }

    /// Returns whether the different strings are the right ones, in the order of the permutation, which has been
    /// checked.
    private boolean areDistinct(long found) {
        int[] order = permutation.checked();
        int[] firsts = IntStream.range(0, order.length)
                .parallel()
                .filter(i -> i == 0 || StringOrder.bytes().compare(strings, order[i - 1], order[i]) != 0)
                .toArray();
        if (found != firsts.length) {
            return false;
        }
        int[] indexes = new int[firsts.length];
        int[] sizes = new int[firsts.length];
        distinct.copyTo(MemorySegment.ofArray(indexes));
        counts.copyTo(MemorySegment.ofArray(sizes));
        return IntStream.range(0, firsts.length).allMatch(g -> {
            int end = g + 1 < firsts.length ? firsts[g + 1] : order.length;
            return indexes[g] == order[firsts[g]] && sizes[g] == end - firsts[g];
        });
    }

    /// Returns whether the copy has the strings in the order of the permutation, which has been checked.
    private boolean isCopied() {
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
