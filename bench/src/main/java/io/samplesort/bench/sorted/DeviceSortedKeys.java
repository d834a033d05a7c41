package io.samplesort.bench.sorted;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SortedOperations;
import io.samplesort.Sorter;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.baselines.SortedBaselines;
import io.samplesort.bench.baselines.SortedBaselines.Operation;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.Statistics;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Operations on sorted keys in device memory, ours and Thrust's, by turns on one stream. Times are those of the
/// device's clock; an operation that returns a number of elements waits for it before the clock stops. One result of
/// each is compared with that of the CPU engine.
final class DeviceSortedKeys implements AutoCloseable {
    private static final Contender THRUST = Contender.named("thrust");
    private static final int DISTINCT_BITS = 20;

    private final KeyType key;
    private final long count;
    private final int repetitions;
    private final int ordinal;
    /// Null if only ours are measured.
    private final SortedBaselines baselines;
    private final Owned owned = new Owned();
    private final Context context;
    private final Stream stream;
    private final SortedOperations onGpu;
    private final SortedOperations onCpu;
    private final Arena arena;
    private final DeviceMemory out;
    private final DeviceMemory numbers;
    private final MemorySegment hostOut;
    private final MemorySegment hostNumbers;

    DeviceSortedKeys(GpuOptions options, KeyType key, long count) {
        this.ordinal = options.device();
        this.key = key;
        this.count = count;
        this.repetitions = options.repetitions();
        this.baselines = options.sortedBaselines();
        context = owned.add(Context.retainPrimary(ordinal));
        owned.add(context.enter());
        stream = owned.add(Stream.create(context));
        ElementType type = ElementType.of(key.layout());
        onGpu = owned.add(SampleSort.onGpu(ordinal).stream(stream.handle())
                .tuning(options.tuning())
                .order(Order.unsigned())
                .buildSortedOperations(type));
        onCpu = owned.add(SampleSort.onCpu().order(Order.unsigned()).buildSortedOperations(type));
        arena = owned.add(Arena.ofShared());
        out = owned.add(allocate(2 * bytes()));
        numbers = owned.add(allocate(count * Integer.BYTES));
        hostOut = arena.allocate(2 * bytes(), 64);
        hostNumbers = arena.allocate(count * Integer.BYTES, 64);
    }

    private long bytes() {
        return count * key.byteSize();
    }

    private DeviceMemory allocate(long bytes) {
        return DeviceMemory.allocate(Device.gpu(ordinal), bytes);
    }

    /// Keys in both memories.
    private record Keys(MemorySegment onHost, DeviceMemory onDevice) {}

    /// @param mask which bits of random numbers the keys have
    private Keys keys(long seed, long mask, boolean isSorted) {
        MemorySegment onHost = arena.allocate(bytes(), 64);
        InputDistribution.UNIFORM.fill(onHost, key, seed);
        for (long at = 0; at < onHost.byteSize() && mask != -1; at += key.byteSize()) {
            if (key.byteSize() == Integer.BYTES) {
                onHost.set(ValueLayout.JAVA_INT, at, onHost.get(ValueLayout.JAVA_INT, at) & (int) mask);
            } else {
                onHost.set(ValueLayout.JAVA_LONG, at, onHost.get(ValueLayout.JAVA_LONG, at) & mask);
            }
        }
        DeviceMemory onDevice = owned.add(allocate(bytes()));
        onDevice.copyFrom(onHost);
        if (isSorted) {
            try (Sorter sorter =
                    SampleSort.onGpu(ordinal).order(Order.unsigned()).build(ElementType.of(key.layout()))) {
                sorter.sort(onDevice);
            }
            onDevice.copyTo(onHost);
        }
        return new Keys(onHost, onDevice);
    }

    /// One of our operations. It returns how many elements come out.
    private interface Ours {
        long run();
    }

