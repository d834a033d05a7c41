package io.samplesort.gpu.code;

import io.samplesort.cuda.Nvrtc;
import java.util.List;
import java.util.Locale;

/// The kernels that only sorts of strings and of rows have. What they sort and in which order is data to them, so the
/// text of each program is the same for all sorts. Like those of [KernelSource], they come with two generated headers.
public enum RowProgram {
    STRINGS(
            "strings/phases/guess_prefix.cuh",
            "strings/phases/make_words.cuh",
            "strings/phases/correct_words.cuh",
            "strings/phases/mark_ties.cuh",
            "strings/phases/scan_tiles.cuh",
            "strings/phases/sort_small_groups.cuh",
            "strings/phases/gather_ties.cuh",
            "strings/phases/make_tied_words.cuh",
            "strings/phases/find_skips.cuh",
            "strings/phases/measure_strings.cuh",
            "strings/phases/place_strings.cuh",
            "strings/phases/find_byte_tiles.cuh",
            "strings/phases/copy_strings.cuh",
            "strings/phases/check_string_order.cuh",
            "strings/phases/check_offsets.cuh",
            "strings/phases/mark_different.cuh",
            "strings/phases/list_distinct.cuh") {
        @Override
        void addAgreement(AgreementText text) {
            StringKernelSizes.addAgreement(text);
        }
    },
    COLUMNS(
            "columns/phases/narrow_columns.cuh",
            "columns/phases/pack_rows.cuh",
            "columns/phases/measure_rows.cuh",
            "columns/phases/encode_rows.cuh",
            "columns/phases/gather_validity.cuh") {
        @Override
        void addAgreement(AgreementText text) {
            ColumnKernelSizes.addAgreement(text);
        }
    };

    private final List<String> phases;

    RowProgram(String... phases) {
        this.phases = List.of(phases);
    }

    /// Has the compiler check what the host takes for granted.
    abstract void addAgreement(AgreementText text);

    /// Returns what the program is called in messages and among ready-made kernels.
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the text of the program.
    public Nvrtc.Program source() {
        AgreementText agreement = new AgreementText();
        addAgreement(agreement);
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
                        KernelConstants.WARP_SIZE,
                        KernelConstants.TILE_SCAN_THREADS,
                        KernelConstants.WORD_THREADS,
                        KernelConstants.TIE_THREADS,
                        KernelConstants.TIE_TILE,
                        KernelConstants.SMALL_GROUP,
                        KernelConstants.GROUP_THREADS,
                        KernelConstants.COPY_THREADS,
                        KernelConstants.BYTE_TILE,
                        KernelConstants.ROW_THREADS,
                        KernelConstants.ROW_STAGE_BYTES);
    }
}
