package io.samplesort.spark.task;

import io.samplesort.Device;
import java.util.List;
import java.util.OptionalInt;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/// Where a task sorts: on the GPU that Spark has given it, or on its share of the executor's cores.
///
/// @param gpu     the number of the GPU; empty if the task has none, or is told to use the CPU
/// @param isForced whether it is an error if the GPU cannot be used
/// @param threads how many cores the task has
public record TaskDevice(OptionalInt gpu, boolean isForced, int threads) {
    /// The setting of the application that chooses the device: `auto` (the GPU that Spark has given the task, or the
    /// CPU if there is none or it cannot be used), `cpu`, or `gpu` (a task that cannot use a GPU fails).
    public static final String SETTING = "spark.samplesort.device";

    private static final String RESOURCE = "gpu";

    /// Returns the device of a task.
    ///
    /// @throws IllegalArgumentException if the setting has another value
    /// @throws IllegalStateException    if it demands a GPU and the task has none, or the GPU's address is not a number
    public static TaskDevice of(TaskContext task, SparkConf settings) {
        ResourceInformation gpu = task.resourcesJMap().get(RESOURCE);
        return of(settings.get(SETTING, "auto"), gpu == null ? new String[0] : gpu.addresses(), task.cpus());
    }

    /// @param choice    the value of the setting
    /// @param addresses of the GPUs that the task has
    static TaskDevice of(String choice, String[] addresses, int threads) {
        if (!List.of("auto", "cpu", "gpu").contains(choice)) {
            throw new IllegalArgumentException(SETTING + " is '" + choice + "': use auto, cpu or gpu");
        }
        boolean isForced = choice.equals("gpu");
        if (isForced && addresses.length == 0) {
            throw new IllegalStateException(SETTING + " is gpu, and Spark has given this task no GPU: set"
                    + " spark.executor.resource.gpu.amount and spark.task.resource.gpu.amount");
        }
        boolean isOnCpu = choice.equals("cpu") || addresses.length == 0;
        return new TaskDevice(isOnCpu ? OptionalInt.empty() : OptionalInt.of(number(addresses[0])), isForced, threads);
    }

    private static int number(String address) {
        try {
            return Integer.parseInt(address);
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "the GPU of this task has the address '" + address
                            + "': have the discovery script print the numbers that nvidia-smi counts, from 0",
                    e);
        }
    }

    /// Returns the device in the library's form.
    Device device() {
        return gpu.isPresent() ? Device.gpu(gpu.getAsInt()) : Device.cpu();
    }
}