    /// @return whether all results were right
    boolean measure(Consumer<Map<String, Object>> results) {
        Keys first = keys(1, -1, true);
        Keys second = keys(2, -1, true);
        Keys few = keys(3, (1L << DISTINCT_BITS) - 1, true);
        Keys queries = keys(4, -1, false);
        boolean isRight = measure(
                "merge",
                Operation.MERGE,
                first,
                second,
                () -> onGpu.merge(List.of(first.onDevice, second.onDevice), out).elementCount(),
                () -> onCpu.merge(List.of(first.onHost, second.onHost), hostOut).elementCount(),
                results);
        isRight &= measure(
                "unique, 2^20 values",
                Operation.UNIQUE,
                few,
                null,
                () -> onGpu.unique(few.onDevice, out),
                () -> onCpu.unique(few.onHost, hostOut),
                results);
        isRight &= measure(
                "counts, 2^20 values",
                Operation.COUNTS,
                few,
                null,
                () -> onGpu.counts(few.onDevice, out, ElementType.INT, numbers),
                () -> onCpu.counts(few.onHost, hostOut, ElementType.INT, hostNumbers),
                results);
        isRight &= measure(
                "lower bounds of random queries",
                Operation.LOWER_BOUNDS,
                first,
                queries,
                () -> onGpu.lowerBounds(first.onDevice, queries.onDevice, numbers)
                        .elementCount(),
                () -> onCpu.lowerBounds(first.onHost, queries.onHost, hostNumbers)
                        .elementCount(),
                results);
        isRight &= measure(
                "lower bounds of sorted queries",
                Operation.LOWER_BOUNDS,
                first,
                second,
                () -> onGpu.lowerBounds(first.onDevice, second.onDevice, numbers)
                        .elementCount(),
                () -> onCpu.lowerBounds(first.onHost, second.onHost, hostNumbers)
                        .elementCount(),
                results);
        isRight &= measure(
                "union",
                Operation.UNION,
                first,
                second,
                () -> onGpu.union(first.onDevice, second.onDevice, out),
                () -> onCpu.union(first.onHost, second.onHost, hostOut),
                results);
        isRight &= measure(
                "intersection",
                Operation.INTERSECTION,
                first,
                second,
                () -> onGpu.intersection(first.onDevice, second.onDevice, out),
                () -> onCpu.intersection(first.onHost, second.onHost, hostOut),
                results);
        return isRight;
    }

    private boolean measure(
            String what,
            Operation operation,
            Keys first,
            Keys second,
            Ours ours,
            Ours onHost,
            Consumer<Map<String, Object>> results) {
        Map<Contender, Ours> runs = new LinkedHashMap<>();
        runs.put(Contender.OURS, ours);
        if (baselines != null) {
            SortedBaselines.Arrays arrays = new SortedBaselines.Arrays(
                    first.onDevice.address(),
                    count,
                    second == null ? 0 : second.onDevice.address(),
                    second == null ? 0 : count,
                    out.address(),
                    numbers.address());
            runs.put(THRUST, () -> baselines.run(operation, key.ordinal(), arrays, stream));
        }
        Map<Contender, Runnable> timed = new LinkedHashMap<>();
        runs.forEach((contender, run) -> timed.put(contender, run::run));
        Map<Contender, double[]> millis = new Stopwatch(context, stream, repetitions, () -> {}).device(timed);
        long expected = onHost.run();
        boolean allRight = true;
        for (Map.Entry<Contender, Ours> run : runs.entrySet()) {
            boolean isRight = isRight(run.getValue(), operation, expected);
            allRight &= isRight;
            double[] times = millis.get(run.getKey());
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("system", run.getKey().name());
            result.put("type", key.toString());
            result.put("count", count);
            result.put("what", what);
            Statistics.put(result, "device", times, count);
            long written = expected
                    * ((hasKeys(operation) ? key.byteSize() : 0) + (hasNumbers(operation) ? Integer.BYTES : 0));
            long bytes = (second == null ? bytes() : 2 * bytes()) + written;
            result.put("gigabytesPerSecond", bytes / Statistics.median(times) * 1e-6);
            result.put("verified", isRight);
            results.accept(result);
        }
        return allRight;
    }

    /// Runs an operation on memory that holds no result, and compares what it writes.
    private boolean isRight(Ours run, Operation operation, long expected) {
        stream.fill(out.address(), (byte) 0, out.byteSize());
        stream.fill(numbers.address(), (byte) 0, numbers.byteSize());
        stream.synchronize();
        if (run.run() != expected) {
            return false;
        }
        stream.synchronize();
        return (!hasKeys(operation) || isSame(out, hostOut, expected * key.byteSize()))
                && (!hasNumbers(operation) || isSame(numbers, hostNumbers, expected * Integer.BYTES));
    }

    private static boolean hasKeys(Operation operation) {
        return operation != Operation.LOWER_BOUNDS;
    }

    private static boolean hasNumbers(Operation operation) {
        return operation == Operation.LOWER_BOUNDS || operation == Operation.COUNTS;
    }

    private static boolean isSame(DeviceMemory actual, MemorySegment expected, long bytes) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment copy = arena.allocate(Math.max(1, bytes));
            if (bytes > 0) {
                actual.slice(0, bytes).copyTo(copy.asSlice(0, bytes));
            }
            return MemorySegment.mismatch(copy, 0, bytes, expected, 0, bytes) < 0;
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
