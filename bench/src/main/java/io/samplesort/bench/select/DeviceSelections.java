package io.samplesort.bench.select;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Selector;
import io.samplesort.Sorter;
import io.samplesort.bench.measure.GpuOptions;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Selections in device memory, in wall time, since each waits for its end; with the time of each phase.
final class DeviceSelections {
    private final GpuOptions options;
    private final KeyType key;
    private final long count;
    private final ElementType type;

    DeviceSelections(GpuOptions options, KeyType key, long count) {
        this.options = options;
        this.key = key;
        this.count = count;
        this.type = ElementType.of(key.layout());
    }

    /// A selection, by a selector that may time its phases.
    private interface Select {
        SortReport by(Selector selector);
    }

    void measure(List<Long> counts, Consumer<Map<String, Object>> results) {
        long bytes = count * key.byteSize();
        try (Context context = Context.retainPrimary(options.device());
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                DeviceMemory keys = allocate(bytes);
                DeviceMemory sorted = allocate(bytes);
                DeviceMemory order = allocate(count * Integer.BYTES);
                Selector selector = selector(false);
                Selector timed = selector(true);
                Sorter sorter = SampleSort.onGpu(options.device())
                        .order(BenchOrders.of(key))
                        .build(type)) {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment host = arena.allocate(bytes, 64);
                InputDistribution.UNIFORM.fill(host, key, options.seed());
                keys.copyFrom(host);
            }
            sorter.argsort(keys, order);
            Stopwatch stopwatch = new Stopwatch(context, stream, options.repetitions(), () -> {});
            double[] sorts = stopwatch.wall(() -> sorter.sortedCopy(keys, sorted));
            results.accept(new Selection("sort", key, count, "all").result(sorts, true));
            for (long k : counts) {
                try (DeviceMemory first = allocate(k * key.byteSize());
                        DeviceMemory indexes = allocate(k * Integer.BYTES)) {
                    String what = Selection.first(k);
                    add(
                            what,
                            stopwatch,
                            selector,
                            timed,
                            results,
                            each -> each.first(keys, k, first),
                            () -> isSame(first, sorted, 0));
                    add(
                            "arg" + what,
                            stopwatch,
                            selector,
                            timed,
                            results,
                            each -> each.argfirst(keys, k, indexes),
                            () -> isSame(indexes, order, 0));
                }
            }
            try (DeviceMemory median = allocate(key.byteSize())) {
                add(
                        "middle",
                        stopwatch,
                        selector,
                        timed,
                        results,
                        each -> each.nth(keys, count / 2, median),
                        () -> isSame(median, sorted, count / 2 * key.byteSize()));
            }
        }
    }

    private void add(
            String what,
            Stopwatch stopwatch,
            Selector selector,
            Selector timed,
            Consumer<Map<String, Object>> results,
            Select select,
            Supplier<Boolean> isRight) {
        double[] millis = stopwatch.wall(() -> select.by(selector));
        Map<String, Object> result = new Selection("samplesort", key, count, what).result(millis, isRight.get());
        stopwatch.putPhases(result, () -> select.by(timed));
        results.accept(result);
        System.out.println("           " + result.get("phaseMillis") + ", " + result.get("extraBytes") + " bytes more");
    }

    private DeviceMemory allocate(long bytes) {
        return DeviceMemory.allocate(Device.gpu(options.device()), bytes);
    }

    private Selector selector(boolean timesPhases) {
        var builder =
                SampleSort.onGpu(options.device()).tuning(options.tuning()).order(BenchOrders.of(key));
        return (timesPhases ? builder.timesPhases() : builder).buildSelector(type);
    }

    private static boolean isSame(DeviceMemory selected, DeviceMemory all, long from) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment actual = arena.allocate(selected.byteSize());
            MemorySegment expected = arena.allocate(selected.byteSize());
            selected.copyTo(actual);
            all.slice(from, selected.byteSize()).copyTo(expected);
            return actual.mismatch(expected) < 0;
        }
    }
}
