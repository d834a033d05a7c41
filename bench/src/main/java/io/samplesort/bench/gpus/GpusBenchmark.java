package io.samplesort.bench.gpus;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.measure.LinkSpeed;
import io.samplesort.bench.workload.HostElements;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/// The benchmark of sorts of one array on one or several GPUs. Times are wall times from call to return. Sorts of
/// several tunings take turns. The result of the last sort of each is checked in full.
final class GpusBenchmark implements AutoCloseable {
    private final int untimed;
    private final int repetitions;
    private final List<String> tunings;
    private final List<Integer> shares;
    private final long largestBytes;
    private final long seed;
    private final ReusedMemory memory = new ReusedMemory();
    private final Map<List<Integer>, LinkSpeed> links = new HashMap<>();

    /// @param untimed      sorts of each measurement before the timed ones, with all of the Java code that calls the
    ///     GPU
    /// @param repetitions  timed sorts of each measurement
    /// @param tunings      tuning parameters, one or more, which take turns on several GPUs; one GPU takes the first
    /// @param shares       how much of an array in device memory each GPU has, in relation to the others; the GPUs take
    ///     these by turns
    /// @param largestBytes bytes of the largest sort
    GpusBenchmark(
            int untimed, int repetitions, List<String> tunings, List<Integer> shares, long largestBytes, long seed) {
        this.untimed = untimed;
        this.repetitions = repetitions;
        this.tunings = List.copyOf(tunings);
        this.shares = List.copyOf(shares);
        this.largestBytes = largestBytes;
        this.seed = seed;
    }

    /// Measures sorts of `count` elements in all, and returns a result for each tuning.
    ///
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if a GPU has too little free memory
    List<Map<String, Object>> measure(
            List<Integer> ordinals, Place place, Subject subject, InputDistribution distribution, long count) {
        ReusedMemory.Pair host = memory.pair(count * subject.keyBytes(), count * subject.payloadBytes());
        HostElements elements = new HostElements(subject, host.keys(), host.payloads());
        elements.fill(distribution, seed);
        List<TimedSort> sorts = new ArrayList<>();
        try {
            for (String tuning : ordinals.size() == 1 ? tunings.subList(0, 1) : tunings) {
                sorts.add(new TimedSort(subject.sorter(builder(ordinals, tuning)), repetitions));
            }
            List<Boolean> areRight = place == Place.DEVICE
                    ? inDeviceMemory(sorts, ordinals, subject, elements, distribution, count)
                    : inHostMemory(sorts, subject, elements, distribution);
            LinkSpeed transfers = place == Place.HOST
                    ? LinkSpeed.ofArray(ordinals.stream().map(Device::gpu).toList(), elements.keys())
                    : null;
            List<Map<String, Object>> results = new ArrayList<>();
            for (int i = 0; i < sorts.size(); i++) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("system", "samplesort on " + ordinals.size() + (ordinals.size() == 1 ? " GPU" : " GPUs"));
                result.put("gpus", ordinals.size());
                result.put("place", place.toString());
                result.put("type", subject.toString());
                result.put("distribution", distribution.toString());
                result.put("count", count);
                sorts.get(i).addTo(result, count);
                if (place == Place.HOST) {
                    LinkSpeed link = links.computeIfAbsent(ordinals, this::links);
                    link.addTo(result);
                    double millis = ((Number) result.get("wallMillisMedian")).doubleValue();
                    long bytes = count * (subject.keyBytes() + subject.payloadBytes());
                    result.put("timesLink", millis / link.millis(bytes));
                    result.put("arrayUpBytesPerSecond", transfers.upBytesPerSecond());
                    result.put("arrayDownBytesPerSecond", transfers.downBytesPerSecond());
                    result.put("timesArrayTransfers", millis / transfers.millis(bytes));
                }
                result.put("verified", areRight.get(i));
                results.add(result);
            }
            return results;
        } finally {
            sorts.forEach(TimedSort::close);
        }
    }

    private List<Boolean> inDeviceMemory(
            List<TimedSort> sorts,
            List<Integer> ordinals,
            Subject subject,
            HostElements elements,
            InputDistribution distribution,
            long count) {
        try (PartedElements parts = new PartedElements(ordinals, sizes(ordinals.size(), count), subject, elements)) {
            return byTurns(
                    sorts,
                    // Uploading an input again and again would take longer than anything else.
                    parts.keepsInput() ? untimed : Math.min(untimed, 1),
                    parts::restore,
                    sorter -> () -> parts.sortBy(sorter),
                    () -> {
                        boolean isRight = parts.download().isSorted();
                        if (!parts.keepsInput()) {
                            elements.fill(distribution, seed);
                        }
                        return isRight;
                    });
        }
    }

    /// Returns how many of the elements each GPU has.
    private long[] sizes(int gpus, long count) {
        long[] ends = new long[gpus];
        Arrays.setAll(ends, gpu -> (gpu == 0 ? 0 : ends[gpu - 1]) + shares.get(gpu % shares.size()));
        long all = ends[gpus - 1];
        long[] sizes = new long[gpus];
        Arrays.setAll(sizes, gpu -> count * ends[gpu] / all - (gpu == 0 ? 0 : count * ends[gpu - 1] / all));
        return sizes;
    }

    private List<Boolean> inHostMemory(
            List<TimedSort> sorts, Subject subject, HostElements elements, InputDistribution distribution) {
        MemorySegment[] payloads =
                subject.payload() == null ? new MemorySegment[0] : new MemorySegment[] {elements.payloads()};
        return byTurns(
                sorts,
                Math.min(untimed, 1),
                () -> elements.fill(distribution, seed),
                sorter -> () -> sorter.sort(elements.keys(), payloads),
                elements::isSorted);
    }

    /// Sorts by turns, and returns whether the last result of each was right.
    private List<Boolean> byTurns(
            List<TimedSort> sorts,
            int untimedSorts,
            Runnable restore,
            Function<Sorter, Supplier<SortReport>> sort,
            Supplier<Boolean> isRight) {
        List<Boolean> areRight = new ArrayList<>();
        for (int turn = -untimedSorts; turn < repetitions; turn++) {
            for (TimedSort each : sorts) {
                restore.run();
                each.run(sort, turn);
                if (turn == repetitions - 1) {
                    areRight.add(isRight.get());
                }
            }
        }
        return areRight;
    }

    /// Phases of several GPUs are timed by the host, which waits between them anyway. Timing those of one GPU would
    /// take time.
    private static SorterBuilder builder(List<Integer> ordinals, String tuning) {
        return ordinals.size() == 1
                ? SampleSort.onGpu(ordinals.getFirst()).tuning(tuning)
                : SampleSort.onGpus(ordinals.stream().mapToInt(gpu -> gpu).toArray())
                        .tuning(tuning)
                        .timesPhases();
    }

    private LinkSpeed links(List<Integer> ordinals) {
        return LinkSpeed.measure(ordinals.stream().map(Device::gpu).toList(), largestBytes / ordinals.size());
    }

    @Override
    public void close() {
        memory.close();
    }
}
