package io.samplesort.bench;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.PinnedSegment;

/// How fast pinned host memory goes to the GPU and back, measured here and now: what bounds a sort of host memory.
///
/// @param upBytesPerSecond   to the device
/// @param downBytesPerSecond from the device
record LinkSpeed(double upBytesPerSecond, double downBytesPerSecond) {
    private static final long BYTES = 1L << 30;
    private static final int REPETITIONS = 5;

    /// @param bytes of each copy; less than [#BYTES] where there is not that much memory
    static LinkSpeed measure(Device gpu, long bytes) {
        try (PinnedSegment host = PinnedSegment.allocate(gpu, bytes);
                DeviceMemory device = DeviceMemory.allocate(gpu, bytes)) {
            host.segment().fill((byte) 1);
            return new LinkSpeed(
                    best(bytes, () -> device.copyFrom(host.segment())),
                    best(bytes, () -> device.copyTo(host.segment())));
        }
    }

    static LinkSpeed measure(Device gpu) {
        return measure(gpu, BYTES);
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

    /// Milliseconds for so many bytes up and as many down, one after the other.
    double millis(long bytes) {
        return (bytes / upBytesPerSecond + bytes / downBytesPerSecond) * 1e3;
    }
}
