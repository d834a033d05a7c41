package io.samplesort.gpu.rows;

import static io.samplesort.gpu.code.KernelConstants.BYTE_TILE;
import static io.samplesort.gpu.code.KernelConstants.COPY_THREADS;
import static io.samplesort.gpu.code.KernelConstants.GROUP_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SMALL_GROUP;
import static io.samplesort.gpu.code.KernelConstants.TIE_THREADS;
import static io.samplesort.gpu.code.KernelConstants.TIE_TILE;
import static io.samplesort.gpu.code.KernelConstants.TILE_SCAN_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;
import static io.samplesort.gpu.code.KernelConstants.WORD_THREADS;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.StringTarget;
import io.samplesort.gpu.code.StringKernelSizes;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.cubins.RowModule;
import io.samplesort.types.StringOrder;

/// The compiled kernels that only sorts of strings have, with one method for each. They are launched here.
public final class StringKernels {
    /// There are more blocks than fit at once, so that the last ones even out what the first ones leave.
    private static final int WAVES = 4;

    private static final int PREFIX_THREADS = 1024;

    private final StringOrder order;
    private final RowModule module;
    private final Kernel guessPrefix;
    private final Kernel makeWords;
    private final Kernel correctWords;
    private final Kernel markTies;
    private final Kernel scanTiles;
    private final Kernel sortSmallGroups;
    private final Kernel gatherTies;
    private final Kernel makeTiedWords;
    private final Kernel findSkips;
    private final Kernel measureStrings;
    private final Kernel placeStrings;
    private final Kernel findByteTiles;
    private final Kernel copyStrings;
    private final Kernel checkStringOrder;
    private final Kernel checkOffsets;
    private final Kernel markDifferent;
    private final Kernel listDistinct;

    /// @param module of [io.samplesort.gpu.code.RowProgram#STRINGS]
    public StringKernels(RowModule module, StringOrder order) {
        this.module = module;
        this.order = order;
        guessPrefix = module.kernel("guess_prefix");
        makeWords = module.kernel("make_words");
        correctWords = module.kernel("correct_words");
        markTies = module.kernel("mark_ties");
        scanTiles = module.kernel("scan_tiles");
        sortSmallGroups = module.kernel("sort_small_groups");
        gatherTies = module.kernel("gather_ties");
        makeTiedWords = module.kernel("make_tied_words");
        findSkips = module.kernel("find_skips");
        measureStrings = module.kernel("measure_strings");
        placeStrings = module.kernel("place_strings");
        findByteTiles = module.kernel("find_byte_tiles");
        copyStrings = module.kernel("copy_strings");
        checkStringOrder = module.kernel("check_string_order");
        checkOffsets = module.kernel("check_offsets");
        markDifferent = module.kernel("mark_different");
        listDistinct = module.kernel("list_distinct");
    }

    public StringOrder order() {
        return order;
    }

    /// Returns how many tiles there are of so many strings.
    static int tiles(long count) {
        return Math.toIntExact(Math.ceilDiv(count, TIE_TILE));
    }

    /// Returns how many tiles there are of so many bytes of a copy.
    static long byteTiles(long byteCount) {
        return Math.ceilDiv(byteCount, BYTE_TILE);
    }

    /// Finds how many bytes a sample of the strings shares, and which bytes there are behind these.
    void guessPrefix(Stream stream, DeviceText text, long state, long alphabet) {
        guessPrefix.with(text.fields(order)).with(state).with(alphabet);
        guessPrefix.launch(stream, 1, PREFIX_THREADS, StringKernelSizes.GUESS_SHARED_BYTES, Kernel.Mode.AFTER);
    }

    /// Makes the words of the first round, and finds how many bytes all strings share and which ones there are.
    void makeWords(Stream stream, DeviceText text, long words, long state, long alphabet) {
        launchWithSymbols(stream, makeWords, text, words, state, alphabet);
    }

    /// Makes these words anew where the sample shared more than all strings do, or had fewer different bytes.
    void correctWords(Stream stream, DeviceText text, long words, long state, long alphabet) {
        launchWithSymbols(stream, correctWords, text, words, state, alphabet);
    }

    private void launchWithSymbols(
            Stream stream, Kernel kernel, DeviceText text, long words, long state, long alphabet) {
        kernel.with(text.fields(order)).with(words).with(state).with(alphabet);
        launch(stream, kernel, StringKernelSizes.SYMBOLS_SHARED_BYTES, text.count());
    }

