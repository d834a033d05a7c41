package io.samplesort.cpu.strings;

import io.samplesort.cpu.threads.Parallel;
import io.samplesort.types.DistinctStrings;
import io.samplesort.types.StringOrder;
import io.samplesort.types.Strings;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/// Work on strings before and after their sort: checks whether they are in order, finds the different ones, and brings
/// them into the order of a permutation. All threads share the work, as far as they may use the memory.
public final class StringColumn {
    private static final int BLOCK = StringWorker.BLOCK;

    private final Strings strings;

    public StringColumn(Strings strings) {
        this.strings = strings;
    }

    /// Returns whether no string belongs before its left neighbour.
    public boolean isSorted(StringOrder order) {
        return isSorted(order, over());
    }

    /// Does the same as [#isSorted(StringOrder)], with these threads.
    boolean isSorted(StringOrder order, Parallel parallel) {
        AtomicBoolean isSorted = new AtomicBoolean(true);
        Offsets offsets = new Offsets(strings);
        StringBytes text = StringBytes.of(strings, new Symbols(order));
        parallel.forRanges(strings.count(), BLOCK, (from, to) -> {
            long first = Math.max(0, from - 1);
            int count = (int) (to - first);
            if (!isSorted.get()) {
                return;
            }
            Neighbours neighbours = new Neighbours(count);
            offsets.find(first, count, neighbours.starts, neighbours.ends);
            neighbours.read(text);
            for (int i = 1; i < count; i++) {
                int compared = neighbours.compare(i);
                if (compared > 0
                        || compared == 0
                                && neighbours.goOn(i)
                                && order.compare(strings, first + i - 1, first + i) > 0) {
                    isSorted.set(false);
                    return;
                }
            }
        });
        return isSorted.get();
    }

    /// Returns the different strings in order.
    ///
    /// @param permutation the indexes of the strings in order
    public DistinctStrings distinct(int[] permutation, StringOrder order) {
        Offsets offsets = new Offsets(strings);
        StringBytes text = StringBytes.of(strings, new Symbols(order));
        Parallel parallel = over();
        // A bit for each place whose string differs from the one before. Each word of bits belongs to one block.
        long[] isNew = new long[permutation.length / Long.SIZE + 1];
        int[] newBefore = new int[permutation.length / BLOCK + 2];
        parallel.forRanges(permutation.length, BLOCK, (from, to) -> {
            int first = (int) Math.max(0, from - 1);
            int count = (int) to - first;
            Neighbours neighbours = new Neighbours(count);
            for (int i = 0; i < count; i++) {
                neighbours.numbers[i] = permutation[first + i];
            }
            offsets.find(neighbours.numbers, count, neighbours.starts, neighbours.ends);
            neighbours.read(text);
            int found = 0;
            for (int place = (int) from; place < to; place++) {
                int i = place - first;
                if (i == 0
                        || neighbours.compare(i) != 0
                        || neighbours.goOn(i)
                                && order.compare(strings, permutation[place - 1], permutation[place]) != 0) {
                    isNew[place / Long.SIZE] |= 1L << place;
                    found++;
                }
            }
            newBefore[(int) (from / BLOCK) + 1] = found;
        });
        Arrays.parallelPrefix(newBefore, Integer::sum);
        int size = newBefore[newBefore.length - 1];
        int[] indexes = new int[size];
        int[] begins = new int[size];
        parallel.forRanges(permutation.length, BLOCK, (from, to) -> {
            int at = newBefore[(int) (from / BLOCK)];
            for (int place = (int) from; place < to; place++) {
                if ((isNew[place / Long.SIZE] >>> place & 1) != 0) {
                    indexes[at] = permutation[place];
                    begins[at++] = place;
                }
            }
        });
        for (int i = 0; i < size; i++) {
            begins[i] = (i + 1 < size ? begins[i + 1] : permutation.length) - begins[i];
        }
        return new DistinctStrings(indexes, begins);
    }

