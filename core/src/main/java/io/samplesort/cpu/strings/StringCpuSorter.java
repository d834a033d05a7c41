package io.samplesort.cpu.strings;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.KeptMemory;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Sorts the indexes of strings on the CPU.
///
/// The extra memory is kept for the next sort: 8 bytes for each string, on the heap for few strings and outside of it
/// for more, about 3 MiB of heap for each thread, and what [CpuSorter] takes. Up to 40960 strings take only what one
/// thread takes. Two threads must not use a sorter at once.
public final class StringCpuSorter implements AutoCloseable {
    /// The keys of more strings lie outside of the heap: the next sort may need room for a few more, and Java would
    /// keep both arrays as long as its heap has room.
    private static final long MOST_ON_HEAP = 1 << 18;

    private final StringOrder order;
    private final int parallelism;
    private final long mostOnHeap;
    /// Null until a sort needs it.
    private CpuSorter keySorter;

    private final Queue<StringWorker> workers = new ConcurrentLinkedQueue<>();
    private final KeptMemory keysOutsideOfHeap = new KeptMemory();
    private MemorySegment keys = MemorySegment.ofArray(new long[0]);

    /// @param parallelism among how many threads a sort is divided, as far as helpers are free
    public StringCpuSorter(StringOrder order, int parallelism) {
        this(order, parallelism, MOST_ON_HEAP);
    }

    /// @param mostOnHeap the keys of more strings than this lie outside of the heap
    StringCpuSorter(StringOrder order, int parallelism, long mostOnHeap) {
        this.mostOnHeap = mostOnHeap;
        this.order = order;
        this.parallelism = parallelism;
    }

    /// Finds the order of the strings: afterwards `permutation[i]` is the index of the string that comes i-th. Equal
    /// strings come in the order of their indexes.
    ///
    /// @param permutation room for one int or one long for each string
    /// @param indexBytes  bytes of an index, 4 or 8
    /// @throws OutOfMemoryError if there is too little memory; nothing has been written in that case
    public SortReport argsort(Strings strings, MemorySegment permutation, int indexBytes) {
        return argsort(strings, permutation, indexBytes, false);
    }

    /// Does the same as [#argsort(Strings, MemorySegment, int)].
    ///
    /// @param isOwned whether all memory belongs to the caller alone and stays allocated until this returns, whatever
    ///     other threads do, so that it may be handed to kernels
    public SortReport argsort(Strings strings, MemorySegment permutation, int indexBytes, boolean isOwned) {
        if (isOwned
                && indexBytes == Integer.BYTES
                && KernelStringSort.isFaster(strings.count(), parallelism)
                && KernelStringSort.canSort(strings, permutation)) {
            keysOutsideOfHeap.reserve(strings.count() * Long.BYTES);
            return new KernelStringSort(strings, order, keysOutsideOfHeap.segment(), permutation, parallelism).sort();
        }
        long count = strings.count();
        boolean isShared = Parallel.isShared(strings.bytes())
                && Parallel.isShared(strings.offsets())
                && Parallel.isShared(permutation);
        boolean isSmall = count <= RunSort.LIMIT;
        if (!isSmall) {
            reserve(count);
        }
        SharedStrings input = new SharedStrings(
                count,
                new Offsets(strings),
                StringBytes.of(strings, new Symbols(order)),
                keys,
                new Indexes(permutation, indexBytes),
                Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, count - 1)));
        Parallel parallel = new Parallel(isShared && !isSmall ? parallelism : 1);
        StringIndexSort sort = new StringIndexSort(input, keySorter(), parallel, workers);
        // The first block of most inputs shows that they are not in order.
        if (!isSmall && new StringColumn(strings).isSorted(order, parallel)) {
            sort.keepOrder();
        } else {
            sort.sort();
        }
        return sort.report(keys.byteSize());
    }

    /// Returns the indexes of the strings that come first or last, in order. Of equal strings, the one with the smaller
    /// index comes first.
    ///
    /// @param strings fewer than 2^31
    /// @param wanted  not more than there are strings
    /// @throws OutOfMemoryError if there is too little memory
    public int[] argselect(Strings strings, int wanted, boolean isLast) {
        boolean isShared = Parallel.isShared(strings.bytes()) && Parallel.isShared(strings.offsets());
        return new StringSelection(strings, order).select(wanted, isLast, isShared ? parallelism : 1, this);
    }

    private CpuSorter keySorter() {
        if (keySorter == null) {
            keySorter = new CpuSorter(ElementType.LONG, null, Order.natural(), parallelism);
        }
        return keySorter;
    }

    private void reserve(long count) {
        if (keys.byteSize() >= count * Long.BYTES) {
            return;
        }
        releaseKeys();
        keys = allocate(count);
    }

    private MemorySegment allocate(long count) {
        if (count <= mostOnHeap) {
            return MemorySegment.ofArray(new long[(int) count]);
        }
        keysOutsideOfHeap.reserve(count * Long.BYTES);
        return keysOutsideOfHeap.segment();
    }

    private void releaseKeys() {
        keys = MemorySegment.ofArray(new long[0]);
        keysOutsideOfHeap.release();
    }

    /// Returns how many bytes of host memory are kept for the next sort.
    public long keptBytes() {
        long outside = keysOutsideOfHeap.segment().byteSize();
        return Math.max(keys.byteSize(), outside)
                + workers.size() * StringWorker.heapBytes()
                + (keySorter == null ? 0 : keySorter.keptBytes());
    }

    @Override
    public void close() {
        releaseKeys();
        workers.clear();
        if (keySorter != null) {
            keySorter.close();
        }
    }
}
