package io.samplesort.bench.measure;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.PinnedSegment;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/// How fast pinned host memory is copied to one GPU or to several at once, and back, which bounds a sort of host
/// memory. It is measured before each benchmark.
///
/// @param upBytesPerSecond   to the GPUs, all together
/// @param downBytesPerSecond from the GPUs
public record LinkSpeed(double upBytesPerSecond, double downBytesPerSecond) {
    private static final long MIN_BYTES = 1L << 20;
    private static final long MAX_BYTES = 1L << 30;
    private static final int REPETITIONS = 5;

    /// What is copied to one GPU and back.
    private record Link(PinnedSegment host, DeviceMemory device) implements AutoCloseable {
        static Link open(Device gpu, long bytes) {
            PinnedSegment host = PinnedSegment.allocate(gpu, bytes);
            try {
                host.segment().fill((byte) 1);
                return new Link(host, DeviceMemory.allocate(gpu, bytes));
            } catch (RuntimeException | Error e) {
                host.close();
                throw e;
            }
        }

        @Override
        public void close() {
            device.close();
            host.close();
        }
    }

    /// Measures the links.
    ///
    /// @param largest bytes of the largest sort; the copies of each GPU are as large, within limits
    public static LinkSpeed measure(List<Device> gpus, long largest) {
        long bytes = Math.clamp(largest, MIN_BYTES, MAX_BYTES);
        List<Link> links = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(gpus.size())) {
            for (Device gpu : gpus) {
                links.add(Link.open(gpu, bytes));
            }
            return new LinkSpeed(
                    best(threads, links, bytes, link -> link.device.copyFrom(link.host.segment())),
                    best(threads, links, bytes, link -> link.device.copyTo(link.host.segment())));
        } finally {
            links.forEach(Link::close);
        }
    }

    /// Measures transfers of an array itself, through the same pinned buffers as in a sort: a share of it to each GPU,
    /// all at once, and back. So this is how fast the host's memory and the links would let a sort be that takes no
    /// time on the GPUs.
    public static LinkSpeed ofArray(List<Device> gpus, MemorySegment array) {
        long share = array.byteSize() / gpus.size() / Long.BYTES * Long.BYTES;
        List<Share> shares = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(gpus.size())) {
            for (Device gpu : gpus) {
                MemorySegment host = array.asSlice(shares.size() * share, share);
                shares.add(new Share(host, DeviceMemory.allocate(gpu, share)));
            }
            return new LinkSpeed(
                    best(threads, shares, share, each -> each.device.copyFrom(each.host)),
                    best(threads, shares, share, each -> each.device.copyTo(each.host)));
        } finally {
            shares.forEach(each -> each.device.close());
        }
    }

    /// A part of an array, and memory of a GPU for it.
    private record Share(MemorySegment host, DeviceMemory device) {}

    private static <T> double best(ExecutorService threads, List<T> links, long bytes, Consumer<T> copy) {
        double best = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            long start = System.nanoTime();
            List<CompletableFuture<Void>> copies = links.stream()
                    .map(link -> CompletableFuture.runAsync(() -> copy.accept(link), threads))
                    .toList();
            copies.forEach(CompletableFuture::join);
            best = Math.max(best, links.size() * bytes / ((System.nanoTime() - start) * 1e-9));
        }
        return best;
    }

    /// Returns how many milliseconds a copy of this many bytes up and then one back take.
    public double millis(long bytes) {
        return (bytes / upBytesPerSecond + bytes / downBytesPerSecond) * 1e3;
    }

    /// Adds both speeds to what results have in common.
    public void addTo(Map<String, Object> environment) {
        environment.put("linkUpBytesPerSecond", upBytesPerSecond);
        environment.put("linkDownBytesPerSecond", downBytesPerSecond);
    }
}
