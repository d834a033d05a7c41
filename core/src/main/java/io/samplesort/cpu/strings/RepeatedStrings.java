package io.samplesort.cpu.strings;

import io.samplesort.cpu.numbers.PhaseTimes;
import io.samplesort.cpu.threads.Parallel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/// Sorts strings of which few are different, such as the names of countries. Each string is read once, in input order,
/// and looked up in a table. Then only the different strings are sorted, and the indexes are counted into place.
/// However much the strings have in common, their bytes are not read again.
final class RepeatedStrings {
    /// If strings repeat often enough, two of this many are most likely equal. In most other inputs all are different,
    /// and this is found quickly.
    private static final int FIRST_SAMPLE = 128;

    private static final int LARGEST_SAMPLE = 1 << 13;
    /// A sample has one in this many strings.
    private static final int SAMPLED = 64;
    /// At most one string in this many may be the only one of its kind in the sample.
    private static final int MOST_SINGLE = 4;
    /// At most this many bytes of a sampled string are compared.
    private static final int SAMPLED_BYTES = 1 << 10;

    private static final int BLOCK = StringWorker.BLOCK;

    private final SharedStrings input;
    private final Parallel parallel;
    private final PhaseTimes times;
    private final SplittableRandom random;
    /// The different strings of the input; null until a sample suggests that there are few.
    private StringTable table;

    private final Queue<Block> blocks = new ConcurrentLinkedQueue<>();

    RepeatedStrings(SharedStrings input, Parallel parallel, PhaseTimes times) {
        this.input = input;
        this.parallel = parallel;
        this.times = times;
        this.random = new SplittableRandom(input.count());
    }

    /// What one thread reads of a block of strings.
    private final class Block {
        private final long[] starts = new long[BLOCK];
        private final long[] ends = new long[BLOCK];
        private final long[] words = new long[BLOCK];

        /// Writes the numbers of strings in place of their keys.
        void number(long from, long to) {
            if (table.isFull()) {
                return;
            }
            int count = (int) (to - from);
            input.offsets().find(from, count, starts, ends);
            for (int i = 0; i < count; i++) {
                words[i] = i > 0 && isLikeLast(i) ? words[i - 1] : number(from + i, starts[i], ends[i] - starts[i]);
            }
            MemorySegment.copy(words, 0, input.keys(), ValueLayout.JAVA_LONG_UNALIGNED, from * Long.BYTES, count);
        }

        private boolean isLikeLast(int i) {
            long length = ends[i] - starts[i];
            return ends[i - 1] - starts[i - 1] == length && input.text().areEqual(starts[i - 1], starts[i], length);
        }

        private int number(long index, long start, long length) {
            return table.number(input.text().hash(start, length), index, start, length);
        }

        void count(long from, long to, long[] counts) {
            load(from, to);
            for (int i = 0; i < to - from; i++) {
                counts[(int) words[i]]++;
            }
        }

        /// Writes the indexes of the strings to their places.
        ///
        /// @param places where the next string of each number goes
        void scatter(long from, long to, long[] places) {
            load(from, to);
            for (int i = 0; i < to - from; i++) {
                words[i] = places[(int) words[i]]++;
            }
            input.permutation().scatter(words, from, (int) (to - from));
        }

        private void load(long from, long to) {
            MemorySegment.copy(
                    input.keys(), ValueLayout.JAVA_LONG_UNALIGNED, from * Long.BYTES, words, 0, (int) (to - from));
        }
    }

    /// Sorts the strings if they repeat often enough.
    ///
    /// @return false if they do not; nothing has been written to the permutation in that case
    boolean trySort(StringWorker worker) {
        if (!doRepeat()) {
            return false;
        }
        table = new StringTable(input.text());
        parallel.forRanges(input.count(), BLOCK, (from, to) -> withBlock(block -> block.number(from, to)));
        if (table.isFull()) {
            return false;
        }
        times.lap(PhaseTimes.Phase.COUNT_KEYS);
        scatter(numbersInOrder(worker));
        times.lap(PhaseTimes.Phase.SCATTER);
        return true;
    }

