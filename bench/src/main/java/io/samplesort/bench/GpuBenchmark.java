package io.samplesort.bench;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.ElementType;
import io.samplesort.Order;
import io.samplesort.SampleSort;
import io.samplesort.SortReport;
import io.samplesort.Sorter;
import io.samplesort.bench.Baselines.Buffers;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Sorts in device memory: ours and CUB's on the same GPU, in the same process, on the same buffers, taking turns.
/// Every repetition starts from a fresh unsorted copy of the input; the copy is not timed. Times are the device's own,
/// between events; for ours also the wall time of a waiting [Sorter#sort]. A result of each contender is checked in
/// full.
final class GpuBenchmark {
    private static final int WARM_UPS = 2;

    /// Small sorts need longer than two runs until the Java code is compiled and the clocks are up.
    private static final long WARM_UP_NANOS = 300_000_000;

    private final int ordinal;
    private final int repetitions;
    private final long seed;
    private final String tuning;
    private final Baselines baselines;
    private final Consumer<Map<String, Object>> results;

    /// @param baselines null where only ours is measured
    GpuBenchmark(
            int ordinal,
            int repetitions,
            long seed,
            String tuning,
            Baselines baselines,
            Consumer<Map<String, Object>> results) {
        this.ordinal = ordinal;
        this.repetitions = repetitions;
        this.seed = seed;
        this.tuning = tuning;
        this.baselines = baselines;
        this.results = results;
    }

    /// Measures all contenders on one input and hands each one's result on.
    ///
    /// @return whether all results were right
    boolean measure(Subject subject, InputDistribution distribution, long count) {
        KeyType type = subject.key();
        long keyBytes = count * type.byteSize();
        long payloadBytes =
                subject.payload() == null ? 0 : count * subject.payload().byteSize();
        try (Arena arena = Arena.ofShared();
                Memories pristine = new Memories(ordinal, keyBytes, payloadBytes);
                Memories work = new Memories(ordinal, keyBytes, payloadBytes)) {
            MemorySegment keys = arena.allocate(keyBytes, 64);
            distribution.fill(keys, type, seed);
            MemorySegment payloads = payloadBytes == 0 ? null : arena.allocate(payloadBytes, 64);
            if (payloads != null) {
                InputDistribution.UNIFORM.fill(payloads, subject.payload(), seed + 1);
            }
            Fingerprint expected = fingerprint(subject, keys, payloads);
            pristine.copyFrom(keys, payloads);
            return measure(subject, distribution, count, pristine, work, keys, payloads, expected);
        }
    }

    private boolean measure(
            Subject subject,
            InputDistribution distribution,
            long count,
            Memories pristine,
            Memories work,
            MemorySegment keys,
            MemorySegment payloads,
            Fingerprint expected) {
        boolean allRight = true;
        try (Context context = Context.retainPrimary(CudaDevice.get(ordinal));
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                Sorter sorter = sorter(subject, false);
                Sorter timedSorter = sorter(subject, true)) {
            Map<Contender, Contender.Run> runs = new LinkedHashMap<>();
            List<DeviceMemory> temporaries = new ArrayList<>();
            runs.put(Contender.OURS, (in, out) -> {
                if (subject.payload() == null) {
                    sorter.sortAsync(out.keys(), count, stream.handle());
                } else {
                    sorter.sortAsync(out.keys(), out.payloads(), count, stream.handle());
                }
            });
            if (baselines != null && subject.hasBaseline()) {
                for (Contender contender : List.of(Contender.CUB_RADIX, Contender.CUB_MERGE)) {
                    int algorithm = contender.algorithm().orElseThrow();
                    long bytes = baselines.temporaryBytes(algorithm, subject, count);
                    DeviceMemory temporary = DeviceMemory.allocate(Device.gpu(ordinal), Math.max(1, bytes));
                    temporaries.add(temporary);
                    runs.put(
                            contender,
                            (in, out) -> baselines.run(
                                    algorithm, subject, temporary.address(), bytes, in, out, count, stream.handle()));
                }
            }
            try {
                Map<Contender, double[]> millis = time(runs, context, stream, pristine, work);
                for (Map.Entry<Contender, Contender.Run> entry : runs.entrySet()) {
                    restore(stream, pristine, work);
                    entry.getValue().enqueue(pristine.buffers(), work.buffers());
                    stream.synchronize();
                    work.copyTo(keys, payloads);
                    boolean isRight = ResultCheck.firstViolation(keys, subject.key(), false)
                                    .isEmpty()
                            && fingerprint(subject, keys, payloads).equals(expected);
                    allRight &= isRight;
                    Map<String, Object> result = new LinkedHashMap<>();
                    result.put("system", entry.getKey().name());
                    result.put("type", subject.toString());
                    result.put("distribution", distribution.toString());
                    result.put("count", count);
                    Statistics.put(result, "device", millis.get(entry.getKey()), count);
                    if (entry.getKey().equals(Contender.OURS)) {
                        addWallTime(result, sorter, timedSorter, stream, pristine, work);
                    }
                    result.put("verified", isRight);
                    results.accept(result);
                }
            } finally {
                temporaries.forEach(DeviceMemory::close);
            }
        }
        return allRight;
    }

