package io.samplesort.gpu.code;

/// What the host takes for granted about the kernels of [RowProgram#STRINGS].
public final class StringKernelSizes {
    /// Bytes of a sort key: a word of a string and its number.
    public static final int SORT_KEY_BYTES = 12;

    /// The most bytes of a string in a word of a later round (`kMostWordBytes`).
    public static final int MOST_WORD_BYTES = 6;

    /// The bits of such a word beside these bytes and the number of its group.
    public static final int WORD_EXTRA_BITS = 11;

    /// Dynamic shared memory of a block of the kernels, which the compiler checks.
    public static final int GUESS_SHARED_BYTES = 9 * Integer.BYTES;

    public static final int SYMBOLS_SHARED_BYTES = 256 * Short.BYTES;

    public static final int TIE_SHARED_BYTES = tieSharedBytes();

    public static final int GROUP_SHARED_BYTES = KernelConstants.GROUP_THREADS * 5 * Long.BYTES;
    public static final int SCAN_SHARED_BYTES = warpTotals(KernelConstants.TILE_SCAN_THREADS);
    public static final int MEASURE_SHARED_BYTES = warpTotals(KernelConstants.TIE_THREADS);
    public static final int COPY_SHARED_BYTES =
            KernelConstants.COPY_THREADS / KernelConstants.WARP_SIZE * KernelConstants.BYTE_TILE;
    public static final int MARK_SHARED_BYTES = warpTotals(KernelConstants.TIE_THREADS);
    public static final int DISTINCT_SHARED_BYTES = distinctSharedBytes();

    private static int warpTotals(int threads) {
        return threads / KernelConstants.WARP_SIZE * Long.BYTES;
    }

    private static int tieSharedBytes() {
        int words = KernelConstants.TIE_TILE / KernelConstants.WARP_SIZE;
        int heads = (words + 2) * Integer.BYTES;
        return heads + warpTotals(KernelConstants.TIE_THREADS) + Long.BYTES + words * Long.BYTES;
    }

    private static int distinctSharedBytes() {
        int words = KernelConstants.TIE_TILE / KernelConstants.WARP_SIZE;
        return warpTotals(KernelConstants.TIE_THREADS) + Long.BYTES + words * (Long.BYTES + Integer.BYTES);
    }

    private StringKernelSizes() {}

    static void addAgreement(AgreementText text) {
        text.addStruct("Text", KernelStructs.Text.values());
        text.addStruct("Round", KernelStructs.Round.values());
        text.addStruct("TieState", KernelStructs.TieState.values());
        text.addStruct("TiedStrings", KernelStructs.TiedStrings.values());
        text.addStruct("StringTarget", KernelStructs.StringTarget.values());
        text.addEqual("sizeof(WordKey<3>)", SORT_KEY_BYTES);
        text.addEqual("kMostWordBytes", MOST_WORD_BYTES);
        text.addEqual("kCodeBits + kDigitBits", WORD_EXTRA_BITS);
        text.addEqual("sizeof(Alphabet)", KernelStructs.ALPHABET_BYTES);
        text.addEqual("kGuessSharedBytes", GUESS_SHARED_BYTES);
        text.addEqual("kSymbolsSharedBytes", SYMBOLS_SHARED_BYTES);
        text.addEqual("kTieSharedBytes", TIE_SHARED_BYTES);
        text.addEqual("kGroupSharedBytes", GROUP_SHARED_BYTES);
        text.addEqual("kScanTilesSharedBytes", SCAN_SHARED_BYTES);
        text.addEqual("kMeasureSharedBytes", MEASURE_SHARED_BYTES);
        text.addEqual("kCopySharedBytes", COPY_SHARED_BYTES);
        text.addEqual("kMarkSharedBytes", MARK_SHARED_BYTES);
        text.addEqual("kDistinctSharedBytes", DISTINCT_SHARED_BYTES);
    }
}
