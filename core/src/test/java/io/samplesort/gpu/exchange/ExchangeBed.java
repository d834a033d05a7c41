package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.GpuContractTest;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.cubins.KernelCubins;
import io.samplesort.gpu.cubins.KernelUse;
import io.samplesort.gpu.cubins.ReadyMade;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.SortLauncher;
import io.samplesort.gpu.sort.Strategies;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// An exchange for tests: brings the parts of an array to its GPUs, and the result back.
final class ExchangeBed implements AutoCloseable {
    /// The fewest elements that are exchanged: a test has time for many cases.
    static final long LEAST = 64;

    static final long NO_LIMIT = Long.MAX_VALUE;

    /// Elements are exchanged in buckets where that can be done.
    static final Tuning IN_BUCKETS = GpuContractTest.TINY.with("bucketExchangeSize=" + LEAST);

    static final Tuning IN_PIECES = GpuContractTest.TINY.with("bucketExchangeSize=" + Integer.MAX_VALUE);

    /// With more buckets in a pass than a test's tuning has, more than two GPUs exchange buckets. A small sort without
    /// cells takes a third of the time to compile.
    static final Tuning MANY_BUCKETS = IN_BUCKETS.with("maxBucketCount=64,smallSortCells=0");

    private final List<ExchangeGpu> gpus = new ArrayList<>();
    private final int[] columnBytes;
    private final Tuning tuning;
    private final ExchangeSort exchange;
    private final Owned owned = new Owned();

    ExchangeBed(
            int[] ordinals,
            ElementType key,
            List<ElementType> payloads,
            Order order,
            boolean isStable,
            long memoryLimit) {
        this(ordinals, key, payloads, order, isStable, memoryLimit, IN_BUCKETS);
    }

