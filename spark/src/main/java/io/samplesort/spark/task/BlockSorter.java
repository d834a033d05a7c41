package io.samplesort.spark.task;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.types.GpuUnavailableException;
import io.samplesort.types.InsufficientDeviceMemoryException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.spark.SparkConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sorts blocks on the device of a task. On a GPU, the tasks of an executor take turns, so that one sort at a time
/// takes
/// its memory. For one thread.
///
/// @param <B> the Java type of a block
public final class BlockSorter<B> {
    /// The setting of the application that limits how many bytes of GPU memory a sort takes. It is needed where several
    /// executors share a GPU. By default, a sort takes all that is free.
    public static final String DEVICE_MEMORY_SETTING = "spark.samplesort.deviceMemory";

    /// With fewer elements, the CPU is as fast as moving them to the GPU and back.
    private static final int GPU_THRESHOLD = 1 << 18;

    private static final Logger LOG = LoggerFactory.getLogger(BlockSorter.class);

    private final BlockType<B> type;
    private final boolean isStable;
    private final TaskDevice device;
    private final long deviceMemory;

    /// @param isStable whether elements with equal keys keep their order
    public BlockSorter(BlockType<B> type, boolean isStable, TaskDevice device, SparkConf settings) {
        this.type = type;
        this.isStable = isStable;
        this.device = device;
        this.deviceMemory = settings.getSizeAsBytes(DEVICE_MEMORY_SETTING, Long.toString(Long.MAX_VALUE));
    }

    /// Sorts the elements of a block where they are.
    ///
    /// @throws InterruptedException if the task is killed while it waits for the GPU
    public void sort(B block) throws InterruptedException {
        List<MemorySegment> columns = type.columns(block);
        if (device.gpu().isEmpty() || (type.count(block) < GPU_THRESHOLD && !device.isForced())) {
            sortOnCpu(columns);
            return;
        }
        try {
            String kind = this + " within " + deviceMemory;
            Gpu.of(device.gpu().getAsInt()).use(kind, this::buildOnGpu, sorter -> sort(sorter, columns));
        } catch (GpuUnavailableException | InsufficientDeviceMemoryException e) {
            if (device.isForced()) {
                throw e;
            }
            LOG.warn("{} cannot be used, so the CPU sorts this block: {}", device.device(), e.getMessage());
            sortOnCpu(columns);
        }
    }

    private void sortOnCpu(List<MemorySegment> columns) {
        try (Sorter sorter = buildOnCpu()) {
            sort(sorter, columns);
        }
    }

    private static void sort(Sorter sorter, List<MemorySegment> columns) {
        sorter.sort(columns.getFirst(), columns.subList(1, columns.size()).toArray(MemorySegment[]::new));
    }

    /// Returns a sorter on this task's cores. The caller closes it.
    public Sorter buildOnCpu() {
        return type.build(options(Device.cpu()).cpuThreads(device.threads()));
    }

    private Sorter buildOnGpu() {
        return type.build(options(device.device()).deviceMemory(deviceMemory));
    }

    private SorterBuilder options(Device on) {
        SorterBuilder builder = SampleSort.on(on);
        return isStable && !type.isAlwaysStable() ? builder.stable() : builder;
    }

    @Override
    public String toString() {
        return (isStable ? "stable sort of " : "sort of ") + type;
    }
}