    private Map<Contender, double[]> time(
            Map<Contender, Contender.Run> runs, Context context, Stream stream, Memories pristine, Memories work) {
        Map<Contender, double[]> millis = new LinkedHashMap<>();
        runs.keySet().forEach(contender -> millis.put(contender, new double[repetitions]));
        try (Event begin = Event.create(context, true);
                Event end = Event.create(context, true)) {
            long start = System.nanoTime();
            for (int warmUp = 0; warmUp < WARM_UPS || System.nanoTime() - start < WARM_UP_NANOS; warmUp++) {
                for (Contender.Run run : runs.values()) {
                    restore(stream, pristine, work);
                    run.enqueue(pristine.buffers(), work.buffers());
                    stream.synchronize();
                }
            }
            for (int repetition = 0; repetition < repetitions; repetition++) {
                for (Map.Entry<Contender, Contender.Run> entry : runs.entrySet()) {
                    restore(stream, pristine, work);
                    begin.record(stream);
                    entry.getValue().enqueue(pristine.buffers(), work.buffers());
                    end.record(stream);
                    end.synchronize();
                    millis.get(entry.getKey())[repetition] = Event.millisBetween(begin, end);
                }
            }
        }
        return millis;
    }

    private void addWallTime(
            Map<String, Object> result,
            Sorter sorter,
            Sorter timedSorter,
            Stream stream,
            Memories pristine,
            Memories work) {
        double[] wallMillis = new double[repetitions];
        for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
            restore(stream, pristine, work);
            stream.synchronize();
            long start = System.nanoTime();
            work.sortBy(sorter);
            if (repetition >= 0) {
                wallMillis[repetition] = (System.nanoTime() - start) * 1e-6;
            }
        }
        Statistics.put(
                result,
                "wall",
                wallMillis,
                work.keyBytes() / (double) sorter.keyType().byteSize());
        restore(stream, pristine, work);
        stream.synchronize();
        SortReport report = work.sortBy(timedSorter);
        Map<String, Object> phases = new LinkedHashMap<>();
        report.phases().forEach(phase -> phases.put(phase.name(), phase.time().toNanos() * 1e-6));
        result.put("passes", report.passes());
        result.put("phaseMillis", phases);
        result.put("largestBucket", report.largestBucket());
        result.put("extraBytes", report.extraBytes());
    }

    private static void restore(Stream stream, Memories pristine, Memories work) {
        stream.copyOnDevice(work.buffers().keys(), pristine.buffers().keys(), pristine.keyBytes());
        if (pristine.payloadBytes() != 0) {
            stream.copyOnDevice(work.buffers().payloads(), pristine.buffers().payloads(), pristine.payloadBytes());
        }
    }

    private Sorter sorter(Subject subject, boolean timesPhases) {
        Order order = subject.key().isUnsigned() ? Order.unsigned() : Order.natural();
        Sorter.Builder builder =
                SampleSort.onGpu(ordinal).order(order).tuning(tuning).timesPhases(timesPhases);
        if (subject.payload() != null) {
            builder.payload(ElementType.of(subject.payload().layout()));
        }
        return builder.build(ElementType.of(subject.key().layout()));
    }

    private static Fingerprint fingerprint(Subject subject, MemorySegment keys, MemorySegment payloads) {
        return payloads == null
                ? Fingerprint.of(keys, subject.key())
                : Fingerprint.of(keys, subject.key(), payloads, subject.payload());
    }

    /// Keys and payloads in device memory.
    private record Memories(DeviceMemory keys, DeviceMemory payloads) implements AutoCloseable {
        Memories(int ordinal, long keyBytes, long payloadBytes) {
            this(
                    DeviceMemory.allocate(Device.gpu(ordinal), keyBytes),
                    payloadBytes == 0 ? null : DeviceMemory.allocate(Device.gpu(ordinal), payloadBytes));
        }

        Buffers buffers() {
            return new Buffers(keys.address(), payloads == null ? 0 : payloads.address());
        }

        long keyBytes() {
            return keys.byteSize();
        }

        long payloadBytes() {
            return payloads == null ? 0 : payloads.byteSize();
        }

        void copyFrom(MemorySegment keySource, MemorySegment payloadSource) {
            keys.copyFrom(keySource);
            if (payloads != null) {
                payloads.copyFrom(payloadSource);
            }
        }

        void copyTo(MemorySegment keyTarget, MemorySegment payloadTarget) {
            keys.copyTo(keyTarget);
            if (payloads != null) {
                payloads.copyTo(payloadTarget);
            }
        }

        SortReport sortBy(Sorter sorter) {
            return payloads == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
        }

        @Override
        public void close() {
            keys.close();
            if (payloads != null) {
                payloads.close();
            }
        }
    }
}