    /// Writes what a round knows of the permutation, lists small groups and counts what is left for the next round.
    ///
    /// @param small      room for a long for each string of the round
    /// @param tileCounts room for a long for each tile
    void markTies(
            Stream stream,
            StringRound round,
            DeviceText text,
            long permutation,
            int indexBytes,
            long small,
            long tileCounts) {
        markTies.with(round.fields())
                .with(text.fields(order))
                .with(permutation)
                .with(indexBytes)
                .with(small)
                .with(tileCounts);
        markTies.launch(
                stream, tiles(round.count()), TIE_THREADS, StringKernelSizes.TIE_SHARED_BYTES, Kernel.Mode.AFTER);
    }

    /// Turns the numbers of tiles into sums over the tiles before each.
    ///
    /// @param sum where the sum over all goes
    void scanTiles(Stream stream, long tiles, long count, long sum) {
        scanTiles.with(tiles).with(count).with(sum);
        scanTiles.launch(stream, 1, TILE_SCAN_THREADS, StringKernelSizes.SCAN_SHARED_BYTES, Kernel.Mode.AFTER);
    }

    /// Puts the strings of small groups where they belong.
    void sortSmallGroups(
            Stream stream, StringRound round, DeviceText text, long small, long permutation, int indexBytes) {
        sortSmallGroups
                .with(round.fields())
                .with(text.fields(order))
                .with(small)
                .with(permutation)
                .with(indexBytes);
        int shared = StringKernelSizes.GROUP_SHARED_BYTES;
        int blocks = blocks(sortSmallGroups, GROUP_THREADS, shared, GROUP_THREADS - SMALL_GROUP, round.count());
        sortSmallGroups.launch(stream, blocks, GROUP_THREADS, shared, Kernel.Mode.AFTER);
    }

    /// Moves the strings of larger groups together for the next round.
    void gatherTies(Stream stream, StringRound round, DeviceText text, long tileCounts, TiedStrings target) {
        int tiles = tiles(round.count());
        gatherTies
                .with(round.fields())
                .with(text.fields(order))
                .with(tileCounts)
                .with(tiles)
                .with(target.fields());
        gatherTies.launch(stream, tiles, TIE_THREADS, StringKernelSizes.TIE_SHARED_BYTES, Kernel.Mode.AFTER);
    }

    /// Makes the words of a later round.
    void makeTiedWords(Stream stream, DeviceText text, TiedStrings tied, int wordBytes, long words, long state) {
        launchOnTied(stream, makeTiedWords, text, tied, wordBytes, words, state);
    }

    /// Finds what the strings of each group share that share much with its first one, once their words are made.
    void findSkips(Stream stream, DeviceText text, TiedStrings tied, int wordBytes, long words, long state) {
        launchOnTied(stream, findSkips, text, tied, wordBytes, words, state);
    }

    private void launchOnTied(
            Stream stream, Kernel kernel, DeviceText text, TiedStrings tied, int wordBytes, long words, long state) {
        kernel.with(text.fields(order))
                .with(tied.fields())
                .with(wordBytes)
                .with(words)
                .with(state);
        launch(stream, kernel, tied.count());
    }

    /// Finds where the strings of a permutation begin, and how many bytes each tile of them has.
    void measureStrings(Stream stream, DeviceText from, long permutation, int indexBytes, long[] target) {
        measureStrings
                .with(from.fields(order))
                .with(permutation)
                .with(indexBytes)
                .with(target);
        int shared = StringKernelSizes.MEASURE_SHARED_BYTES;
        measureStrings.launch(stream, tiles(from.count()), TIE_THREADS, shared, Kernel.Mode.AFTER);
    }

    /// Finishes the offsets of the target.
    void placeStrings(Stream stream, long[] target, long count) {
        placeStrings.with(target).with(count);
        launch(stream, placeStrings, count + 1);
    }

