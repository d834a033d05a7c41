package io.samplesort.cpu.select;

import io.samplesort.cpu.records.ElementComparator;
import io.samplesort.cpu.records.IndexMergeSort;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.RankBounds;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/// Finds the rows that come first or last, without sorting the others, of rows whose keys are read in parts: objects,
/// strings, or several columns. A part is a word for each row. The word of the last wanted row divides the rows: those
/// before it are chosen, those after it are left out, and only rows with the same word are still open, for the next
/// part to decide.
///
/// Rows are the indexes from 0 on. Of equal rows, the one with the smaller index comes first.
public final class RowSelection {
    /// The most rows that a thread reads at a time.
    private static final int GRAIN = 1 << 13;

    /// Fewer rows are sorted as fast as they are sampled.
    private static final int LEAST_FILTERED = 1 << 13;

    /// If more than one in this many rows is wanted, no sample is taken.
    private static final int MOST_WANTED = 4;

    private final boolean isLast;
    private final Parallel parallel;
    private final List<int[]> chosen = new ArrayList<>();
    /// Ascending; null for all rows.
    private int[] open;

    private int openCount;
    private int wanted;

    /// Reads words of rows.
    @FunctionalInterface
    public interface Words {
        /// Reads the words of `count` rows. Rows with a smaller word, as a signed number, come first.
        ///
        /// @param rows  which rows, from place `from` on; null for the rows `from`, `from + 1` and so on
        /// @param words takes the words, from place 0 on; it has room for more
        void read(int[] rows, int from, int count, long[] words);
    }

    /// @param wanted how many of the `count` rows are wanted
    /// @param isLast whether these are the rows that come last
    public RowSelection(int count, int wanted, boolean isLast, int threads) {
        this.openCount = count;
        this.wanted = wanted;
        this.isLast = isLast;
        this.parallel = new Parallel(count <= GRAIN ? 1 : threads);
    }

    /// Returns whether a selection of this many rows takes less time than a sort.
    public static boolean isWorthwhile(int count, long wanted) {
        return count >= LEAST_FILTERED && wanted <= count / MOST_WANTED;
    }

    /// Returns whether it does not matter how the open rows compare.
    public boolean isDone() {
        return wanted == 0 || wanted == openCount;
    }

    public int openCount() {
        return openCount;
    }

    /// Returns the threads that work on this selection.
    public Parallel parallel() {
        return parallel;
    }

    /// Returns the open row at this place among them.
    public int open(int place) {
        return open == null ? place : open[place];
    }

    /// Leaves only those rows open that the words of the rows do not tell apart. At least one row must be wanted.
    ///
    /// @return the word of the rows that are still open
    public long narrow(Words words) {
        Kept kept = keep(words);
        long bound = kept.ofRank(wanted - 1, parallel);
        int[] before = kept.rows(word -> word < bound);
        int[] equal = kept.rows(word -> word == bound);
        if (equal.length < openCount) {
            open = equal;
            openCount = equal.length;
        }
        chosen.add(before);
        wanted -= before.length;
        return isLast ? ~bound : bound;
    }

    /// Leaves out rows that come after a bound, by comparing each with the bound. More rows than are wanted are still
    /// open afterwards.
    ///
    /// @param comparator compares rows of a sample
    /// @param toBound    for a bound, which is a row, what compares other rows with it
    public void compare(ElementComparator comparator, IntFunction<IntUnaryOperator> toBound) {
        if (!isWorthwhile(openCount, wanted)) {
            return;
        }
        for (int attempt = 0; attempt < RankBounds.MOST_ATTEMPTS; attempt++) {
            RankBounds bounds = Sampler.bounds(openCount, 0, wanted, attempt);
            if (!bounds.hasHigh()) {
                return;
            }
            int[] sample = sample(bounds, attempt);
            new IndexMergeSort(parallel, comparator, sample, new int[sample.length], GRAIN).sort(0, sample.length);
            int bound = sample[isLast ? sample.length - 1 - bounds.high() : bounds.high()];
            IntUnaryOperator compare = toBound.apply(bound);
            Kept kept = Kept.of(openCount, parallel, (from, count, rows, words) -> {
                int n = 0;
                for (int place = from; place < from + count; place++) {
                    int row = open(place);
                    int compared = compare.applyAsInt(row);
                    int directed = compared == 0 ? Integer.compare(row, bound) : compared;
                    if (isLast ? directed >= 0 : directed <= 0) {
                        words[n] = compared;
                        rows[n++] = row;
                    }
                }
                return n;
            });
            if (kept.count() >= wanted) {
                open = kept.rows(word -> true);
                openCount = open.length;
                return;
            }
        }
    }