    /// Returns whether few strings of a sample are the only ones of their kind.
    private boolean doRepeat() {
        if (single(FIRST_SAMPLE) == FIRST_SAMPLE) {
            return false;
        }
        int size = (int) Math.min(LARGEST_SAMPLE, input.count() / SAMPLED);
        return single(size) * MOST_SINGLE < size;
    }

    /// Returns how many strings of a random sample have a hash that no other string of the sample has.
    private int single(int size) {
        long[] hashes = random.longs(size, 0, input.count()).toArray();
        long[] starts = new long[size];
        long[] ends = new long[size];
        input.offsets().find(hashes, size, starts, ends);
        for (int i = 0; i < size; i++) {
            hashes[i] = input.text().hash(starts[i], Math.min(ends[i] - starts[i], SAMPLED_BYTES));
        }
        Arrays.sort(hashes);
        int single = 0;
        for (int i = 0; i < size; i++) {
            boolean isFirst = i == 0 || hashes[i] != hashes[i - 1];
            boolean isLast = i == size - 1 || hashes[i] != hashes[i + 1];
            single += isFirst && isLast ? 1 : 0;
        }
        return single;
    }

    /// Sorts the different strings, and returns their numbers in order.
    private int[] numbersInOrder(StringWorker worker) {
        // The index of each different string, with its number in the low bits.
        long[] numbered = new long[table.size()];
        int count = 0;
        for (int number = 0; number < numbered.length; number++) {
            if (table.index(number) >= 0) {
                numbered[count++] = table.index(number) * StringTable.MOST + number;
            }
        }
        Arrays.sort(numbered, 0, count);
        long[] indexes = new long[count];
        for (int i = 0; i < count; i++) {
            indexes[i] = numbered[i] / StringTable.MOST;
        }
        long[] sorted = worker.sort(input, indexes);
        int[] numbers = new int[count];
        for (int rank = 0; rank < count; rank++) {
            int place = Arrays.binarySearch(indexes, sorted[rank]);
            numbers[rank] = (int) (numbered[place] % StringTable.MOST);
        }
        return numbers;
    }

    /// Counts the indexes into place. Each thread does so for a part of the strings, after those of the parts before.
    ///
    /// @param numbers of the different strings, in order
    private void scatter(int[] numbers) {
        int parts = parallel.parallelism();
        long size = Math.ceilDiv(Math.ceilDiv(input.count(), (long) parts), BLOCK) * (long) BLOCK;
        long[][] places = new long[parts][table.size()];
        forBlocks(parts, size, (block, part, from, to) -> block.count(from, to, places[part]));
        long place = 0;
        for (int number : numbers) {
            for (long[] inPart : places) {
                long counted = inPart[number];
                inPart[number] = place;
                place += counted;
            }
        }
        if (place != input.count()) {
            throw new AssertionError("counts sum to " + place + ", not " + input.count());
        }
        forBlocks(parts, size, (block, part, from, to) -> block.scatter(from, to, places[part]));
    }

    @FunctionalInterface
    private interface PartBody {
        void accept(Block block, int part, long from, long to);
    }

    private void forBlocks(int parts, long size, PartBody body) {
        parallel.forRanges(
                parts,
                1,
                (first, last) -> withBlock(block -> {
                    for (int part = (int) first; part < last; part++) {
                        long end = Math.min(input.count(), (part + 1) * size);
                        for (long from = part * size; from < end; from += BLOCK) {
                            body.accept(block, part, from, Math.min(end, from + BLOCK));
                        }
                    }
                }));
    }

    private void withBlock(Consumer<Block> body) {
        Block idle = blocks.poll();
        Block block = idle == null ? new Block() : idle;
        body.accept(block);
        blocks.add(block);
    }

    /// Returns the bytes of heap that the sort has taken.
    long heapBytes() {
        return 2 * StringTable.heapBytes() + 3L * Long.BYTES * BLOCK * blocks.size();
    }
}
