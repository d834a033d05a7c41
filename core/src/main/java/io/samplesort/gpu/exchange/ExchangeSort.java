package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// Sorts an array that lies on several GPUs. Each GPU has a part of it, and in the end as many elements as before: the
/// first GPU the smallest, and so on. Equal elements keep their order where the sort of each GPU keeps it.
///
/// Each element crosses a link once at most, but for the few around the borders between GPUs: a sample tells which GPU
/// will have it, and that GPU sorts what it has received. How many elements belong to whom is counted and not guessed,
/// and elements that are equal to a splitter may go to any GPU, so no input overloads one. Where a GPU can store to the
/// memory of all others, the exchange is one kernel that does so; else its elements are put in order in its own memory
/// and copied.
///
/// For one thread at a time.
public final class ExchangeSort implements AutoCloseable {
    /// Fewer elements are sorted by one GPU. The sample alone would be a good part of them.
    private static final long LEAST_EXCHANGED = 1 << 14;

    private final List<ExchangeGpu> gpus;
    private final long leastExchanged;
    private final boolean[] isStaged;
    private final List<MemorySegment> pinned = new ArrayList<>();
    private final Owned owned = new Owned();

    /// @param gpus with kernels of the same element, order and columns
    /// @throws IllegalArgumentException if there are too many
    public ExchangeSort(List<ExchangeGpu> gpus) {
        this(gpus, LEAST_EXCHANGED);
    }

    /// @param leastExchanged fewer elements are sorted by one GPU
    ExchangeSort(List<ExchangeGpu> gpus, long leastExchanged) {
        if (gpus.size() > KernelConstants.MAX_GPUS) {
            throw new IllegalArgumentException(
                    gpus.size() + " GPUs: at most " + KernelConstants.MAX_GPUS + " sort one array together");
        }
        this.gpus = List.copyOf(gpus);
        this.leastExchanged = leastExchanged;
        isStaged = new boolean[gpus.size()];
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
            PinnedMemory memory = PinnedMemory.allocate(gpu.context(), ExchangeMember.pinnedBytes(gpu.sort()));
            owned.add(() -> close(gpu, memory));
            pinned.add(memory.segment());
        }
    }

    private static void close(ExchangeGpu gpu, PinnedMemory memory) {
        try (Context.Scope scope = gpu.context().enter()) {
            memory.close();
        }
    }

    /// Sorts the columns of all parts together, and waits for the end.
    ///
    /// @param parts   one for each GPU, in the order of the GPUs
    /// @param isTimed whether the report tells how long each step took
    /// @throws io.samplesort.types.InsufficientDeviceMemoryException if a GPU, which the message names, has too little
    ///     free memory; nothing is changed then
    /// @throws io.samplesort.types.SampleSortException if a GPU fails; the message names it and says what state the
    ///     input is in
    public SortReport sort(List<ExchangePart> parts, boolean isTimed) {
        List<ExchangeColumns> columns = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            columns.add(ExchangeColumns.inPlace(gpus.get(gpu).sort(), parts.get(gpu)));
        }
        String lost = "parts of the array may be overwritten on all GPUs, and its elements are lost";
        return run(parts, columns, lost, isTimed);
    }

    /// Writes the indexes of elements in sorted order, and waits for the end. This is stable, and the elements stay as
    /// they are.
    ///
    /// @param elements     one part for each GPU, in the order of the GPUs
    /// @param permutations device addresses of as many indexes on each GPU as it has elements. They count in the parts
    ///     one after another.
    /// @param indexBytes   bytes of an index, 4 or 8
    /// @throws io.samplesort.types.SampleSortException as by [#sort]
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
        long[] sizes = parts.stream().mapToLong(ExchangePart::count).toArray();
        List<ExchangeMember> members = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            members.add(new ExchangeMember(gpus.get(gpu), gpu, columns.get(gpu), sizes[gpu], pinned.get(gpu)));
        }
        long count = LongStream.of(sizes).sum();
        int keyBytes = gpus.getFirst().sort().columnBytes()[0];
        try (ExchangeTeam team = new ExchangeTeam(members, lost)) {
            Exchange exchange = new Exchange(team, sizes, isStaged);
            if (count > 0) {
                exchange.run(count < leastExchanged ? null : BorderSample.of(sizes, keyBytes));
            }
            return exchange.report(isTimed);
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
