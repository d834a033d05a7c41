package io.samplesort.gpu;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.errors.CudaException;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.errors.SampleSortException;
import io.samplesort.gpu.exchange.ExchangePart;
import io.samplesort.gpu.exchange.ExchangeSort;
import io.samplesort.gpu.host.DownloadFlow;
import io.samplesort.gpu.host.HostTransfer;
import io.samplesort.gpu.host.SharedReport;
import io.samplesort.gpu.host.StageClock;
import io.samplesort.gpu.host.TransferBatch;
import io.samplesort.gpu.host.TransferFlow;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.reports.SortWatch;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A sort of host memory that all GPUs can hold together: each GPU receives a share of the elements over its own link,
/// the GPUs sort them by an exchange, and each sends its share of the result back. So each element crosses a link once
/// each way.
final class HostExchange implements AutoCloseable {
    private final long start = System.nanoTime();
    private final List<Member> members = new ArrayList<>();
    private final AtomicReference<Member> failed = new AtomicReference<>();
    private final boolean isTimed;
    private final Owned owned = new Owned();
    private long writtenBytes;

    /// @param shares      how many elements each GPU takes
    /// @param columnBytes bytes of an element in each column that is in device memory
    HostExchange(List<GpuResources> gpus, long[] shares, int[] columnBytes) {
        isTimed = gpus.getFirst().timesPhases();
        try {
            long begin = 0;
            for (int gpu = 0; gpu < shares.length; gpu++) {
                members.add(open(gpus.get(gpu), begin, shares[gpu], columnBytes));
                begin += shares[gpu];
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private Member open(GpuResources gpu, long begin, long count, int[] columnBytes) {
        try (Context.Scope scope = gpu.context().enter()) {
            Member member = new Member(gpu, begin, count, columnBytes);
            owned.add(() -> {
                try (Context.Scope closing = gpu.context().enter()) {
                    member.close();
                }
            });
            return member;
        }
    }

    /// Sorts columns in place.
    SortReport sort(ExchangeSort exchange, List<MemorySegment> columns) {
        SortWatch watch = SortWatch.current();
        watch.onlyReads();
        onAll(member -> member.upload(columns));
        watch.mayStop();
        SortReport report = inputKept(() -> exchange.sort(parts(), isTimed));
        watch.mayStop();
        watch.moves();
        download(0, columns, "the rest is as it was; the input is lost");
        return finish(report);
    }

    /// Writes the indexes of elements in sorted order. The device columns are the elements and their indexes.
    SortReport argsort(ExchangeSort exchange, MemorySegment elements, MemorySegment permutation, int indexBytes) {
        onAll(member -> member.upload(List.of(elements)));
        SortWatch.current().mayStop();
        long[] permutations = members.stream()
                .mapToLong(member -> member.columns.address(1, 0))
                .toArray();
        List<ExchangePart> parts = members.stream()
                .map(member -> new ExchangePart(new long[] {member.columns.address(0, 0)}, member.count))
                .toList();
        SortReport report = exchange.argsort(parts, permutations, indexBytes, isTimed);
        SortWatch.current().mayStop();
        download(1, List.of(permutation), "the permutation is not complete, and the elements are as they were");
        return finish(report);
    }

    /// Makes errors say that the input is unchanged: it is in host memory, and only device memory has been written.
    private static SortReport inputKept(Supplier<SortReport> exchange) {
        try {
            return exchange.get();
        } catch (CudaException | InsufficientDeviceMemoryException e) {
            throw e;
        } catch (SampleSortException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new SampleSortException(
                    "nothing had been copied back, so the input is as it was: " + cause.getMessage(), e);
        }
    }

    private List<ExchangePart> parts() {
        return members.stream()
                .map(member -> new ExchangePart(member.columns.from(0), member.count))
                .toList();
    }

    /// @param first the device column of the first host column
    private void download(int first, List<MemorySegment> columns, String left) {
        try {
            onAll(member -> member.download(first, columns));
        } catch (RuntimeException | Error e) {
            writtenBytes =
                    members.stream().mapToLong(member -> member.writtenBytes).sum();
            if (writtenBytes == 0) {
                throw e;
            }
            throw new SampleSortException(
                    failed.get().name() + " failed while the result was copied back: " + writtenBytes + " of the "
                            + columns.stream()
                                    .mapToLong(MemorySegment::byteSize)
                                    .sum()
                            + " bytes are overwritten with it, " + left,
                    e);
        }
    }

    /// Runs `work` for each GPU on a thread of its own, since it has to wait for copies, and waits for all of them.
    private void onAll(Consumer<Member> work) {
        List<Background<Void>> all = new ArrayList<>();
        for (Member member : members) {
            all.add(Background.start("gpu", () -> {
                try (Context.Scope scope = member.gpu.context().enter()) {
                    work.accept(member);
                } catch (Throwable e) {
                    failed.compareAndSet(null, member);
                    throw e;
                }
                return null;
            }));
        }
        Background.finish(all);
    }

    private SortReport finish(SortReport exchanged) {
        List<SortReport> reports = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        for (Member member : members) {
            try (Context.Scope scope = member.gpu.context().enter()) {
                reports.add(new SortReportBuilder(member.gpu.sort().device())
                        .elementCount(exchanged.elementCount())
                        .stages(isTimed ? List.of(member.up.stage(), member.down.stage()) : List.of())
                        .build());
                counts.add(member.count);
            }
        }
        SortReport shared = SharedReport.of(reports, counts);
        return new SortReportBuilder(shared)
                .passes(exchanged.passes())
                .phases(exchanged.phases())
                .bytesMoved(exchanged.bytesMoved())
                .extraBytes(exchanged.extraBytes()
                        + members.stream().mapToLong(Member::byteSize).sum())
                .largestBucket(exchanged.largestBucket())
                .exchange(exchanged.exchange())
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    @Override
    public void close() {
        owned.close();
    }

    /// One GPU and its share.
    private static final class Member implements AutoCloseable {
        private final GpuResources gpu;
        private final long begin;
        private final long count;
        private final int[] columnBytes;
        private final StageClock up;
        private final StageClock down;
        private final DeviceColumns columns;
        private final Owned owned = new Owned();
        private long writtenBytes;

        Member(GpuResources gpu, long begin, long count, int[] columnBytes) {
            this.gpu = gpu;
            this.begin = begin;
            this.count = count;
            this.columnBytes = columnBytes;
            up = owned.add(StageClock.create(gpu.context(), "upload", gpu.timesPhases()));
            down = owned.add(StageClock.create(gpu.context(), "download", gpu.timesPhases()));
            try {
                columns = owned.add(new DeviceColumns(gpu.context(), gpu.stream(), columnBytes, count));
                gpu.sort().strategies().take(byteSize());
                owned.add(() -> gpu.sort().strategies().take(-byteSize()));
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        }

        String name() {
            return "gpu:" + gpu.context().device().ordinal();
        }

        long byteSize() {
            long bytes = 0;
            for (int each : columnBytes) {
                bytes += each * count;
            }
            return bytes;
        }

        /// Copies this GPU's share of host memory to its first columns.
        void upload(List<MemorySegment> host) {
            HostTransfer transfer = gpu.hostTransfer();
            try (TransferFlow flow = transfer.up(gpu.stream(), byteSize(), up)) {
                flow.submit(parts(0, host), null);
                flow.finish();
            }
        }

        void download(int first, List<MemorySegment> host) {
            HostTransfer transfer = gpu.hostTransfer();
            try (DownloadFlow flow = transfer.down(gpu.stream(), byteSize(), down)) {
                try {
                    flow.submit(parts(first, host), null);
                    flow.finish();
                } catch (RuntimeException | Error e) {
                    flow.closeAfter(e);
                    throw e;
                } finally {
                    writtenBytes = flow.writtenBytes();
                }
            }
        }

        /// @param first the device column of the first host column
        private List<TransferBatch.Part> parts(int first, List<MemorySegment> host) {
            List<TransferBatch.Part> parts = new ArrayList<>();
            for (int c = 0; c < host.size(); c++) {
                long bytes = columnBytes[first + c];
                parts.add(new TransferBatch.Part(
                        host.get(c).asSlice(begin * bytes, count * bytes), columns.address(first + c, 0)));
            }
            return parts;
        }

        @Override
        public void close() {
            owned.close();
        }
    }
}
