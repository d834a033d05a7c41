package io.samplesort.cpu.strings;

import io.samplesort.cpu.leaf.LeafSort;
import java.util.Arrays;

/// Sorts runs of strings that begin alike, in the caches of one core. It goes through all runs in rounds: the words of
/// all strings are read first, so that the processor waits for many of them at once, and then each run is sorted by its
/// words. Strings with equal words become a run of the next round, which begins where their common bytes end.
///
/// Runs are sorted in place. Equal strings stay in their order.
final class RunSort {
    /// The most strings that are sorted at a time.
    static final int LIMIT = 40 << 10;

    /// An insertion sort takes up to this many strings.
    private static final int SMALL = 24;

    /// Strings that begin alike are first compared in this many bytes, and then in twice as many each time.
    private static final int WINDOW = 64;

    /// With two bits to spare, the leaf sort can treat longs as doubles.
    private static final int PACKED_BITS = 62;

    /// Enough bits, in addition to log2(n), to tell most of n strings from each other.
    private static final int SPARE_BITS = 8;

    private final LeafSort leafSort;
    private final long[] indexes = new long[LIMIT];
    private final long[] starts = new long[LIMIT];
    private final long[] ends = new long[LIMIT];
    private final long[] words = new long[LIMIT];
    /// The numbers of the strings in their order, in the bits of `mask`: string k has index `indexes[k]`.
    private final long[] strings = new long[LIMIT];
    private StringBytes text;
    private int numberBits;
    private long mask;

    private Runs runs = new Runs();
    private Runs nextRuns = new Runs();

    /// Places `from..to` of strings that have `depth` bytes in common, three longs for each run.
    private static final class Runs {
        private static final int FIELDS = 3;

        private long[] fields = new long[64 * FIELDS];
        private int size;

        void add(int from, int to, long depth) {
            if (size == fields.length) {
                fields = Arrays.copyOf(fields, 2 * size);
            }
            fields[size] = from;
            fields[size + 1] = to;
            fields[size + 2] = depth;
            size += FIELDS;
        }

        int from(int run) {
            return (int) fields[run];
        }

        int to(int run) {
            return (int) fields[run + 1];
        }

        long depth(int run) {
            return fields[run + 2];
        }
    }

    RunSort(LeafSort leafSort) {
        this.leafSort = leafSort;
    }

    /// Returns the bytes of heap that each instance holds.
    static long heapBytes() {
        return 5L * Long.BYTES * LIMIT;
    }

    /// Returns room for the indexes of the strings to sort, in ascending order within each run.
    long[] indexes() {
        return indexes;
    }

    /// Adds a run of strings that have at least `depth` bytes in common.
    void addRun(int from, int to, long depth) {
        runs.add(from, to, depth);
    }

    /// Sorts all runs among the first `count` places, and returns the indexes in order. They are valid until the next
    /// sort.
    long[] sort(StringBytes text, Offsets offsets, int count) {
        this.text = text;
        numberBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1));
        mask = (1L << numberBits) - 1;
        offsets.find(indexes, count, starts, ends);
        numberStrings(count);
        while (runs.size > 0) {
            sortRound();
        }
        return sortedIndexes(count);
    }

    private void numberStrings(int count) {
        for (int i = 0; i < count; i++) {
            strings[i] = i;
        }
    }

    /// Returns the indexes of the strings in their order, in the array of the words.
    private long[] sortedIndexes(int count) {
        for (int i = 0; i < count; i++) {
            words[i] = indexes[(int) (strings[i] & mask)];
        }
        return words;
    }

    private void sortRound() {
        long[] different = new long[runs.size / Runs.FIELDS];
        for (int i = 0, run = 0; run < runs.size; run += Runs.FIELDS, i++) {
            different[i] =
                    text.words(strings, mask, runs.from(run), runs.to(run), starts, ends, runs.depth(run), words);
        }
        for (int i = 0, run = 0; run < runs.size; run += Runs.FIELDS, i++) {
            sort(runs.from(run), runs.to(run), runs.depth(run), different[i]);
        }
        Runs done = runs;
        runs = nextRuns;
        nextRuns = done;
        nextRuns.size = 0;
    }

    /// Sorts a run by the words of its strings.
    ///
    /// @param different the bits in which words differ
    private void sort(int from, int to, long depth, long different) {
        int count = to - from;
        if (different == 0) {
            if (left(from, depth) >= Symbols.COUNT) {
                long next = depth + Symbols.COUNT;
                nextRuns.add(from, to, next + common(from, to, next));
            }
        } else if (count <= SMALL) {
            insert(from, to);
            addEqual(from, to, words, 0, depth + Symbols.COUNT);
        } else {
            int common = Symbols.common(different);
            int numberOfBits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
            if (common > 1 && Long.bitCount(different) < numberOfBits + SPARE_BITS) {
                nextRuns.add(from, to, depth + common);
            } else {
                sortPacked(from, to, depth, new BitPacker(different, PACKED_BITS - numberBits));
            }
        }
    }

    private void sortPacked(int from, int to, long depth, BitPacker packer) {
        for (int i = from; i < to; i++) {
            strings[i] = packer.pack(words[i]) << numberBits | strings[i] & mask;
        }
        leafSort.sort(strings, from, to);
        addEqual(from, to, strings, numberBits, depth + packer.symbols());
    }

    /// Adds the runs of equal words to those of the next round, unless their strings have ended.
    ///
    /// @param keys   words, in the bits from `shift` on
    /// @param depth  how many bytes strings of equal words have in common, unless they end before
    private void addEqual(int from, int to, long[] keys, int shift, long depth) {
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || keys[i] >>> shift != keys[start] >>> shift) {
                if (i - start > 1 && left(start, depth) >= 0) {
                    nextRuns.add(start, i, depth);
                }
                start = i;
            }
        }
    }

    private void insert(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long word = words[i];
            long string = strings[i];
            int free = i;
            while (free > from && words[free - 1] > word) {
                words[free] = words[free - 1];
                strings[free] = strings[free - 1];
                free--;
            }
            words[free] = word;
            strings[free] = string;
        }
    }

    /// Returns how many bytes the string at this place has beyond the first `depth`.
    private long left(int place, long depth) {
        int string = (int) (strings[place] & mask);
        return ends[string] - starts[string] - depth;
    }

    /// Returns how many bytes beyond the first `depth` the strings at these places have in common. A string is read no
    /// further than twice as far as all of them agree, since what two of them share may be much longer.
    private long common(int from, int to, long depth) {
        int first = (int) (strings[from] & mask);
        long common = 0;
        for (long window = WINDOW; ; window *= 2) {
            long limit = Math.min(window, left(from, depth + common));
            for (int i = from + 1; i < to && limit > 0; i++) {
                int string = (int) (strings[i] & mask);
                limit = Math.min(limit, left(i, depth + common));
                limit = text.common(starts[first] + depth + common, starts[string] + depth + common, limit);
            }
            common += limit;
            if (limit < window) {
                return common;
            }
        }
    }
}
