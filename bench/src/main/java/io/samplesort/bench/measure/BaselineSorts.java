package io.samplesort.bench.measure;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.bench.baselines.Baselines;
import io.samplesort.bench.baselines.Contender;
import io.samplesort.bench.workload.ElementBuffers;
import io.samplesort.cuda.Stream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// CUB's sorts of one workload, with the device memory that they need in addition to the elements. All of them share
/// this memory, because they never run at the same time.
public final class BaselineSorts implements AutoCloseable {
    private final Baselines library;
    private final List<Baselines.Request> requests;
    private final DeviceMemory temporary;

    /// @param library null if only our sort is measured
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if the GPU has too little free memory
    public BaselineSorts(int ordinal, Baselines library, Baselines.Input input, long count) {
        this.library = library;
        requests = library == null
                ? List.of()
                : input.contenders().stream()
                        .map(contender -> new Baselines.Request(contender, input, count))
                        .toList();
        long bytes = requests.stream()
                .mapToLong(request -> library.temporaryBytes(request))
                .max()
                .orElse(0);
        temporary = DeviceMemory.allocate(Device.gpu(ordinal), Math.max(1, bytes));
    }

    /// Returns how each of CUB's sorts is put on the stream.
    public Map<Contender, Runnable> on(ElementBuffers elements, Stream stream) {
        Map<Contender, Runnable> sorts = new LinkedHashMap<>();
        for (Baselines.Request request : requests) {
            sorts.put(
                    request.contender(),
                    () -> library.run(request, temporary, elements.pristine(), elements.work(), stream));
        }
        return sorts;
    }

    @Override
    public void close() {
        temporary.close();
    }
}
