package io.samplesort.bench.segments;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.SegmentedSorter;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.measure.Stopwatch;
import io.samplesort.bench.results.TurnOptions;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.bench.workload.ReusedMemory;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Sorts of segments in device memory, ours and CUB's, by turns on one stream. Each run sorts a fresh copy of the
/// input, and one result of each sort is compared with what the JDK makes of it. The offsets are longs for all of them.
/// Times are those of the device's clock; ours waits for its end before the clock stops.
final class DeviceSegmentBenchmark implements AutoCloseable {
    private static final List<Contender> CUB = List.of(Contender.CUB_SEGMENTED, Contender.CUB_SEGMENTED_RADIX);

    private final int ordinal;
    private final String tuning;
    private final TurnOptions turns;
    private final Baselines baselines;
    private final SegmentResults results;
    private final long first;
    private final ReusedMemory memory = new ReusedMemory();

    /// @param first     how many elements of each segment are selected and written elsewhere; 0 if segments are sorted
    /// @param baselines null if only our sort is measured
    DeviceSegmentBenchmark(
            int ordinal, String tuning, TurnOptions turns, long first, Baselines baselines, SegmentResults results) {
        this.ordinal = ordinal;
        this.tuning = tuning;
        this.turns = turns;
        this.first = first;
        this.baselines = baselines;
        this.results = results;
    }

    /// @return whether all results were right
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    boolean measure(SegmentInput input) {
        Subject subject = Subject.ofKeys(input.type());
        long bytes = (long) input.count() * subject.keyBytes();
        Order order = input.type().isUnsigned() ? Order.unsigned() : Order.natural();
        try (Context context = Context.retainPrimary(ordinal);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                ElementBuffers buffers = new ElementBuffers(ordinal, bytes, 0, memory);
                DeviceMemory offsets = offsets(input.offsets());
                SegmentedSorter sorter = SampleSort.onGpu(ordinal)
                        .tuning(tuning)
                        .order(order)
                        .buildSegmented(ElementType.of(input.type().layout()));
                DeviceMemory work =
                        DeviceMemory.wrap(Device.gpu(ordinal), buffers.work().keys(), bytes);
                DeviceMemory temporary = temporary(subject, input);
                FirstTarget target = first == 0 ? null : FirstTarget.of(ordinal, input, first)) {
            buffers.keys().copyFrom(input.keys());
            buffers.upload();
            Map<Contender, Runnable> sorts = new LinkedHashMap<>();
            if (turns.isMeasured(Contender.OURS.name())) {
                sorts.put(Contender.OURS, () -> {
                    stream.synchronize();
                    if (target == null) {
                        sorter.sort(work, offsets, ElementType.LONG);
                    } else {
                        target.select(sorter, work, offsets);
                    }
                });
            }
            for (Contender contender : cubs()) {
                Baselines.Request request = new Baselines.Request(contender, subject, input.count());
                Baselines.Buffers in = new Baselines.Buffers(buffers.pristine().keys(), offsets.address());
                Baselines.Buffers out = new Baselines.Buffers(
                        buffers.work().keys(), input.offsets().segmentCount());
                sorts.put(contender, () -> baselines.run(request, temporary, in, out, stream));
            }
            return measure(context, stream, buffers, input, target, sorts);
        }
    }

    private boolean measure(
            Context context,
            Stream stream,
            ElementBuffers buffers,
            SegmentInput input,
            FirstTarget target,
            Map<Contender, Runnable> sorts) {
        Stopwatch stopwatch = new Stopwatch(context, stream, turns.repetitions(), () -> buffers.restore(stream));
        Map<Contender, double[]> millis = stopwatch.device(sorts);
        boolean allRight = true;
        for (Map.Entry<Contender, Runnable> sort : sorts.entrySet()) {
            buffers.restore(stream);
            sort.getValue().run();
            stream.synchronize();
            buffers.download();
            boolean isRight = target == null ? input.isSorted(buffers.keys()) : target.isRight(input);
            allRight &= isRight;
            Map<String, Object> more = target == null ? Map.of() : Map.of("first", first);
            results.add(sort.getKey().name(), input, millis.get(sort.getKey()), isRight, more);
        }
        return allRight;
    }

    private List<Contender> cubs() {
        return baselines == null || first > 0
                ? List.of()
                : CUB.stream()
                        .filter(contender -> turns.isMeasured(contender.name()))
                        .toList();
    }

    private DeviceMemory temporary(Subject subject, SegmentInput input) {
        long bytes = 1;
        for (Contender contender : cubs()) {
            Baselines.Request request = new Baselines.Request(contender, subject, input.count());
            Baselines.Buffers out = new Baselines.Buffers(0, input.offsets().segmentCount());
            bytes = Math.max(bytes, baselines.temporaryBytes(request, out));
        }
        return DeviceMemory.allocate(Device.gpu(ordinal), bytes);
    }

    private DeviceMemory offsets(SegmentOffsets offsets) {
        long[] copy = new long[Math.toIntExact(offsets.segmentCount() + 1)];
        offsets.copyOffsets(0, copy, 0, copy.length);
        DeviceMemory onDevice = DeviceMemory.allocate(Device.gpu(ordinal), (long) copy.length * Long.BYTES);
        onDevice.copyFrom(MemorySegment.ofArray(copy));
        return onDevice;
    }

    @Override
    public void close() {
        memory.close();
    }
}