    /// Strings of one block and the one before them, with their words.
    private static final class Neighbours {
        private final long[] numbers;
        private final long[] starts;
        private final long[] ends;
        private final long[] words;

        Neighbours(int count) {
            numbers = new long[count];
            starts = new long[count];
            ends = new long[count];
            words = new long[count];
        }

        void read(StringBytes text) {
            Arrays.setAll(numbers, i -> i);
            text.words(numbers, -1, 0, numbers.length, starts, ends, 0, words);
        }

        /// Compares the string before string `i` with it by their words.
        int compare(int i) {
            return Long.compare(words[i - 1], words[i]);
        }

        /// Returns whether strings with equal words may differ in what follows.
        boolean goOn(int i) {
            return ends[i] - starts[i] >= Symbols.COUNT;
        }
    }

    /// Writes where the strings begin and how long they are, in the order of a permutation.
    ///
    /// @param starts  takes longs
    /// @param lengths longs: first the permutation, then the lengths
    public void writePlaces(MemorySegment starts, MemorySegment lengths) {
        Offsets offsets = new Offsets(strings);
        Indexes allStarts = new Indexes(starts, Long.BYTES);
        Indexes allLengths = new Indexes(lengths, Long.BYTES);
        over(starts, lengths).forRanges(strings.count(), BLOCK, (from, to) -> {
            int count = (int) (to - from);
            long[] indexes = new long[count];
            long[] begins = new long[count];
            long[] ends = new long[count];
            allLengths.read(from, indexes, count);
            offsets.find(indexes, count, begins, ends);
            for (int i = 0; i < count; i++) {
                ends[i] -= begins[i];
            }
            allStarts.write(begins, 0, from, count);
            allLengths.write(ends, 0, from, count);
        });
    }

    /// Writes the strings in the order of a permutation, with their terminators: all bytes from the first byte of
    /// `bytes` on, and offsets that begin with 0.
    ///
    /// @param permutation  the index of the string that comes first, second, …
    /// @param indexBytes   bytes of an index, 4 or 8
    /// @param bytes        room for all bytes
    /// @param targetOffsets room for as many offsets as the strings have, of the same type
    public void gather(MemorySegment permutation, int indexBytes, MemorySegment bytes, MemorySegment targetOffsets) {
        Strings whole = strings.withoutLast(0);
        long count = whole.count();
        Offsets offsets = new Offsets(whole);
        Indexes indexes = new Indexes(permutation, indexBytes);
        Indexes target = new Indexes(targetOffsets, whole.offsetType().byteSize());
        Parallel parallel = over(permutation, bytes, targetOffsets);
        long[] blockStarts = new long[Math.toIntExact(count / BLOCK + 2)];
        parallel.forRanges(count, BLOCK, (from, to) -> {
            StringGather gather = new StringGather((int) (to - from));
            blockStarts[(int) (from / BLOCK) + 1] = gather.find(indexes, offsets, from);
        });
        Arrays.parallelPrefix(blockStarts, Long::sum);
        target.write(new long[1], 0, 0, 1);
        StringBytes text = StringBytes.of(whole, new Symbols(StringOrder.bytes()));
        parallel.forRanges(count, BLOCK, (from, to) -> {
            StringGather gather = new StringGather((int) (to - from));
            gather.find(indexes, offsets, from);
            gather.copy(text, whole.bytes(), bytes, blockStarts[(int) (from / BLOCK)]);
            gather.writeOffsets(target, from + 1, blockStarts[(int) (from / BLOCK)]);
        });
    }

    /// Returns the threads for work on the strings and these segments: only the calling thread if helpers may not use
    /// one of them.
    private Parallel over(MemorySegment... others) {
        boolean isShared = Parallel.isShared(strings.bytes()) && Parallel.isShared(strings.offsets());
        for (MemorySegment other : others) {
            isShared &= Parallel.isShared(other);
        }
        return new Parallel(isShared ? Parallel.commonParallelism() : 1);
    }
}
