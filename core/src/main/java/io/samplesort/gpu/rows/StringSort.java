package io.samplesort.gpu.rows;

import static io.samplesort.gpu.code.KernelConstants.GROUP_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SMALL_GROUP;
import static io.samplesort.gpu.code.KernelStructs.ALPHABET_BYTES;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.TieState;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Sorts the indexes of strings in device memory, after Bingmann, Sanders, "Parallel String Sample Sort" (2013): a
/// round sorts words of several bytes as numbers, and strings with equal words go on to the next round with the bytes
/// after these. ties.cuh describes what the kernels do.
///
/// After each round the host waits to learn how many strings are still tied. Nothing else waits.
public final class StringSort {
    /// Bytes of `TieState`, which the host reads after a round.
    public static final int STATE_BYTES = TieState.values().length * Long.BYTES;

    private static final int WORD_BYTES = Long.BYTES;

    private final DeviceSort words;
    private final StringKernels kernels;
    private final Stream stream;
    private final MemorySegment readBack;

    /// @param words    sorts words by index
    /// @param readBack pinned memory of [#STATE_BYTES]
    public StringSort(DeviceSort words, StringKernels kernels, Stream stream, MemorySegment readBack) {
        this.words = words;
        this.kernels = kernels;
        this.stream = stream;
        this.readBack = readBack;
    }

    /// Returns the most device memory that a sort takes in addition to the memory for sorting its words.
    public static long besideBytes(long count) {
        long sorted = count * (WORD_BYTES + RowProgram.SORT_KEY_BYTES);
        // While strings move to the next round, memory holds those of two rounds, in groups above the limit for small
        // ones.
        long tied = 2 * TiedStrings.byteSize(count, count / SMALL_GROUP + 1);
        return sorted + tied + StringKernels.tiles(count) * (long) Long.BYTES + STATE_BYTES + ALPHABET_BYTES;
    }

    /// Sorts the indexes, and waits for the end.
    ///
    /// @param strategy    the strategy for all strings
    /// @param permutation device address of the result
    /// @param indexBytes  bytes of an index, 4 or 8
    /// @return how many rounds there were
    /// @throws IllegalArgumentException if the offsets are wrong; in that case the permutation is unchanged
    public int argsort(DeviceText text, SortStrategy strategy, long permutation, int indexBytes, PhaseTimer timer) {
        if (text.count() == 0) {
            return 0;
        }
        try (Rounds rounds = new Rounds(text, permutation, indexBytes, timer)) {
            return rounds.run(strategy);
        }
    }

    private Context context() {
        return words.context();
    }

    private DeviceAllocation allocate(long bytes) {
        return DeviceAllocation.allocateAsync(context(), stream, bytes);
    }

    /// The rounds of one sort, and their device memory.
    private final class Rounds implements AutoCloseable {
        private final DeviceText text;
        private final long permutation;
        private final int indexBytes;
        private final PhaseTimer timer;
        private final Owned owned = new Owned();
        private final DeviceAllocation state;

        Rounds(DeviceText text, long permutation, int indexBytes, PhaseTimer timer) {
            this.text = text;
            this.permutation = permutation;
            this.indexBytes = indexBytes;
            this.timer = timer;
            state = owned.add(allocate(STATE_BYTES + ALPHABET_BYTES));
        }

        int run(SortStrategy strategy) {
            stream.fill(state.address(), (byte) 0, STATE_BYTES);
            timer.part("round 0");
            TiedStrings tied = firstRound(strategy);
            int rounds = 1;
            while (tied != null) {
                timer.part("round " + rounds);
                tied = nextRound(tied);
                rounds++;
            }
            timer.end();
            return rounds;
        }

        private TiedStrings firstRound(SortStrategy strategy) {
            try (SortedWords sorted = new SortedWords(text.count())) {
                timer.phase("make_words");
                long alphabet = state.address() + STATE_BYTES;
                // A sample gives a guess how many bytes all strings share, and which bytes follow these. The words are
                // made by this guess, and are made anew if it was wrong.
                kernels.of("guess_prefix", text)
                        .values(state.address(), alphabet)
                        .launch(stream, 1);
                makeWords(kernels.of("make_words", text), sorted, alphabet);
                makeWords(kernels.of("correct_words", text), sorted, alphabet);
                sorted.sort(strategy, timer);
                return finish(new StringRound(text.count(), sorted.keys(), null, 0, state.address()), sorted);
            }
        }

        private void makeWords(KernelLaunch kernel, SortedWords sorted, long alphabet) {
            kernel.values(sorted.words(), state.address(), alphabet)
                    .launchInWaves(stream, StringKernels.blocks(text.count()));
        }

