package io.samplesort.spark.task;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.SorterBuilder;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import java.util.function.Function;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a sorter of the library on the device of a task. On a GPU, the tasks of an executor take turns, so that one
/// sort at a time takes its memory. Only one thread may use it.
///
/// @param <S> the sorter
public final class TaskSorter<S extends AutoCloseable> {
    /// The setting of the application that limits how many bytes of GPU memory a sort takes. It is needed if several
    /// executors share a GPU. By default, a sort takes all that is free.
    public static final String DEVICE_MEMORY_SETTING = "spark.samplesort.deviceMemory";

    /// With fewer elements, the CPU sorts as fast as they move to the GPU and back.
    private static final int GPU_THRESHOLD = 1 << 18;

    private static final Logger LOG = LoggerFactory.getLogger(TaskSorter.class);

    private final String kind;
    private final Function<SorterBuilder, S> build;
    private final TaskDevice device;
    private final long deviceMemory;
    private long waitedNanos;

    /// @param kind  what is sorted, in words; sorters of the same kind are interchangeable
    /// @param build builds a sorter on the device that was chosen
    public TaskSorter(String kind, Function<SorterBuilder, S> build, TaskDevice device, SparkConf settings) {
        this.kind = kind;
        this.build = build;
        this.device = device;
        this.deviceMemory = settings.getSizeAsBytes(DEVICE_MEMORY_SETTING, Long.toString(Long.MAX_VALUE));
    }

    /// Returns whether this many elements are sorted on a GPU, as long as it can be used.
    public boolean usesGpu(long count) {
        return device.gpu().isPresent() && (count >= GPU_THRESHOLD || device.isForced());
    }

    /// Returns how long sorts have waited for other tasks of the executor so far.
    public long waitedNanos() {
        return waitedNanos;
    }

    /// Runs a sort of this many elements, and returns its result. If the GPU cannot be used and need not be, the CPU
    /// sorts.
    ///
    /// @throws InterruptedException if the task is killed while it waits for the GPU
    public <R> R use(long count, Function<S, R> sort) throws InterruptedException {
        if (usesGpu(count)) {
            try {
                return Gpu.of(device.gpu().getAsInt())
                        .use(nanos -> waitedNanos += nanos, kind + " within " + deviceMemory, this::buildOnGpu, sort);
            } catch (GpuUnavailableException | InsufficientDeviceMemoryException e) {
                if (device.isForced()) {
                    throw e;
                }
                LOG.warn("{} cannot be used, so the CPU sorts: {}", device.device(), e.getMessage());
            }
        }
        S sorter = buildOnCpu();
        try {
            return sort.apply(sorter);
        } finally {
            close(sorter);
        }
    }

    /// Returns a sorter on this task's cores. The caller closes it.
    public S buildOnCpu() {
        return build.apply(SampleSort.on(Device.cpu()).cpuThreads(device.threads()));
    }

    private S buildOnGpu() {
        return build.apply(SampleSort.on(device.device()).deviceMemory(deviceMemory));
    }

    static void close(AutoCloseable sorter) {
        try {
            sorter.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a sorter could not be closed", e);
        }
    }
}
