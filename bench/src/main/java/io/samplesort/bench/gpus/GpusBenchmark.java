package io.samplesort.bench.gpus;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.bench.measure.LinkSpeed;
import io.samplesort.bench.results.Statistics;
import io.samplesort.bench.workload.HostElements;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The benchmark of sorts of one array on one or several GPUs. Times are wall times from call to return. The result of
/// the last timed run is checked in full.
final class GpusBenchmark implements AutoCloseable {
    private final int repetitions;
    private final String tuning;
    private final long largestBytes;
    private final long seed;
    private final ReusedMemory memory = new ReusedMemory();
    private final Map<List<Integer>, LinkSpeed> links = new HashMap<>();

    /// @param repetitions  timed sorts of each measurement, after one that is not timed
    /// @param largestBytes of the largest sort
    GpusBenchmark(int repetitions, String tuning, long largestBytes, long seed) {
        this.largestBytes = largestBytes;
        this.repetitions = repetitions;
        this.tuning = tuning;
        this.seed = seed;
    }

    /// Measures sorts of `count` elements in all, and returns the result.
    ///
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if a GPU has too little free memory
    Map<String, Object> measure(
            List<Integer> ordinals, Place place, Subject subject, InputDistribution distribution, long count) {
        ReusedMemory.Pair host = memory.pair(count * subject.keyBytes(), count * subject.payloadBytes());
        HostElements elements = new HostElements(subject, host.keys(), host.payloads());
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", "samplesort on " + ordinals.size() + (ordinals.size() == 1 ? " GPU" : " GPUs"));
        result.put("gpus", ordinals.size());
        result.put("place", place.toString());
        result.put("type", subject.toString());
        result.put("distribution", distribution.toString());
        result.put("count", count);
        elements.fill(distribution, seed);
        boolean isRight;
        try (Sorter sorter = subject.sorter(builder(ordinals))) {
            if (place == Place.DEVICE) {
                try (PartedElements parts = new PartedElements(ordinals, subject, count)) {
                    time(result, count, () -> parts.upload(elements), () -> parts.sortBy(sorter));
                    parts.download(elements);
                }
            } else {
                MemorySegment[] payloads =
                        subject.payload() == null ? new MemorySegment[0] : new MemorySegment[] {elements.payloads()};
                time(
                        result,
                        count,
                        () -> elements.fill(distribution, seed),
                        () -> sorter.sort(elements.keys(), payloads));
                LinkSpeed link = links.computeIfAbsent(ordinals, this::links);
                link.addTo(result);
                double millis = ((Number) result.get("wallMillisMedian")).doubleValue();
                result.put("timesLink", millis / link.millis(count * (subject.keyBytes() + subject.payloadBytes())));
            }
            isRight = elements.isSorted();
            sorter.tuning().ifPresent(values -> result.put("tuning", values.parameters()));
        }
        result.put("verified", isRight);
        return result;
    }

    /// Phases of several GPUs are timed by the host, which waits between them anyway. Those of one GPU would take time.
    private SorterBuilder builder(List<Integer> ordinals) {
        return ordinals.size() == 1
                ? SampleSort.onGpu(ordinals.getFirst()).tuning(tuning)
                : SampleSort.onGpus(ordinals.stream().mapToInt(gpu -> gpu).toArray())
                        .tuning(tuning)
                        .timesPhases(true);
    }

    private LinkSpeed links(List<Integer> ordinals) {
        return LinkSpeed.measure(ordinals.stream().map(Device::gpu).toList(), largestBytes / ordinals.size());
    }

    private void time(Map<String, Object> result, long count, Runnable restore, Supplier<SortReport> sort) {
        double[] millis = new double[repetitions];
        SortReport report = null;
        for (int repetition = -1; repetition < repetitions; repetition++) {
            restore.run();
            long start = System.nanoTime();
            report = sort.get();
            if (repetition >= 0) {
                millis[repetition] = (System.nanoTime() - start) * 1e-6;
            }
        }
        Statistics.put(result, "wall", millis, count);
        result.put("device", report.device());
        result.put("extraBytes", report.extraBytes());
        Map<String, Object> phases = new LinkedHashMap<>();
        report.phases().forEach(phase -> phases.put(phase.name(), millis(phase.time())));
        if (!phases.isEmpty()) {
            result.put("phaseMillis", phases);
        }
        report.exchange().ifPresent(exchange -> {
            result.put("storedElements", exchange.storedElements());
            result.put("copiedElements", exchange.copiedElements());
            result.put("received", exchange.received());
            result.put("balance", exchange.balance());
        });
    }

    private static double millis(Duration time) {
        return time.toNanos() * 1e-6;
    }

    @Override
    public void close() {
        memory.close();
    }
}
