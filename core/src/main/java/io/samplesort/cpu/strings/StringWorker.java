package io.samplesort.cpu.strings;

import io.samplesort.cpu.leaf.LeafSort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// The memory of one thread of a sort, and its work on one block of the strings of a [StringGroup].
final class StringWorker {
    /// The most strings in a block.
    static final int BLOCK = 1 << 12;

    /// Longer runs are sorted by all threads together.
    static final int LONGEST_RUN = RunSort.LIMIT - BLOCK;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final RunSort runSort = new RunSort(new LeafSort());
    /// The keys of a block, and of the rest of a run that begins in it.
    private final long[] keys = new long[RunSort.LIMIT];
    /// The place of each string of a run within its block.
    private final int[] places = new int[RunSort.LIMIT];
    private final long[] indexes = new long[BLOCK];
    private final long[] starts = new long[BLOCK];
    private final long[] ends = new long[BLOCK];
    private final long[] words = new long[BLOCK];
    private final long[] numbers = new long[BLOCK];
    /// Where each run begins and ends in its block.
    private final int[] runs = new int[BLOCK];
    /// Where the last run of a block begins.
    private int lastRun;

    StringWorker() {
        numberAll(numbers, BLOCK);
    }

    /// Returns the bytes of heap that each instance holds, without those of the leaf sort.
    static long heapBytes() {
        return RunSort.heapBytes()
                + (long) (Long.BYTES + Integer.BYTES) * RunSort.LIMIT
                + (5L * Long.BYTES + Integer.BYTES) * BLOCK;
    }

    /// Sorts all strings of an input that are at most [RunSort#LIMIT].
    void sortAlone(SharedStrings input) {
        int count = (int) input.count();
        numberAll(runSort.indexes(), count);
        input.permutation().write(sortRun(input, count), 0, 0, count);
    }

    private static void numberAll(long[] target, int count) {
        for (int i = 0; i < count; i++) {
            target[i] = i;
        }
    }

    /// Returns the order of at most [RunSort#LIMIT] strings.
    ///
    /// @param given their indexes, ascending
    /// @return the indexes in order, which are valid until the next sort
    long[] sort(SharedStrings input, long[] given) {
        System.arraycopy(given, 0, runSort.indexes(), 0, given.length);
        return sortRun(input, given.length);
    }

    private long[] sortRun(SharedStrings input, int count) {
        runSort.addRun(0, count, 0);
        return runSort.sort(input.text(), input.offsets(), count);
    }

    /// Writes the indexes in a block of keys to the permutation.
    void unpack(SharedStrings input, long from, long to) {
        int count = (int) (to - from);
        load(input, from, keys, count);
        keepBits(0, count, input.indexMask());
        input.permutation().write(keys, 0, from, count);
    }

    /// Writes the indexes of a block of strings to the permutation, in input order.
    void number(SharedStrings input, long from, long to) {
        int count = (int) (to - from);
        numberBlock(from, count);
        input.permutation().write(indexes, 0, from, count);
    }

    /// Sets the indexes of a block to consecutive numbers.
    private void numberBlock(long from, int count) {
        for (int i = 0; i < count; i++) {
            indexes[i] = from + i;
        }
    }

    private void keepBits(int from, int to, long mask) {
        for (int i = from; i < to; i++) {
            keys[i] &= mask;
        }
    }

    /// Makes the words of a block and writes them where the keys will be. Nothing is written if the strings have less
    /// in common than was assumed.
    ///
    /// @param skipped   how many bytes to skip beyond the group's depth
    /// @param common    how many of these bytes all strings read so far have in common; lowered if those of this block
    ///     have fewer
    /// @param reference a word to compare with
    /// @return the bits in which a word differs from it
    long makeWords(
            SharedStrings input,
            StringGroup group,
            long from,
            long to,
            long skipped,
            AtomicLong common,
            long reference) {
        int count = (int) (to - from);
        if (skipped == 0) {
            findStrings(input, group, from, count);
        } else if (common.accumulateAndGet(common(input, group, from, to, skipped), Math::min) < skipped) {
            return 0;
        }
        long different = input.text().words(numbers, -1, 0, count, starts, ends, group.depth() + skipped, words);
        store(words, input, from, count);
        return different | words[0] ^ reference;
    }

    /// Returns the word of the first string.
    long firstWord(SharedStrings input, StringGroup group) {
        findStrings(input, group, group.from(), 1);
        input.text().words(numbers, -1, 0, 1, starts, ends, group.depth(), words);
        return words[0];
    }

    /// Returns how many bytes beyond the group's depth all strings of a block have in common with the first string of
    /// the group, at most `limit`. Afterwards the strings of the block are found.
    long common(SharedStrings input, StringGroup group, long from, long to, long limit) {
        findStrings(input, group, group.from(), 1);
        long reference = starts[0] + group.depth();
        long common = Math.min(limit, ends[0] - reference);
        int count = (int) (to - from);
        findStrings(input, group, from, count);
        for (int i = 0; i < count; i++) {
            long start = starts[i] + group.depth();
            common = input.text().common(reference, start, Math.min(common, ends[i] - start));
        }
        return common;
    }

