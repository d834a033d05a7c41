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
/// @param total          wall time from call to return, transfers included
/// @param bytesMoved     bytes that the phases read and wrote, where they are counted; else 0
/// @param extraBytes     memory allocated beside the input, in bytes
/// @param largestBucket  elements in the largest bucket after the last pass, equality buckets left out
/// @param stages         the stages of the pipeline, if elements went through one in parts: transfers, disks, sorts;
///     the stages work side by side, so their times overlap
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
        Optional<String> fallbackReason) {
    /// One phase of a sort.
    ///
    /// @param name what ran: `select_splitters`, `count_buckets`, `scan_counts`, `scatter`, `small_sort`, `upload`, …
    /// @param time how long it took, summed over the passes
    public record Phase(String name, Duration time) {}

    /// One stage of a pipeline.
    ///
    /// @param name    what it does: `read`, `upload`, `sort`, `download`, `write`
    /// @param bytes   bytes of elements that went through it
    /// @param busy    how long it worked
    /// @param waiting how long it waited for another stage, from its first piece of work to its last
    public record Stage(String name, long bytes, Duration busy, Duration waiting) {
        /// Bytes a second while it worked; 0 if it never did.
        public double bytesPerSecond() {
            return busy.isZero() ? 0 : bytes / (busy.toNanos() * 1e-9);
        }
    }

    public SortReport {
        phases = List.copyOf(phases);
        stages = List.copyOf(stages);
    }

    /// A report of a sort that went through no pipeline and was not a fallback.
    public SortReport(
            String device,
            long elementCount,
            int passes,
            List<Phase> phases,
            Duration total,
            long bytesMoved,
            long extraBytes,
            long largestBucket) {
        this(
                device,
                elementCount,
                passes,
                phases,
                total,
                bytesMoved,
                extraBytes,
                largestBucket,
                List.of(),
                Optional.empty());
    }

    /// The stage that was busy longest, which bounded the run: to sort faster, make it faster. Empty where there was no
    /// pipeline.
    public Optional<Stage> bottleneck() {
        return stages.stream().max(Comparator.comparing(Stage::busy));
    }

    /// This report of a part of a pipeline, with the stages of all of it.
    public SortReport withStages(List<Stage> stages) {
        return new SortReport(
                device,
                elementCount,
                passes,
                phases,
                total,
                bytesMoved,
                extraBytes,
                largestBucket,
                stages,
                fallbackReason);
    }

    /// Elements sorted a second of wall time; 0 for an empty sort.
    public double elementsPerSecond() {
        return total.isZero() ? 0 : elementCount / (total.toNanos() * 1e-9);
    }

    public SortReport withFallbackReason(String reason) {
        return new SortReport(
                device,
                elementCount,
                passes,
                phases,
                total,
                bytesMoved,
                extraBytes,
                largestBucket,
                stages,
                Optional.of(reason));
    }
}
