package io.samplesort.gpu.code;

import static io.samplesort.gpu.code.KernelConstants.BYTE_TILE;
import static io.samplesort.gpu.code.KernelConstants.COPY_THREADS;
import static io.samplesort.gpu.code.KernelConstants.GROUP_THREADS;
import static io.samplesort.gpu.code.KernelConstants.ROW_STAGE_BYTES;
import static io.samplesort.gpu.code.KernelConstants.ROW_THREADS;
import static io.samplesort.gpu.code.KernelConstants.SMALL_GROUP;
import static io.samplesort.gpu.code.KernelConstants.TIE_THREADS;
import static io.samplesort.gpu.code.KernelConstants.TIE_TILE;
import static io.samplesort.gpu.code.KernelConstants.TILE_SCAN_THREADS;
import static io.samplesort.gpu.code.KernelConstants.WARP_SIZE;
import static io.samplesort.gpu.code.KernelConstants.WORD_THREADS;

import io.samplesort.cuda.Nvrtc;
import java.util.List;
import java.util.Locale;

/// The programs that only sorts of strings and of rows use. What they sort, and in which order, they read as data, so
/// the text of each program is the same for all sorts. Like the programs of [KernelSource], they come with two
/// generated headers.
public enum RowProgram {
    STRINGS(
            new RowKernel("guess_prefix", 1024, 9 * Integer.BYTES, "kGuessSharedBytes"),
            new RowKernel("make_words", WORD_THREADS, 256 * Short.BYTES, "kSymbolsSharedBytes"),
            new RowKernel("correct_words", WORD_THREADS, 256 * Short.BYTES, "kSymbolsSharedBytes"),
            new RowKernel("mark_ties", TIE_THREADS, tieBytes(), "kTieSharedBytes"),
            new RowKernel("scan_tiles", TILE_SCAN_THREADS, warpSums(TILE_SCAN_THREADS), "kScanTilesSharedBytes"),
            new RowKernel("sort_small_groups", GROUP_THREADS, GROUP_THREADS * 5 * Long.BYTES, "kGroupSharedBytes"),
            new RowKernel("gather_ties", TIE_THREADS, tieBytes(), "kTieSharedBytes"),
            new RowKernel("make_tied_words", WORD_THREADS),
            new RowKernel("find_skips", WORD_THREADS),
            new RowKernel("measure_strings", TIE_THREADS, warpSums(TIE_THREADS), "kMeasureSharedBytes"),
            new RowKernel("place_strings", WORD_THREADS),
            new RowKernel("find_byte_tiles", WORD_THREADS),
            new RowKernel("copy_strings", COPY_THREADS, COPY_THREADS / WARP_SIZE * BYTE_TILE, "kCopySharedBytes"),
            new RowKernel("check_string_order", WORD_THREADS),
            new RowKernel("check_offsets", WORD_THREADS),
            new RowKernel("mark_different", TIE_THREADS, warpSums(TIE_THREADS), "kMarkSharedBytes"),
            new RowKernel("list_distinct", TIE_THREADS, distinctBytes(), "kDistinctSharedBytes")) {
        @Override
        void addAgreement(AgreementText text) {
            text.addStruct("Text", KernelStructs.Text.values());
            text.addStruct("Round", KernelStructs.Round.values());
            text.addStruct("TieState", KernelStructs.TieState.values());
            text.addStruct("TiedStrings", KernelStructs.TiedStrings.values());
            text.addStruct("StringTarget", KernelStructs.StringTarget.values());
            text.addEqual("sizeof(WordKey<3>)", SORT_KEY_BYTES);
            text.addEqual("kMostWordBytes", MOST_WORD_BYTES);
            text.addEqual("kCodeBits + kDigitBits", WORD_EXTRA_BITS);
            text.addEqual("sizeof(Alphabet)", KernelStructs.ALPHABET_BYTES);
        }
    },
    COLUMNS(
            new RowKernel("narrow_columns", ROW_THREADS, 3 * warpSums(ROW_THREADS), "kNarrowSharedBytes"),
            new RowKernel("pack_rows", ROW_THREADS),
            new RowKernel("measure_rows", ROW_THREADS, warpSums(ROW_THREADS), "kMeasureRowsSharedBytes"),
            new RowKernel("encode_rows", ROW_THREADS, ROW_STAGE_BYTES, "kEncodeSharedBytes"),
            new RowKernel("gather_validity", ROW_THREADS)) {
        @Override
        void addAgreement(AgreementText text) {
            text.addStruct("Text", KernelStructs.Text.values());
            text.addStruct("KeyColumn", KernelStructs.KeyColumn.values());
            text.addStruct("ColumnRange", KernelStructs.ColumnRange.values());
        }
    };

