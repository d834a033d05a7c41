package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Sorts an array that lies on several GPUs. Each GPU has a part of it, and in the end has the same number of elements
/// as before: the first GPU has the smallest ones, and so on. Equal elements keep their order where the sort of each
/// GPU keeps it.
///
/// Each element crosses a link at most once, except the few around the borders between GPUs. The number of elements for
/// each GPU is counted and not guessed, and frequent keys may go to any GPU, so no input overloads one.
///
/// Arrays that are already in order stay as they are ([SharedOrder]). Small arrays are sorted where they are and merged
/// ([MergedSort]), or one GPU sorts them if merging does not support their elements ([GatheredSort]). Elements that are
/// moved when they are sorted are exchanged in buckets ([BucketExchange]): a sample tells which GPU will have them.
/// Elements that are sorted by index are exchanged in pieces of sorted parts ([PieceExchange]), and so is everything
/// for which buckets do not work.
///
/// Only one thread at a time may use it.
public final class ExchangeSort implements AutoCloseable {
    /// Fewer elements than this are not exchanged in buckets, since the sample alone would be a large part of them.
    private static final long LEAST_EXCHANGED = 1 << 14;

    /// One GPU alone sorts fewer elements than this, which takes less time than the GPUs need to wait for each other.
    private static final long LEAST_MERGED = 1 << 21;

    /// A GPU sorts as many buckets at once as have this many elements together.
    private static final long LEAST_GROUP = 1 << 23;

    /// A copy through host memory takes this many times as long as one over a link between GPUs.
    private static final int STAGED_COPIES = 16;

    private final List<ExchangeGpu> gpus;
    private final long leastExchanged;
    private final long leastMerged;
    private final long leastGroup;
    private final boolean[] isStaged;
    private final List<KeptResources> kept = new ArrayList<>();
    private final TeamThreads threads;
    private final Owned owned = new Owned();

    /// @param gpus all with kernels of the same element, order and columns
    /// @throws IllegalArgumentException if there are too many
    public ExchangeSort(List<ExchangeGpu> gpus) {
        this(gpus, LEAST_EXCHANGED, LEAST_MERGED, LEAST_GROUP);
    }