    /// Returns how many bytes of the first string come after the group's depth; a negative number if it is shorter.
    long firstLeft(SharedStrings input, StringGroup group) {
        findStrings(input, group, group.from(), 1);
        return ends[0] - starts[0] - group.depth();
    }

    /// Makes keys of the words of a block.
    void pack(SharedStrings input, StringGroup group, long from, long to, BitPacker packer) {
        int count = (int) (to - from);
        load(input, from, words, count);
        if (group.isWhole()) {
            numberBlock(from, count);
        } else {
            input.permutation().read(from, indexes, count);
        }
        packer.pack(words, indexes, count, input.indexBits());
        store(words, input, from, count);
    }

    /// Finishes the runs that begin in a block of sorted keys: runs of equal words are sorted, and all indexes are
    /// written to the permutation.
    ///
    /// @param depth    how many bytes strings with equal words have in common, unless they end before
    /// @param longRuns takes the runs that are too long for one thread
    void finish(
            SharedStrings input, StringGroup group, long from, long to, long depth, Consumer<StringGroup> longRuns) {
        int count = (int) (to - from);
        int shift = input.indexBits();
        load(input, from, keys, count);
        int begin = from == group.from() ? 0 : endOfRun(input.key(from - 1), count, shift);
        if (begin == count) {
            return;
        }
        int runFields = findRuns(begin, count, shift);
        // The last run may go on beyond the block.
        long runEnd = input.runEnd(to - 1, group.to());
        int end = lastRun;
        if (runEnd - from - lastRun > LONGEST_RUN) {
            longRuns.accept(new StringGroup(from + lastRun, runEnd, depth, false));
        } else {
            end = (int) (runEnd - from);
            MemorySegment.copy(input.keys(), LONG, to * Long.BYTES, keys, count, end - count);
            runFields = addRun(runFields, lastRun, end);
        }
        keepBits(begin, end, input.indexMask());
        sortRuns(input, runFields, depth);
        input.permutation().write(keys, begin, from + begin, end - begin);
    }

    /// Returns the place of the first key of a block whose word differs from that of the given key.
    private int endOfRun(long key, int count, int shift) {
        int end = 0;
        while (end < count && keys[end] >>> shift == key >>> shift) {
            end++;
        }
        return end;
    }

    /// Finds the runs of equal words in a block, except for the last one, whose beginning is [#lastRun]. This and the
    /// other loops of [#finish] are methods of their own, since Java compiles each of them in a fraction of the time
    /// that it takes for all of them together.
    ///
    /// @return how many fields of [#runs] they take
    private int findRuns(int begin, int count, int shift) {
        int fields = 0;
        int start = begin;
        long word = keys[begin] >>> shift;
        for (int i = begin + 1; i < count; i++) {
            long next = keys[i] >>> shift;
            if (next != word) {
                fields = addRun(fields, start, i);
                start = i;
                word = next;
            }
        }
        lastRun = start;
        return fields;
    }

    private int addRun(int fields, int from, int to) {
        if (to - from == 1) {
            return fields;
        }
        runs[fields] = from;
        runs[fields + 1] = to;
        return fields + 2;
    }

    private void sortRuns(SharedStrings input, int runFields, long depth) {
        if (runFields == 0) {
            return;
        }
        for (int run = 0; run < runFields; run += 2) {
            indexes[run / 2] = keys[runs[run]];
        }
        input.offsets().find(indexes, runFields / 2, starts, ends);
        int count = takeRuns(runFields, depth);
        long[] sorted = runSort.sort(input.text(), input.offsets(), count);
        for (int i = 0; i < count; i++) {
            keys[places[i]] = sorted[i];
        }
    }

    /// Hands those runs to [#runSort] whose strings go on beyond `depth`. The strings of other runs are equal.
    ///
    /// @return how many strings these runs have
    private int takeRuns(int runFields, long depth) {
        long[] tied = runSort.indexes();
        int count = 0;
        for (int run = 0; run < runFields; run += 2) {
            if (ends[run / 2] - starts[run / 2] < depth) {
                continue;
            }
            int start = count;
            for (int place = runs[run]; place < runs[run + 1]; place++) {
                tied[count] = keys[place];
                places[count++] = place;
            }
            runSort.addRun(start, count, depth);
        }
        return count;
    }

    private void findStrings(SharedStrings input, StringGroup group, long from, int count) {
        if (group.isWhole()) {
            input.offsets().find(from, count, starts, ends);
        } else {
            input.permutation().read(from, indexes, count);
            input.offsets().find(indexes, count, starts, ends);
        }
    }

    private static void load(SharedStrings input, long from, long[] target, int count) {
        MemorySegment.copy(input.keys(), LONG, from * Long.BYTES, target, 0, count);
    }

    private static void store(long[] source, SharedStrings input, long to, int count) {
        MemorySegment.copy(source, 0, input.keys(), LONG, to * Long.BYTES, count);
    }
}
