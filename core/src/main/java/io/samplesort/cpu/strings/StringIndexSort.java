package io.samplesort.cpu.strings;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/// One stable sort of the indexes of strings, which stay where they are.
///
/// If few of the strings are different, they are counted ([RepeatedStrings]). Otherwise their words are packed into
/// longs, with the index of the string in the low bits, and [CpuSorter] sorts the longs. Strings with equal words form
/// runs, which are sorted by their next bytes: each thread finishes the short runs of its blocks with [RunSort], and
/// long runs are sorted like the whole input.
final class StringIndexSort {
    /// A sample of this many strings shows whether it pays to look for what all of them have in common.
    private static final int SAMPLE_SIZE = 256;

    /// With two bits to spare, [CpuSorter] is fastest.
    private static final int PACKED_BITS = 62;

    private final SharedStrings input;
    private final CpuSorter keySorter;
    private final Parallel parallel;
    private final Queue<StringWorker> workers;
    private final Deque<StringGroup> groups = new ConcurrentLinkedDeque<>();

    private final PhaseTimes times = new PhaseTimes();
    private int passes;
    private long bytesMoved;
    private long sorterBytes;
    private long largestBucket;

    /// @param workers idle workers; new ones are added to them
    StringIndexSort(SharedStrings input, CpuSorter keySorter, Parallel parallel, Queue<StringWorker> workers) {
        this.input = input;
        this.keySorter = keySorter;
        this.parallel = parallel;
        this.workers = workers;
    }

    void sort() {
        if (input.count() <= RunSort.LIMIT) {
            withWorker(worker -> {
                worker.sortAlone(input);
                return 0;
            });
            largestBucket = input.count();
            times.lap(PhaseTimes.Phase.SORT_TIES);
            return;
        }
        RepeatedStrings repeated = new RepeatedStrings(input, parallel, times);
        if (withWorker(worker -> repeated.trySort(worker) ? 1 : 0) == 1) {
            sorterBytes = repeated.heapBytes();
            bytesMoved += 4L * Long.BYTES * input.count();
            return;
        }
        groups.add(new StringGroup(0, input.count(), 0, true));
        while (!groups.isEmpty()) {
            sort(groups.removeLast());
        }
    }

    /// Leaves all strings in their order, which is sorted already.
    void keepOrder() {
        times.lap(PhaseTimes.Phase.CHECK_ORDER);
        number(new StringGroup(0, input.count(), 0, true));
        times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
    }

    private void sort(StringGroup given) {
        StringGroup group = given;
        if (!group.isWhole()) {
            unpack(group);
            if (left(group) < 0) {
                return;
            }
        }
        Words words = makeWords(group);
        while (words.different == 0) {
            if (left(words.group) < Symbols.COUNT) {
                if (group.isWhole()) {
                    number(group);
                }
                return;
            }
            words = makeWords(words.group.deeper(Symbols.COUNT));
        }
        group = words.group;
        BitPacker packer = new BitPacker(words.different, PACKED_BITS - input.indexBits());
        pack(group, packer);
        sortKeys(group);
        finish(group, group.depth() + packer.symbols());
    }

    /// The words of all strings of a group.
    ///
    /// @param group      the group, with the depth at which the words begin
    /// @param different the bits in which words differ
    private record Words(StringGroup group, long different) {}

    /// Makes the words after what all strings have in common according to a sample. If other strings have less in
    /// common, it makes the words after that, and in the end those at the group's depth.
    private Words makeWords(StringGroup group) {
        long skipped = sampledCommon(group);
        for (int attempt = 0; ; attempt++) {
            StringGroup deeper = group.deeper(skipped);
            long reference = withWorker(worker -> worker.firstWord(input, deeper));
            AtomicLong common = new AtomicLong(skipped);
            AtomicLong different = new AtomicLong();
            long asked = skipped;
            forBlocks(group, (from, to, worker) -> {
                if (common.get() == asked) {
                    long inBlock = worker.makeWords(input, group, from, to, asked, common, reference);
                    different.accumulateAndGet(inBlock, (a, b) -> a | b);
                }
            });
            bytesMoved += 2L * Long.BYTES * group.count();
            times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
            if (common.get() == asked) {
                return new Words(deeper, different.get());
            }
            skipped = attempt == 0 ? common.get() : 0;
        }
    }

    /// Returns how many bytes some strings of a group have in common beyond those that are known; 0 if there is hardly
    /// any.
    private long sampledCommon(StringGroup group) {
        long step = Math.max(1, group.count() / SAMPLE_SIZE);
        long sampled = withWorker(worker -> {
            long common = Long.MAX_VALUE;
            for (long place = group.from(); place < group.to() && common > 1; place += step) {
                common = worker.common(input, group, place, place + 1, common);
            }
            return common;
        });
        return sampled <= 1 ? 0 : sampled;
    }

    private void pack(StringGroup group, BitPacker packer) {
        forBlocks(group, (from, to, worker) -> worker.pack(input, group, from, to, packer));
        bytesMoved += 2L * Long.BYTES * group.count();
        times.lap(PhaseTimes.Phase.MAKE_SORT_KEYS);
    }

    private void sortKeys(StringGroup group) {
        MemorySegment keys = input.keys().asSlice(group.from() * Long.BYTES, group.count() * Long.BYTES);
        SortReport sorted = keySorter.sort(keys, null);
        times.add(sorted.phases());
        passes = Math.max(passes, sorted.passes());
        bytesMoved += sorted.bytesMoved();
        sorterBytes = Math.max(sorterBytes, sorted.extraBytes());
        largestBucket = Math.max(largestBucket, sorted.largestBucket());
    }

    private void finish(StringGroup group, long depth) {
        forBlocks(group, (from, to, worker) -> worker.finish(input, group, from, to, depth, groups::add));
        bytesMoved += 2L * Long.BYTES * group.count();
        times.lap(PhaseTimes.Phase.SORT_TIES);
    }

    private void unpack(StringGroup group) {
        forBlocks(group, (from, to, worker) -> worker.unpack(input, from, to));
    }

    private void number(StringGroup group) {
        forBlocks(group, (from, to, worker) -> worker.number(input, from, to));
    }

    private long left(StringGroup group) {
        return withWorker(worker -> worker.firstLeft(input, group));
    }

    @FunctionalInterface
    private interface BlockBody {
        void accept(long from, long to, StringWorker worker);
    }

    private void forBlocks(StringGroup group, BlockBody body) {
        parallel.forRanges(
                group.count(),
                StringWorker.BLOCK,
                (first, last) -> withWorker(worker -> {
                    body.accept(group.from() + first, group.from() + last, worker);
                    return 0;
                }));
    }

    private long withWorker(ToLongFunction<StringWorker> body) {
        StringWorker idle = workers.poll();
        StringWorker worker = idle == null ? new StringWorker() : idle;
        try {
            return body.applyAsLong(worker);
        } finally {
            workers.add(worker);
        }
    }

    /// Returns what this sort did.
    ///
    /// @param memoryBytes bytes of the keys
    SortReport report(long memoryBytes) {
        return new SortReportBuilder(CpuSorter.deviceName(parallel.parallelism()))
                .elementCount(input.count())
                .passes(passes)
                .phases(times.phases())
                .total(times.total())
                .bytesMoved(bytesMoved)
                .extraBytes(memoryBytes + sorterBytes + workers.size() * StringWorker.heapBytes())
                .largestBucket(largestBucket)
                .build();
    }
}