    /// @param leastExchanged fewer elements than this are not exchanged in buckets
    /// @param leastMerged    fewer elements than this are not sorted apart and merged
    /// @param leastGroup     the fewest elements of a group of buckets, or of a piece that is staged
    ExchangeSort(List<ExchangeGpu> gpus, long leastExchanged, long leastMerged, long leastGroup) {
        if (gpus.size() > KernelConstants.MAX_GPUS) {
            throw new IllegalArgumentException(
                    gpus.size() + " GPUs: at most " + KernelConstants.MAX_GPUS + " sort one array together");
        }
        this.gpus = List.copyOf(gpus);
        this.leastExchanged = leastExchanged;
        this.leastMerged = leastMerged;
        this.leastGroup = leastGroup;
        isStaged = new boolean[gpus.size()];
        threads = owned.add(new TeamThreads(gpus.size()));
        try {
            for (int gpu = 0; gpu < gpus.size(); gpu++) {
                prepare(gpu);
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    private void prepare(int number) {
        ExchangeGpu gpu = gpus.get(number);
        try (Context.Scope scope = gpu.context().enter()) {
            for (ExchangeGpu other : gpus) {
                isStaged[number] |= !gpu.isSameAs(other) && !gpu.context().enablePeer(other.context());
            }
            long bytes = HomeCut.pinnedBytes(gpus.size());
            long bucketBytes = BucketMember.pinnedBytes(gpu.sort().tuning().maxBucketCount());
            KeptResources resources = new KeptResources(gpu.context(), bytes + bucketBytes);
            kept.add(resources);
            owned.add(() -> close(gpu, resources));
        }
    }

    private static void close(ExchangeGpu gpu, KeptResources resources) {
        try (Context.Scope scope = gpu.context().enter()) {
            resources.close();
        }
    }

    /// Sorts the columns of all parts together, and waits for the end.
    ///
    /// @param parts   one for each GPU, in the order of the GPUs
    /// @param isTimed whether the report tells how long each step took
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if a GPU, which the message names, has too little
    ///     free memory; in that case nothing is changed
    /// @throws io.samplesort.errors.SampleSortException if a GPU fails; the message names it and says what state the
    ///     input is in
    public SortReport sort(List<ExchangePart> parts, boolean isTimed) {
        List<ExchangeColumns> columns = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            columns.add(ExchangeColumns.inPlace(gpus.get(gpu).sort(), parts.get(gpu)));
        }
        String lost = "parts of the array may be overwritten on all GPUs, and its elements are lost";
        return run(parts, columns, lost, isTimed);
    }

    /// Writes the indexes of elements in sorted order, and waits for the end. The sort is stable, and the elements stay
    /// as they are.
    ///
    /// @param elements     one part for each GPU, in the order of the GPUs
    /// @param permutations device addresses of room on each GPU for an index of each of its elements. Indexes count
    ///     through the parts one after another.
    /// @param indexBytes   bytes of an index, 4 or 8
    /// @throws io.samplesort.errors.SampleSortException as by [#sort]
    public SortReport argsort(List<ExchangePart> elements, long[] permutations, int indexBytes, boolean isTimed) {
        List<ExchangeColumns> columns = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            columns.add(
                    ExchangeColumns.indexes(gpus.get(gpu).sort(), elements.get(gpu), permutations[gpu], indexBytes));
        }
        String lost = "the permutation is not complete, and the elements are as they were";
        return run(elements, columns, lost, isTimed);
    }

    private SortReport run(List<ExchangePart> parts, List<ExchangeColumns> columns, String lost, boolean isTimed) {
        threads.wake();
        long[] sizes = new long[parts.size()];
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            sizes[gpu] = parts.get(gpu).count();
        }
        List<ExchangeMember> members = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            kept.get(gpu).reuseMarks();
            members.add(new ExchangeMember(gpus.get(gpu), gpu, columns.get(gpu), sizes[gpu], kept.get(gpu)));
        }
        long count = BorderSample.sum(sizes);
        ExchangeClock clock = new ExchangeClock();
        try (ExchangeTeam team = new ExchangeTeam(members, threads, lost)) {
            ExchangeTotals totals = count == 0 ? null : run(team, columns, sizes, clock);
            return ExchangeTotals.report(totals, members, count, clock, isTimed);
        }
    }

    private ExchangeTotals run(ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes, ExchangeClock clock) {
        long count = BorderSample.sum(sizes);
        boolean isMerged = isMerged(columns.getFirst(), sizes, count);
        if (!isMerged && isForOneGpu(count * columns.getFirst().rowBytes())) {
            ExchangeTotals totals = clock.timed("sort_on_one_gpu", new GatheredSort(team, columns, sizes)::run);
            if (totals != null) {
                return totals;
            }
        }
        SharedOrder order = seeksOrder(columns.getFirst(), count) ? new SharedOrder(team, columns, sizes) : null;
        if (isMerged) {
            ExchangeTotals totals = merge(team, columns, sizes, order, clock);
            if (totals != null) {
                return totals;
            }
            order = null;
        }
        SharedOrder sought = order;
        BucketExchange inBuckets = null;
        if (count >= leastExchanged && areMoved(columns.getFirst()) && areManyEnough(sizes)) {
            inBuckets = clock.timed("sample", () -> begin(team, columns, sizes, sought, clock));
        } else if (order != null) {
            order.look();
        }
        ExchangeTotals totals = order == null ? null : clock.timed("check_order", order::run);
        if (totals == null && inBuckets != null) {
            totals = inBuckets.run(leastGroup);
        }
        return totals == null ? new PieceExchange(team, columns, sizes, isStaged, leastGroup).run(clock) : totals;
    }

    /// Makes each GPU sort its part, and merges the parts; returns null if a GPU has too little memory for that.
    ///
    /// @param order what looks for order first; null if nothing does
    private ExchangeTotals merge(
            ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes, SharedOrder order, ExchangeClock clock) {
        MergedSort[] sort = new MergedSort[1];
        if (order == null) {
            sort[0] = MergedSort.of(team, columns, sizes, null);
        } else {
            ExchangeTotals inOrder = clock.timed("check_order", () -> {
                sort[0] = MergedSort.of(team, columns, sizes, order);
                return order.run();
            });
            if (inOrder != null) {
                return inOrder;
            }
        }
        return sort[0] == null ? null : clock.timed("sort_and_merge", sort[0]::run);
    }

    /// Returns whether one GPU sorts this many bytes sooner than all GPUs together. If the GPUs do not reach each
    /// other's memory, copies take longer, so the limit is lower.
    private boolean isForOneGpu(long bytes) {
        long most = gpus.getFirst().sort().tuning().oneGpuBytes() / gpus.size();
        return bytes < (isAnyStaged() ? most / STAGED_COPIES : most);
    }

    /// Returns whether each GPU sorts its part, and the sorted parts are merged.
    private boolean isMerged(ExchangeColumns columns, long[] sizes, long count) {
        DeviceSort sort = gpus.getFirst().sort();
        if (count < leastMerged
                || isAnyStaged()
                || !columns.hasKeys()
                || !sort.element().mergesParts(sort.tuning())) {
            return false;
        }
        for (long size : sizes) {
            if (size * columns.rowBytes() > sort.tuning().mergedBytes()) {
                return false;
            }
        }
        return true;
    }

    private boolean isAnyStaged() {
        for (boolean staged : isStaged) {
            if (staged) {
                return true;
            }
        }
        return false;
    }

    private boolean seeksOrder(ExchangeColumns columns, long count) {
        int least = gpus.getFirst().sort().tuning().orderCheckSize();
        return areMoved(columns) && least > 0 && count >= least;
    }

    /// Makes the GPUs look for order, if `order` is not null, and meanwhile draw and count a sample. Returns null if
    /// the sample is too small, or a pass cannot have enough buckets.
    private BucketExchange begin(
            ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes, SharedOrder order, ExchangeClock clock) {
        BorderSample drawn = BorderSample.of(sizes, gpus.getFirst().sort().columnBytes()[0]);
        SharedBuckets buckets = SharedBuckets.of(drawn, gpus.getFirst().sort().tuning());
        if (buckets == null) {
            if (order != null) {
                order.look();
            }
            return null;
        }
        SortedSample sample = new SortedSample(team, drawn, member -> {
            if (order != null) {
                order.look(member);
            }
        });
        return new BucketExchange(team, columns, sizes, sample, buckets, bucketMemory(), clock);
    }

    private List<MemorySegment> bucketMemory() {
        List<MemorySegment> memory = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            memory.add(kept.get(gpu).pinned().asSlice(HomeCut.pinnedBytes(gpus.size())));
        }
        return memory;
    }

    /// Returns whether elements are moved as they are.
    private boolean areMoved(ExchangeColumns columns) {
        DeviceSort sort = gpus.getFirst().sort();
        return columns.hasKeys()
                && !sort.element().sortsIndexes()
                && !sort.element().isCounted();
    }

    private boolean areManyEnough(long[] sizes) {
        long least = gpus.getFirst().sort().tuning().bucketExchangeSize();
        for (long size : sizes) {
            if (size > 0 && size < least) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        owned.close();
    }
}
