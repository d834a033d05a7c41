package io.samplesort.bench.columns;

import io.samplesort.ColumnSorter;
import io.samplesort.Device;
import io.samplesort.DeviceKeyColumn;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceStrings;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.baselines.Baselines.Buffers;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.IndexBenchmark;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.DevicePermutation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Rows of three key columns in host and in device memory, and room for their permutation and for a column in its
/// order: an i32 descending and an f64, both of 1000 different values, and random printable strings of 8 to 20 bytes.
/// If there are many rows, most are tied in both numbers, so that all three columns matter.
final class ColumnWorkload implements IndexBenchmark.Workload {
    private static final String TITLE = "i32 descending and f64, of 1000 values each, and strings of 8 to 20 bytes";

    private static final int VALUES = 1000;
    private static final int SHORTEST = 8;
    private static final int LONGEST = 20;

    /// CUB's comparison reads words of eight bytes, one beyond the end of the text.
    private static final int BYTES_BEHIND = 16;

    private final Owned owned = new Owned();
    private final Device gpu;
    private final int[] numbers;
    private final double[] amounts;
    private final Strings strings;
    private final DevicePermutation permutation;
    private final DeviceKeyColumn[] columns;
    private final DeviceMemory gathered;
    private final MemorySegment addresses;
    private final ColumnSorter sorter;
    private final ColumnSorter phaseSorter;

    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    ColumnWorkload(GpuOptions options, int count) {
        SplittableRandom random = new SplittableRandom(options.seed());
        gpu = Device.gpu(options.device());
        numbers = random.ints(count, -VALUES / 2, VALUES / 2).toArray();
        // Prices: hundredths have all bits of a double.
        amounts = random.ints(count, 0, VALUES)
                .mapToDouble(cents -> cents / 100.0)
                .toArray();
        strings = strings(random, count);
        try {
            DeviceMemory deviceNumbers = copy(MemorySegment.ofArray(numbers), 0);
            DeviceMemory deviceAmounts = copy(MemorySegment.ofArray(amounts), 0);
            DeviceMemory bytes = copy(strings.bytes(), BYTES_BEHIND);
            DeviceMemory offsets = copy(strings.offsets(), 0);
            permutation = owned.add(new DevicePermutation(gpu, count));
            columns = new DeviceKeyColumn[] {
                DeviceKeyColumn.of(deviceNumbers, ElementType.INT).reversed(),
                DeviceKeyColumn.of(deviceAmounts, ElementType.DOUBLE),
                DeviceKeyColumn.of(new DeviceStrings(bytes, offsets, ElementType.INT, count))
            };
            gathered = owned.add(DeviceMemory.allocate(gpu, deviceAmounts.byteSize()));
            sorter = owned.add(sorter(options, false));
            phaseSorter = owned.add(sorter(options, true));
            addresses = owned.add(Arena.ofShared())
                    .allocateFrom(
                            ValueLayout.JAVA_LONG,
                            deviceNumbers.address(),
                            deviceAmounts.address(),
                            bytes.address(),
                            offsets.address());
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private static Strings strings(SplittableRandom random, int count) {
        int[] offsets = new int[count + 1];
        for (int i = 0; i < count; i++) {
            offsets[i + 1] = Math.addExact(offsets[i], random.nextInt(SHORTEST, LONGEST + 1));
        }
        byte[] bytes = new byte[offsets[count]];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(' ', '~' + 1);
        }
        return Strings.of(bytes, offsets);
    }

    private DeviceMemory copy(MemorySegment source, int bytesBehind) {
        DeviceMemory memory = owned.add(DeviceMemory.allocate(gpu, source.byteSize() + bytesBehind));
        memory.copyFrom(source);
        return memory;
    }

    private static ColumnSorter sorter(GpuOptions options, boolean timesPhases) {
        SorterBuilder builder = SampleSort.onGpu(options.device()).tuning(options.tuning());
        if (timesPhases) {
            builder.timesPhases();
        }
        return builder.buildColumns();
    }

    /// CUB takes the address of the columns' device addresses, in host memory.
    @Override
    public Buffers input() {
        return new Buffers(addresses.address(), 0);
    }

    @Override
    public DevicePermutation permutation() {
        return permutation;
    }

    @Override
    public SortReport argsort() {
        return sorter.argsort(List.of(columns), permutation.memory());
    }

    @Override
    public SortReport argsortInPhases() {
        return phaseSorter.argsort(List.of(columns), permutation.memory());
    }

    @Override
    public boolean isSorted() {
        return permutation.isSorted(this::compare);
    }

    @Override
    public void describe(Map<String, Object> result) {
        result.put("input", TITLE);
        result.put("textBytes", strings.bytes().byteSize());
    }

    /// Measures how long the amounts take to follow the permutation.
    @Override
    public boolean measureMore(Map<String, Object> result, Stopwatch stopwatch, Stream stream) {
        DeviceKeyColumn target = DeviceKeyColumn.of(gathered, ElementType.DOUBLE);
        Statistics.put(
                result,
                "gatherWall",
                stopwatch.wall(() -> sorter.applyPermutation(permutation.memory(), columns[1], target)));
        double[] inOrder = new double[amounts.length];
        gathered.copyTo(MemorySegment.ofArray(inOrder));
        int[] order = permutation.checked();
        return Arrays.equals(
                inOrder, IntStream.of(order).mapToDouble(i -> amounts[i]).toArray());
    }

    private int compare(int i, int j) {
        if (numbers[i] != numbers[j]) {
            return numbers[i] > numbers[j] ? -1 : 1;
        }
        return amounts[i] != amounts[j]
                ? Double.compare(amounts[i], amounts[j])
                : StringOrder.bytes().compare(strings, i, j);
    }

    @Override
    public void close() {
        owned.close();
    }
}