    ExchangeBed(
            int[] ordinals,
            ElementType key,
            List<ElementType> payloads,
            Order order,
            boolean isStable,
            long memoryLimit,
            Tuning tuning) {
        this.tuning = tuning;
        columnBytes = new int[1 + payloads.size()];
        columnBytes[0] = key.byteSize();
        for (int i = 0; i < payloads.size(); i++) {
            columnBytes[i + 1] = payloads.get(i).byteSize();
        }
        try {
            KernelElement element = KernelElement.of(key, payloads, order, isStable);
            for (int ordinal : ordinals) {
                Context context = owned.add(Context.retainPrimary(ordinal));
                gpus.add(open(context, element, memoryLimit));
            }
            exchange = owned.add(new ExchangeSort(gpus, LEAST, LEAST, LEAST));
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Makes one of the first GPUs, with all their memory.
    static ExchangeBed of(
            int gpus, ElementType key, List<ElementType> payloads, Order order, boolean isStable, Tuning tuning) {
        int[] ordinals = IntStream.range(0, gpus).toArray();
        return new ExchangeBed(ordinals, key, payloads, order, isStable, Long.MAX_VALUE, tuning);
    }

    /// Returns the names of the steps that a sort took.
    static List<String> steps(SortReport report) {
        return report.phases().stream().map(SortReport.Phase::name).toList();
    }

    private ExchangeGpu open(Context context, KernelElement element, long memoryLimit) {
        Owned resources = new Owned();
        owned.add(() -> {
            try (Context.Scope scope = context.enter()) {
                resources.close();
            }
        });
        try (Context.Scope scope = context.enter()) {
            KernelCubins cubins = KernelCubins.forDevice(
                    context.device(), element, given -> tuning, ReadyMade.NONE, KernelUse.ON_SEVERAL_GPUS);
            Kernels kernels = resources.add(new Kernels(context, element, cubins));
            SortLauncher launcher = new SortLauncher(context, kernels);
            Strategies strategies = new Strategies(context, element, tuning, memoryLimit);
            DeviceSort sort = new DeviceSort(
                    launcher, strategies, columnBytes, "gpu:" + context.device().ordinal());
            Stream stream = resources.add(Stream.create(context));
            PinnedMemory readBack = resources.add(PinnedMemory.allocate(context, Long.BYTES));
            return new ExchangeGpu(sort, stream, readBack.segment());
        }
    }

    /// Divides an array among the GPUs.
    static long[] equalSizes(long count, int gpus) {
        long[] sizes = new long[gpus];
        Arrays.setAll(sizes, gpu -> count * (gpu + 1) / gpus - count * gpu / gpus);
        return sizes;
    }

    /// Sorts columns of host memory on the GPUs.
    ///
    /// @param sizes how many elements each GPU has
    SortReport sort(long[] sizes, MemorySegment... columns) {
        try (Parts parts = new Parts(sizes, columnBytes)) {
            parts.upload(columns);
            SortReport report = exchange.sort(parts.parts(), true);
            parts.download(columns);
            return report;
        }
    }

    /// Sorts and returns the failure, null if there is none. The columns then hold what the memory of the GPUs does.
    ///
    /// @param before runs before the sort, and `after` before the memory is read
    RuntimeException sortThatFails(long[] sizes, Runnable before, Runnable after, MemorySegment... columns) {
        try (Parts parts = new Parts(sizes, columnBytes)) {
            return failure(parts, before, () -> exchange.sort(parts.parts(), false), after, columns);
        }
    }

    /// Does the same with a sort of indexes.
    RuntimeException argsortThatFails(long[] sizes, Runnable before, Runnable after, MemorySegment elements) {
        try (Parts parts = new Parts(sizes, columnBytes[0], Long.BYTES)) {
            Runnable sort = () -> exchange.argsort(parts.keys(), parts.addresses(1), Long.BYTES, false);
            return failure(parts, before, sort, after, elements);
        }
    }

    private static RuntimeException failure(
            Parts parts, Runnable before, Runnable sort, Runnable after, MemorySegment... columns) {
        parts.upload(columns);
        before.run();
        try {
            sort.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        } finally {
            after.run();
            parts.download(columns);
        }
    }

    /// Returns the bytes of the permutation.
    byte[] argsort(long[] sizes, int indexBytes, MemorySegment elements) {
        byte[] result = new byte[(int) LongStream.of(sizes).sum() * indexBytes];
        try (Parts parts = new Parts(sizes, columnBytes[0], indexBytes)) {
            parts.upload(elements, MemorySegment.ofArray(result));
            exchange.argsort(parts.keys(), parts.addresses(1), indexBytes, false);
            parts.download(elements, MemorySegment.ofArray(result));
        }
        return result;
    }

    /// The parts of an array on the GPUs.
    private final class Parts implements AutoCloseable {
        private final long[] sizes;
        private final int[] bytes;
        private final List<long[]> addresses = new ArrayList<>();
        private final Owned memory = new Owned();

        Parts(long[] sizes, int... bytes) {
            this.sizes = sizes;
            this.bytes = bytes;
            for (int gpu = 0; gpu < sizes.length; gpu++) {
                Context context = gpus.get(gpu).context();
                long[] columns = new long[bytes.length];
                addresses.add(columns);
                try (Context.Scope scope = context.enter()) {
                    for (int c = 0; c < columns.length; c++) {
                        DeviceAllocation allocation =
                                DeviceAllocation.allocate(context, Math.max(1, sizes[gpu] * bytes[c]));
                        memory.add(() -> {
                            try (Context.Scope inner = context.enter()) {
                                allocation.close();
                            }
                        });
                        columns[c] = allocation.address();
                    }
                }
            }
        }

        List<ExchangePart> parts() {
            List<ExchangePart> parts = new ArrayList<>();
            for (int gpu = 0; gpu < sizes.length; gpu++) {
                parts.add(new ExchangePart(addresses.get(gpu), sizes[gpu]));
            }
            return parts;
        }

        List<ExchangePart> keys() {
            return parts().stream()
                    .map(part -> new ExchangePart(new long[] {part.columns()[0]}, part.count()))
                    .toList();
        }

        long[] addresses(int column) {
            return addresses.stream().mapToLong(columns -> columns[column]).toArray();
        }

        void upload(MemorySegment... columns) {
            forEachPiece(columns, (gpu, address, piece, pinned) -> {
                pinned.copyFrom(piece);
                gpu.stream().copyToDevice(address, pinned, piece.byteSize());
                gpu.stream().synchronize();
            });
        }

        void download(MemorySegment... columns) {
            forEachPiece(columns, (gpu, address, piece, pinned) -> {
                gpu.stream().copyToHost(pinned, address, piece.byteSize());
                gpu.stream().synchronize();
                piece.copyFrom(pinned);
            });
        }

        private void forEachPiece(MemorySegment[] columns, PieceWork work) {
            long begin = 0;
            for (int g = 0; g < sizes.length; g++) {
                ExchangeGpu gpu = gpus.get(g);
                try (Context.Scope scope = gpu.context().enter()) {
                    for (int c = 0; c < columns.length && sizes[g] > 0; c++) {
                        long size = sizes[g] * bytes[c];
                        try (PinnedMemory pinned = PinnedMemory.allocate(gpu.context(), size)) {
                            MemorySegment piece = columns[c].asSlice(begin * bytes[c], size);
                            work.on(gpu, addresses.get(g)[c], piece, pinned.segment());
                        }
                    }
                }
                begin += sizes[g];
            }
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private interface PieceWork {
        void on(ExchangeGpu gpu, long address, MemorySegment piece, MemorySegment pinned);
    }

    /// Returns the numbers of the first GPUs.
    static int[] gpus(int count) {
        return IntStream.range(0, count).toArray();
    }

    /// Returns the longs from 0 on, as bytes.
    static MemorySegment numbers(int count) {
        MemorySegment numbers = MemorySegment.ofArray(new byte[count * Long.BYTES]);
        numbers.copyFrom(MemorySegment.ofArray(LongStream.range(0, count).toArray()));
        return numbers;
    }

    @Override
    public void close() {
        owned.close();
    }
}
