package io.samplesort.bench.host;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.PinnedSegment;
import java.util.Map;

/// How fast pinned host memory is copied to the GPU and back, which bounds a sort of host memory. It is measured before
/// each benchmark.
///
/// @param upBytesPerSecond   to the device
/// @param downBytesPerSecond from the device
record LinkSpeed(double upBytesPerSecond, double downBytesPerSecond) {
    private static final long MIN_BYTES = 1L << 20;
    private static final long MAX_BYTES = 1L << 30;
    private static final int REPETITIONS = 5;

    /// Measures the link.
    ///
    /// @param largest bytes of the largest sort; the copies are as large, within limits
    static LinkSpeed measure(Device gpu, long largest) {
        long bytes = Math.clamp(largest, MIN_BYTES, MAX_BYTES);
        try (PinnedSegment host = PinnedSegment.allocate(gpu, bytes);
                DeviceMemory device = DeviceMemory.allocate(gpu, bytes)) {
            host.segment().fill((byte) 1);
            return new LinkSpeed(
                    best(bytes, () -> device.copyFrom(host.segment())),
                    best(bytes, () -> device.copyTo(host.segment())));
        }
    }

    private static double best(long bytes, Runnable copy) {
        double best = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            long start = System.nanoTime();
            copy.run();
            best = Math.max(best, bytes / ((System.nanoTime() - start) * 1e-9));
        }
        return best;
    }

    /// Returns the milliseconds of a copy of this many bytes to the GPU and one back, one after the other.
    double millis(long bytes) {
        return (bytes / upBytesPerSecond + bytes / downBytesPerSecond) * 1e3;
    }

    /// Adds both speeds to what results have in common.
    void addTo(Map<String, Object> environment) {
        environment.put("linkUpBytesPerSecond", upBytesPerSecond);
        environment.put("linkDownBytesPerSecond", downBytesPerSecond);
    }
}
