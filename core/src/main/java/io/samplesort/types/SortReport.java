package io.samplesort.types;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What one sort did. Only the library makes reports, and a later version may tell more in them.
public interface SortReport {
    /// Returns the name of the device that sorted, such as `gpu:0 NVIDIA H200` or `cpu, 16 threads`.
    String device();

    /// Returns how many elements were sorted.
    long elementCount();

    /// Returns how many distribution passes there were; 0 where the small sort alone was enough.
    int passes();

    /// Returns the phases in the order they ran, with their times.
    List<Phase> phases();

    /// Returns the wall time from call to return, transfers included; zero for arrays of at most 4096 elements that are
    /// sorted in less time than it takes to look at the clock twice or are left to the JDK's sort.
    Duration total();

    /// Returns how many bytes the phases read and wrote; 0 if they are not counted.
    long bytesMoved();

    /// Returns how many bytes of memory the sort took in addition to the input: device memory on a GPU, heap and native
    /// memory on the CPU, and both where a sort takes both.
    long extraBytes();

    /// Returns how many elements the largest bucket had after the last pass; equality buckets do not count.
    long largestBucket();

    /// Returns the stages of the pipeline (transfers, disks, sorts) if elements went through one in parts. The stages
    /// work at the same time, so their times overlap.
    List<Stage> stages();

    /// Returns what several GPUs have exchanged, if they sorted together what they held; empty otherwise.
    Optional<Exchange> exchange();

    /// Returns why the CPU sorted though the device was `auto` and a GPU was wanted; empty otherwise.
    Optional<String> fallbackReason();

    /// One phase of a sort.
    ///
    /// @param name what ran: `select_splitters`, `scan_counts`, `scatter`, `small_sort`, `upload`, …
    /// @param time how long it took, summed over the passes
    record Phase(String name, Duration time) {}

    /// One stage of a pipeline.
    ///
    /// @param name    what it does: `read`, `upload`, `sort`, `download`, `write`
    /// @param bytes   bytes of elements that went through it
    /// @param busy    how long it worked
    /// @param waiting how long it waited for another stage, from its first piece of work to its last
    record Stage(String name, long bytes, Duration busy, Duration waiting) {
        /// Returns how many bytes went through it in a second of work; 0 if it never worked.
        public double bytesPerSecond() {
            return busy.isZero() ? 0 : bytes / (busy.toNanos() * 1e-9);
        }
    }

    /// What several GPUs have exchanged in one sort.
    ///
    /// @param storedElements elements that kernels of one GPU have stored directly to the memory of another one, or
    ///     loaded from there
    /// @param copiedElements elements that have been copied from one GPU to another: those around the borders between
    ///     GPUs, and all that leave a GPU that cannot access the memory of all others. Between GPUs that cannot access
    ///     each other's memory, copies go through host memory.
    /// @param sizes    how many elements each GPU has, before the sort and after it
    /// @param received how many elements each GPU has received and sorted, including those that it had before
    record Exchange(long storedElements, long copiedElements, List<Long> sizes, List<Long> received) {
        /// Copies both lists.
        public Exchange {
            sizes = List.copyOf(sizes);
            received = List.copyOf(received);
        }

        /// Returns the most that a GPU has received, as a multiple of what it has: 1 if each received as many as it
        /// has, and the number of GPUs if one of several equal GPUs received all.
        public double balance() {
            double most = 0;
            for (int gpu = 0; gpu < sizes.size(); gpu++) {
                most = Math.max(most, received.get(gpu) / (double) Math.max(1, sizes.get(gpu)));
            }
            return most;
        }
    }

    /// Returns the stage that was busy longest, which bounded the run: to sort faster, make this stage faster. Empty if
    /// there was no pipeline.
    default Optional<Stage> bottleneck() {
        return stages().stream().max(Comparator.comparing(Stage::busy));
    }

    /// Returns how many elements were sorted in a second of wall time; 0 for a sort that took no time.
    default double elementsPerSecond() {
        return total().isZero() ? 0 : elementCount() / (total().toNanos() * 1e-9);
    }
}