    /// Turns offsets that count from the beginning of each tile of [io.samplesort.gpu.code.KernelConstants#TIE_TILE]
    /// strings into offsets from the first string on.
    ///
    /// @param offsets room for one more than there are strings
    /// @param tiles   the bytes of each tile
    /// @param total   where the sum of all bytes goes
    public void finishOffsets(Stream stream, long offsets, int offsetBytes, long count, long tiles, long total) {
        scanTiles(stream, tiles, tiles(count), total);
        placeStrings(
                stream,
                new StructValues<>(StringTarget.values())
                        .set(StringTarget.BYTES, 0)
                        .set(StringTarget.OFFSETS, offsets)
                        .set(StringTarget.OFFSET_BYTES, offsetBytes)
                        .set(StringTarget.SOURCES, 0)
                        .set(StringTarget.TILES, tiles)
                        .set(StringTarget.BYTE_TILES, 0)
                        .set(StringTarget.TOTAL, total)
                        .toArray(),
                count);
    }

    /// Tells tiles of bytes which string they begin with.
    ///
    /// @param byteCount the most bytes there can be
    void findByteTiles(Stream stream, long[] target, long count, long byteCount) {
        findByteTiles.with(target).with(count);
        launch(stream, findByteTiles, byteTiles(byteCount) + 1);
    }

    /// Copies the bytes.
    ///
    /// @param byteCount the most bytes there can be
    void copyStrings(Stream stream, DeviceText from, long[] target, long byteCount) {
        copyStrings.with(from.fields(order)).with(target).with(from.count());
        int shared = StringKernelSizes.COPY_SHARED_BYTES;
        int blocks = blocks(copyStrings, COPY_THREADS, shared, COPY_THREADS / WARP_SIZE, byteTiles(byteCount));
        copyStrings.launch(stream, blocks, COPY_THREADS, shared, Kernel.Mode.AFTER);
    }

    /// Checks that strings are in order.
    ///
    /// @param wrong two longs, 0 before. They tell how far from the end the first string is that belongs before the one
    ///     at its left, and the first one whose offsets are wrong.
    public void checkStringOrder(Stream stream, DeviceText text, long wrong) {
        checkStringOrder.with(text.fields(order)).with(wrong);
        launch(stream, checkStringOrder, text.count());
    }

    /// Checks offsets.
    ///
    /// @param wrong a long, 0 before. It tells how far from the end the first string is whose offsets are wrong.
    public void checkOffsets(Stream stream, DeviceText text, long wrong) {
        checkOffsets.with(text.fields(order)).with(wrong);
        launch(stream, checkOffsets, text.count());
    }

    /// Finds which strings differ from the one before.
    ///
    /// @param permutation the strings in order, as ints
    /// @param heads       room for a bit for each string of all tiles
    /// @param tileCounts  room for a long for each tile, which become how many there are in each
    void markDifferent(Stream stream, DeviceText text, long permutation, long heads, long tileCounts) {
        markDifferent.with(text.fields(order)).with(permutation).with(heads).with(tileCounts);
        int shared = StringKernelSizes.MARK_SHARED_BYTES;
        markDifferent.launch(stream, tiles(text.count()), TIE_THREADS, shared, Kernel.Mode.AFTER);
    }

    /// Lists the different strings, and how many are equal to each.
    ///
    /// @param tiles      how many there are before each tile
    /// @param total      where it is said how many there are in all
    /// @param indexBytes bytes of each index and count that is written, 4 or 8
    void listDistinct(
            Stream stream,
            long heads,
            long tiles,
            long total,
            long permutation,
            long count,
            long indexes,
            long counts,
            int indexBytes) {
        int blocks = tiles(count);
        listDistinct
                .with(heads)
                .with(tiles)
                .with(blocks)
                .with(total)
                .with(permutation)
                .with(count)
                .with(indexes)
                .with(counts)
                .with(indexBytes);
        int shared = StringKernelSizes.DISTINCT_SHARED_BYTES;
        listDistinct.launch(stream, blocks, TIE_THREADS, shared, Kernel.Mode.AFTER);
    }

    private void launch(Stream stream, Kernel kernel, long count) {
        launch(stream, kernel, 0, count);
    }

    private void launch(Stream stream, Kernel kernel, int sharedBytes, long count) {
        int blocks = blocks(kernel, WORD_THREADS, sharedBytes, WORD_THREADS, count);
        kernel.launch(stream, blocks, WORD_THREADS, sharedBytes, Kernel.Mode.AFTER);
    }

    /// Returns how many blocks work on `count` things, of which each block takes so many at a time.
    private int blocks(Kernel kernel, int threads, int sharedBytes, int atATime, long count) {
        return module.blocks(kernel, threads, sharedBytes, atATime, count, WAVES);
    }
}