    /// Bytes of a sort key: a word of a string and its number.
    public static final int SORT_KEY_BYTES = 12;

    /// The most bytes of a string in a word of a later round (`kMostWordBytes`).
    public static final int MOST_WORD_BYTES = 6;

    /// The bits of such a word in addition to these bytes and the number of its group.
    public static final int WORD_EXTRA_BITS = 11;

    /// A kernel of such a program, and the shape of its blocks.
    ///
    /// @param sharedSum the kernel's own expression for its shared memory, which the compiler compares with
    ///     `sharedBytes`; empty if it takes none
    public record RowKernel(String name, int threads, int sharedBytes, String sharedSum) {
        private RowKernel(String name, int threads) {
            this(name, threads, 0, "");
        }
    }

    private final List<RowKernel> kernels;

    RowProgram(RowKernel... kernels) {
        this.kernels = List.of(kernels);
    }

    /// Returns the bytes of one number for each warp of a block.
    private static int warpSums(int threads) {
        return threads / WARP_SIZE * Long.BYTES;
    }

    /// Returns the bytes of `TieTile` in tie_tile.cuh.
    private static int tieBytes() {
        int words = TIE_TILE / WARP_SIZE;
        return (words + 2) * Integer.BYTES + warpSums(TIE_THREADS) + Long.BYTES + words * Long.BYTES;
    }

    /// Returns the bytes of `DistinctTile` in list_distinct.cuh.
    private static int distinctBytes() {
        return warpSums(TIE_THREADS) + Long.BYTES + TIE_TILE / WARP_SIZE * (Long.BYTES + Integer.BYTES);
    }

    /// Makes the compiler check the host's assumptions.
    abstract void addAgreement(AgreementText text);

    /// Returns the kernels. Each has a file of the same name.
    public List<RowKernel> kernels() {
        return kernels;
    }

    /// Returns the name of the program in messages and among ready-made kernels.
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the text of the program.
    public Nvrtc.Program source() {
        AgreementText agreement = new AgreementText();
        addAgreement(agreement);
        for (RowKernel kernel : kernels) {
            if (!kernel.sharedSum.isEmpty()) {
                agreement.addEqual(kernel.sharedSum, kernel.sharedBytes);
            }
        }
        List<String> phases = kernels.stream()
                .map(kernel -> title() + "/phases/" + kernel.name + ".cuh")
                .toList();
        return KernelSource.program(title(), config(), phases, agreement.toString());
    }

    private static String config() {
        return """
                // Generated: what the host needs as well (KernelConstants).
                #pragma once
                constexpr unsigned kWarpSize = %d;
                constexpr unsigned kTileScanThreads = %d;
                constexpr unsigned kWordThreads = %d;
                constexpr unsigned kTieThreads = %d;
                constexpr unsigned kTieTile = %d;
                constexpr unsigned kSmallGroup = %d;
                constexpr unsigned kGroupThreads = %d;
                constexpr unsigned kCopyThreads = %d;
                constexpr unsigned kByteTile = %d;
                constexpr unsigned kRowThreads = %d;
                constexpr unsigned kRowStageBytes = %d;
                """.formatted(
                        WARP_SIZE,
                        TILE_SCAN_THREADS,
                        WORD_THREADS,
                        TIE_THREADS,
                        TIE_TILE,
                        SMALL_GROUP,
                        GROUP_THREADS,
                        COPY_THREADS,
                        BYTE_TILE,
                        ROW_THREADS,
                        ROW_STAGE_BYTES);
    }
}
