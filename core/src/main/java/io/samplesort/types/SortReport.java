package io.samplesort.types;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What one sort did.
///
/// @param device         the device that sorted, by name, such as `gpu:0 NVIDIA H200` or `cpu, 16 threads`
/// @param elementCount   how many elements were sorted
/// @param passes         distribution passes; 0 where the small sort alone was enough
/// @param phases         the phases in the order they ran, with their times
/// @param total          wall time from call to return, transfers included; zero for arrays of at most 4096 numbers
///     that are sorted in less time than it takes to look at the clock twice or are left to the JDK's sort
/// @param bytesMoved     bytes that the phases read and wrote; 0 if they are not counted
/// @param extraBytes     memory allocated in addition to the input, in bytes
/// @param largestBucket  elements in the largest bucket after the last pass; equality buckets do not count
/// @param stages         the stages of the pipeline (transfers, disks, sorts) if elements went through one in parts.
///     The stages work at the same time, so their times overlap.
/// @param exchange       what several GPUs have exchanged, if they sorted together what they held; empty otherwise
/// @param fallbackReason why the CPU sorted though the device was `auto` and a GPU was wanted; empty otherwise
public record SortReport(
        String device,
        long elementCount,
        int passes,
        List<Phase> phases,
        Duration total,
        long bytesMoved,
        long extraBytes,
        long largestBucket,
        List<Stage> stages,
        Optional<Exchange> exchange,
        Optional<String> fallbackReason) {
    /// One phase of a sort.
    ///
    /// @param name what ran: `select_splitters`, `scan_counts`, `scatter`, `small_sort`, `upload`, …
    /// @param time how long it took, summed over the passes
    public record Phase(String name, Duration time) {}

    /// One stage of a pipeline.
    ///
    /// @param name    what it does: `read`, `upload`, `sort`, `download`, `write`
    /// @param bytes   bytes of elements that went through it
    /// @param busy    how long it worked
    /// @param waiting how long it waited for another stage, from its first piece of work to its last
    public record Stage(String name, long bytes, Duration busy, Duration waiting) {
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
    public record Exchange(long storedElements, long copiedElements, List<Long> sizes, List<Long> received) {
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

    /// Copies both lists. Use [SortReportBuilder], whose steps name what they set.
    public SortReport {
        phases = List.copyOf(phases);
        stages = List.copyOf(stages);
    }

    /// Returns the stage that was busy longest, which bounded the run: to sort faster, make this stage faster. Empty if
    /// there was no pipeline.
    public Optional<Stage> bottleneck() {
        return stages.stream().max(Comparator.comparing(Stage::busy));
    }

    /// Returns how many elements were sorted in a second of wall time; 0 for a sort that took no time.
    public double elementsPerSecond() {
        return total.isZero() ? 0 : elementCount / (total.toNanos() * 1e-9);
    }
}