        /// Sorts tied strings, and returns those that are still tied; null if there are none.
        private TiedStrings nextRound(TiedStrings tied) {
            try (tied;
                    SortedWords sorted = new SortedWords(tied.count())) {
                int wordBytes = tied.wordBytes();
                timer.phase("make_tied_words");
                makeTiedWords(kernels.of("make_tied_words", text), tied, sorted);
                // Strings of a group may share many bytes with its first one, and the next round skips these.
                makeTiedWords(kernels.of("find_skips", text), tied, sorted);
                sorted.sort(words.strategies().choose("sorting %d tied strings", tied.count(), 0), timer);
                return finish(new StringRound(tied.count(), sorted.keys(), tied, wordBytes, state.address()), sorted);
            }
        }

        private void makeTiedWords(KernelLaunch kernel, TiedStrings tied, SortedWords sorted) {
            kernel.with(tied.fields())
                    .values(tied.wordBytes(), sorted.words(), state.address())
                    .launchInWaves(stream, StringKernels.blocks(tied.count()));
        }

        /// Writes the part of the permutation that this round has settled, and puts the strings of small groups where
        /// they belong. Returns the strings of larger groups, without gaps; null if there are none.
        private TiedStrings finish(StringRound round, SortedWords sorted) {
            int tiles = StringKernels.tiles(round.count());
            try (DeviceAllocation tileCounts = allocate(tiles * (long) Long.BYTES)) {
                // For small groups of this round, and for the words of the next one.
                stream.fill(field(TieState.HAS_SKIPS), (byte) 0, 2 * Long.BYTES);
                timer.phase("mark_ties");
                // The words are in the sort keys now, so their memory is free for small groups.
                long small = sorted.words();
                kernels.of("mark_ties")
                        .with(round.fields(), text.fields(kernels.order()))
                        .values(permutation, indexBytes, small, tileCounts.address())
                        .launch(stream, tiles);
                timer.phase("scan_tiles");
                kernels.scanTiles(stream, tileCounts.address(), tiles, field(TieState.TIED));
                timer.phase("sort_small_groups");
                kernels.of("sort_small_groups")
                        .with(round.fields(), text.fields(kernels.order()))
                        .values(small, permutation, indexBytes)
                        .launchInWaves(stream, Math.ceilDiv(round.count(), GROUP_THREADS - SMALL_GROUP));
                timer.phase("read_count");
                stream.copyToHost(readBack, state.address(), STATE_BYTES);
                stream.synchronize();
                checkOffsets();
                long tiedCount = Integer.toUnsignedLong((int) read(TieState.TIED));
                long groups = read(TieState.TIED) >>> Integer.SIZE;
                if (tiedCount == 0) {
                    return null;
                }
                timer.phase("gather_ties");
                // This is closed with the sort, or as soon as its round has ended.
                TiedStrings next = owned.add(new TiedStrings(context(), stream, tiedCount, groups));
                kernels.of("gather_ties")
                        .with(round.fields(), text.fields(kernels.order()))
                        .values(tileCounts.address(), tiles)
                        .with(next.fields())
                        .launch(stream, tiles);
                return next;
            }
        }

        /// Returns the device address of a field.
        private long field(TieState field) {
            return state.address() + (long) field.ordinal() * Long.BYTES;
        }

        private long read(TieState field) {
            return readBack.getAtIndex(ValueLayout.JAVA_LONG, field.ordinal());
        }

        private void checkOffsets() {
            long wrong = read(TieState.WRONG);
            if (wrong != 0) {
                throw text.wrongOffset(stream, text.count() - wrong);
            }
        }

        @Override
        public void close() {
            owned.close();
        }
    }

    /// The words of one round and their sort keys.
    private final class SortedWords implements AutoCloseable {
        private final Owned owned = new Owned();
        private final DeviceAllocation unsorted;
        private final DeviceAllocation sorted;

        SortedWords(long count) {
            try {
                unsorted = owned.add(allocate(count * WORD_BYTES));
                sorted = owned.add(allocate(count * RowProgram.SORT_KEY_BYTES));
            } catch (RuntimeException | Error e) {
                owned.closeAfter(e);
                throw e;
            }
        }

        long words() {
            return unsorted.address();
        }

        long keys() {
            return sorted.address();
        }

        void sort(SortStrategy strategy, PhaseTimer timer) {
            words.enqueueSortKeys(stream, strategy, words(), keys(), timer);
        }

        @Override
        public void close() {
            owned.close();
        }
    }
}