    /// Returns the chosen rows and those that are still open, ascending.
    ///
    /// @param areEqual whether the open rows are equal, so that only as many of them are returned as are wanted
    public int[] rows(boolean areEqual) {
        int taken = areEqual ? wanted : openCount;
        int first = isLast ? openCount - taken : 0;
        int size = taken;
        for (int[] some : chosen) {
            size += some.length;
        }
        int[] all = new int[size];
        for (int i = 0; i < taken; i++) {
            all[i] = open(first + i);
        }
        int at = taken;
        for (int[] some : chosen) {
            System.arraycopy(some, 0, all, at, some.length);
            at += some.length;
        }
        Arrays.sort(all);
        return all;
    }

    private int[] sample(RankBounds bounds, int attempt) {
        return Arrays.stream(Sampler.places(bounds, attempt))
                .mapToInt(place -> open((int) place))
                .toArray();
    }

    /// Keeps the open rows that come first by their words, all those of equal words among them, and few others.
    private Kept keep(Words words) {
        if (isWorthwhile(openCount, wanted)) {
            for (int attempt = 0; attempt < RankBounds.MOST_ATTEMPTS; attempt++) {
                RankBounds bounds = Sampler.bounds(openCount, 0, wanted, attempt);
                if (!bounds.hasHigh()) {
                    break;
                }
                int[] sample = sample(bounds, attempt);
                long[] sampled = new long[sample.length];
                read(words, sample, 0, sample.length, sampled);
                Arrays.sort(sampled);
                Kept kept = keep(words, sampled[bounds.high()]);
                if (kept.count() >= wanted) {
                    return kept;
                }
            }
        }
        return keep(words, Long.MAX_VALUE);
    }

    private Kept keep(Words words, long bound) {
        return Kept.of(openCount, parallel, (from, count, rows, read) -> {
            read(words, open, from, count, read);
            int n = 0;
            for (int i = 0; i < count; i++) {
                long word = read[i];
                if (word <= bound) {
                    read[n] = word;
                    rows[n++] = open(from + i);
                }
            }
            return n;
        });
    }

    /// Reads words such that the wanted rows have the smallest ones.
    private void read(Words words, int[] rows, int from, int count, long[] target) {
        words.read(rows, from, count, target);
        if (isLast) {
            for (int i = 0; i < count; i++) {
                target[i] = ~target[i];
            }
        }
    }

    /// Rows and their words, in blocks.
    private record Kept(int[][] blocks, long[][] words, int count) {
        /// More words than this are not all sorted to find one of them.
        private static final int MOST_SORTED = 1 << 14;

        /// Keeps some of the rows at `count` places from `from` on, and returns how many.
        interface Filter {
            int keep(int from, int count, int[] rows, long[] words);
        }

        interface Choice {
            boolean takes(long word);
        }

        private record Buffer(int[] rows, long[] words) {}

        static Kept of(int count, Parallel parallel, Filter filter) {
            int[][] blocks = new int[Math.ceilDiv(count, GRAIN)][];
            long[][] words = new long[blocks.length][];
            // Each thread takes one of these for some rows.
            ConcurrentLinkedQueue<Buffer> buffers = new ConcurrentLinkedQueue<>();
            parallel.forRanges(count, GRAIN, (from, to) -> {
                Buffer idle = buffers.poll();
                Buffer buffer = idle == null ? new Buffer(new int[GRAIN], new long[GRAIN]) : idle;
                int kept = filter.keep((int) from, (int) (to - from), buffer.rows, buffer.words);
                blocks[(int) (from / GRAIN)] = Arrays.copyOf(buffer.rows, kept);
                words[(int) (from / GRAIN)] = Arrays.copyOf(buffer.words, kept);
                buffers.add(buffer);
            });
            return new Kept(
                    blocks,
                    words,
                    Arrays.stream(blocks).mapToInt(block -> block.length).sum());
        }

        /// Returns the word of this rank among all words.
        long ofRank(int rank, Parallel parallel) {
            long[] all = new long[count];
            int at = 0;
            for (long[] block : words) {
                System.arraycopy(block, 0, all, at, block.length);
                at += block.length;
            }
            if (count <= MOST_SORTED) {
                Arrays.sort(all);
                return all[rank];
            }
            long[] found = new long[1];
            try (CpuSelector selector = new CpuSelector(ElementType.LONG, Order.natural(), parallel.parallelism())) {
                selector.select(
                        List.of(MemorySegment.ofArray(all)),
                        new int[] {Long.BYTES},
                        rank,
                        rank + 1L,
                        List.of(MemorySegment.ofArray(found)));
            }
            return found[0];
        }

        int[] rows(Choice choice) {
            int[] taken = new int[count];
            int n = 0;
            for (int block = 0; block < blocks.length; block++) {
                for (int i = 0; i < blocks[block].length; i++) {
                    if (choice.takes(words[block][i])) {
                        taken[n++] = blocks[block][i];
                    }
                }
            }
            return Arrays.copyOf(taken, n);
        }
    }
}
