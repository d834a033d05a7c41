package io.samplesort;

import java.time.Duration;
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
        Optional<String> fallbackReason) {
    /// One phase of a sort.
    ///
    /// @param name what ran: `select_splitters`, `count_buckets`, `scan_counts`, `scatter`, `small_sort`, `upload`, …
    /// @param time how long it took, summed over the passes
    public record Phase(String name, Duration time) {}

    public SortReport {
        phases = List.copyOf(phases);
    }

    /// Elements sorted a second of wall time; 0 for an empty sort.
    public double elementsPerSecond() {
        return total.isZero() ? 0 : elementCount / (total.toNanos() * 1e-9);
    }

    SortReport withFallbackReason(String reason) {
        return new SortReport(
                device,
                elementCount,
                passes,
                phases,
                total,
                bytesMoved,
                extraBytes,
                largestBucket,
                Optional.of(reason));
    }
}
