package io.samplesort.bench.gpus;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.DeviceParts;
import io.samplesort.Sorter;
import io.samplesort.bench.workload.HostElements;
import io.samplesort.bench.workload.Subject;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Stream;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// An array in the memory of one or several GPUs, which have shares of it. The GPUs keep a copy of the input if they
/// have
/// much more memory than that, so that it need not be uploaded for each sort.
final class PartedElements implements AutoCloseable {
    /// A sort on several GPUs takes up to four times its input as extra memory, and there are the input and the copy.
    private static final int TIMES_THE_INPUT = 6;

    private final List<Column> columns = new ArrayList<>();
    private final HostElements elements;
    private boolean isUploaded;

    /// The parts of a column.
    ///
    /// @param inputs copies of the input; none if there is too little memory
    private record Column(List<DeviceMemory> parts, List<DeviceMemory> inputs, MemorySegment host) {
        /// Copies to or from all GPUs at once.
        void copy(boolean isUp) {
            long[] begins = new long[parts.size() + 1];
            Arrays.setAll(
                    begins, i -> i == 0 ? 0 : begins[i - 1] + parts.get(i - 1).byteSize());
            IntStream.range(0, parts.size()).parallel().forEach(i -> {
                MemorySegment slice = host.asSlice(begins[i], parts.get(i).byteSize());
                if (!isUp) {
                    parts.get(i).copyTo(slice);
                } else {
                    (inputs.isEmpty() ? parts : inputs).get(i).copyFrom(slice);
                }
            });
        }

        void restore() {
            for (int i = 0; i < inputs.size(); i++) {
                DeviceMemory part = parts.get(i);
                try (Context context = Context.retainPrimary(part.device().ordinal());
                        Context.Scope scope = context.enter();
                        Stream stream = Stream.create(context)) {
                    stream.copyOnDevice(part.address(), inputs.get(i).address(), part.byteSize());
                    stream.synchronize();
                }
            }
        }
    }

    /// @param sizes the number of elements on each GPU
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if a GPU has too little free memory
    PartedElements(List<Integer> ordinals, long[] sizes, Subject subject, HostElements elements) {
        this.elements = elements;
        long largest = Arrays.stream(sizes).max().orElseThrow() * (subject.keyBytes() + subject.payloadBytes());
        boolean keepsInput = ordinals.stream()
                .allMatch(
                        gpu -> TIMES_THE_INPUT * largest <= CudaDevice.get(gpu).totalBytes());
        try {
            add(ordinals, sizes, subject.keyBytes(), elements.keys(), keepsInput);
            if (subject.payload() != null) {
                add(ordinals, sizes, subject.payloadBytes(), elements.payloads(), keepsInput);
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void add(List<Integer> ordinals, long[] sizes, int bytes, MemorySegment host, boolean keepsInput) {
        Column column = new Column(new ArrayList<>(), new ArrayList<>(), host);
        columns.add(column);
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            Device device = Device.gpu(ordinals.get(gpu));
            long part = sizes[gpu] * bytes;
            column.parts.add(DeviceMemory.allocate(device, part));
            if (keepsInput) {
                column.inputs.add(DeviceMemory.allocate(device, part));
            }
        }
    }

    /// Returns whether the GPUs keep a copy of the input.
    boolean keepsInput() {
        return !columns.getFirst().inputs.isEmpty();
    }

    /// Restores the elements in the order of the input.
    void restore() {
        if (!isUploaded || !keepsInput()) {
            columns.forEach(column -> column.copy(true));
            isUploaded = true;
        }
        columns.forEach(Column::restore);
    }

    /// Copies the elements to host memory, over the input.
    HostElements download() {
        columns.forEach(column -> column.copy(false));
        return elements;
    }

    /// Sorts and waits for the end.
    SortReport sortBy(Sorter sorter) {
        List<DeviceMemory> keys = columns.getFirst().parts;
        List<List<DeviceMemory>> payloads =
                columns.stream().skip(1).map(Column::parts).toList();
        if (keys.size() == 1) {
            return sorter.sort(
                    keys.getFirst(), payloads.stream().map(List::getFirst).toArray(DeviceMemory[]::new));
        }
        return sorter.sort(
                new DeviceParts(keys), payloads.stream().map(DeviceParts::new).toArray(DeviceParts[]::new));
    }

    @Override
    public void close() {
        for (Column column : columns) {
            column.parts.forEach(DeviceMemory::close);
            column.inputs.forEach(DeviceMemory::close);
        }
    }
}
