package io.samplesort.cli.tune;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.Sorter;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/// Measures tunings in the memory of a GPU: two sorts take turns, each with a fresh copy of the same uniform random
/// input, and their medians of the device's time are compared. The result of each tuning is checked once.
public final class TuningTurns implements AutoCloseable {
    private static final int WARM_UPS = 2;

    private final TunedElements elements;
    private final List<Long> sizes;
    private final int repetitions;
    private final Owned owned = new Owned();
    private final Context context;
    private final Stream stream;
    private final DeviceMemory input;
    private final DeviceMemory keys;
    private final DeviceMemory payloads;

    /// The tuning of [#bestSorter]; null before the first comparison.
    private Tuning best;

    private Sorter bestSorter;

    /// @param sizes how many elements are sorted, ascending
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if two copies of the most elements do not fit
    public TuningTurns(int gpu, TunedElements elements, List<Long> sizes, int repetitions) {
        this.elements = elements;
        this.sizes = sizes;
        this.repetitions = repetitions;
        context = owned.add(Context.retainPrimary(gpu));
        try {
            owned.add(context.enter());
            stream = owned.add(Stream.create(context));
            long bytes = sizes.getLast() * elements.key().byteSize();
            input = owned.add(DeviceMemory.allocate(Device.gpu(gpu), bytes));
            keys = owned.add(DeviceMemory.allocate(Device.gpu(gpu), bytes));
            payloads = elements.payload() == null
                    ? null
                    : owned.add(DeviceMemory.allocate(
                            Device.gpu(gpu),
                            sizes.getLast() * elements.payload().byteSize()));
            try (Arena arena = Arena.ofShared()) {
                MemorySegment host = arena.allocate(bytes, Long.BYTES);
                InputDistribution.UNIFORM.fill(host, elements.key(), 1);
                input.copyFrom(host);
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns the default tuning for these elements on this GPU.
    public Tuning byDefault() {
        try (Sorter sorter = elements.sorter(context.device().ordinal(), null)) {
            return sorter.tuning().orElseThrow();
        }
    }

    /// Returns the time of a sort with a tuning, in multiples of one with the best so far: the geometric mean over all
    /// sizes.
    ///
    /// @return empty if the candidate does not fit the GPU
    public OptionalDouble time(Tuning candidate, Tuning bestSoFar) {
        double[][] millis = millis(candidate, bestSoFar);
        return millis == null ? OptionalDouble.empty() : OptionalDouble.of(ratio(millis));
    }

    /// Returns the geometric mean of the ratios of two times.
    ///
    /// @param millis pairs of times
    public static double ratio(double[][] millis) {
        double logarithms = 0;
        for (double[] pair : millis) {
            logarithms += Math.log(pair[0] / pair[1]);
        }
        return Math.exp(logarithms / millis.length);
    }

    /// Returns the median times of both for each size, in milliseconds; null if the candidate does not fit the GPU.
    public double[][] millis(Tuning candidate, Tuning bestSoFar) {
        keepSorterOf(bestSoFar);
        try (Sorter sorter = elements.sorter(context.device().ordinal(), candidate)) {
            check(sorter, candidate);
            return sizes.stream()
                    .map(size -> medians(List.of(sorter, bestSorter), size))
                    .toArray(double[][]::new);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private void keepSorterOf(Tuning tuning) {
        if (!tuning.equals(best)) {
            if (bestSorter != null) {
                bestSorter.close();
            }
            bestSorter = null;
            bestSorter = elements.sorter(context.device().ordinal(), tuning);
            best = tuning;
        }
    }

    private double[] medians(List<Sorter> sorters, long size) {
        double[][] millis = new double[sorters.size()][repetitions];
        try (Event begin = Event.create(context, true);
                Event end = Event.create(context, true)) {
            for (int repetition = -WARM_UPS; repetition < repetitions; repetition++) {
                for (int i = 0; i < millis.length; i++) {
                    restore(size);
                    begin.record(stream);
                    enqueue(sorters.get(i), size);
                    end.record(stream);
                    end.synchronize();
                    if (repetition >= 0) {
                        millis[i][repetition] = Event.millisBetween(begin, end);
                    }
                }
            }
        }
        return Arrays.stream(millis).mapToDouble(TuningTurns::median).toArray();
    }

    private void restore(long size) {
        stream.copyOnDevice(
                keys.address(), input.address(), size * elements.key().byteSize());
    }

    private void enqueue(Sorter sorter, long size) {
        DeviceMemory sorted = keys.slice(0, size * elements.key().byteSize());
        List<DeviceMemory> moved = payloads == null
                ? List.of()
                : List.of(payloads.slice(0, size * elements.payload().byteSize()));
        sorter.sortAsync(sorted, moved, stream.handle());
    }

    /// Checks the result of a tuning for the smallest size.
    private void check(Sorter sorter, Tuning tuning) {
        KeyType type = elements.key();
        long bytes = sizes.getFirst() * type.byteSize();
        restore(sizes.getFirst());
        enqueue(sorter, sizes.getFirst());
        stream.synchronize();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment unsorted = arena.allocate(bytes, Long.BYTES);
            MemorySegment sorted = arena.allocate(bytes, Long.BYTES);
            input.copyTo(unsorted);
            keys.copyTo(sorted);
            if (ResultCheck.firstViolation(sorted, type, false).isPresent()
                    || !Fingerprint.of(sorted, type).equals(Fingerprint.of(unsorted, type))) {
                throw new CommandFailure("the sort of " + elements + " with the tuning " + tuning
                        + " is wrong on this GPU: please report this");
            }
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    @Override
    public void close() {
        if (bestSorter != null) {
            bestSorter.close();
        }
        owned.close();
    }
}
