package io.samplesort.gpu.code;

import io.samplesort.cuda.Nvrtc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The CUDA sources of the kernels that only sorts of strings have. They are the same for all strings and orders, so
/// there is one program. Like those of [KernelSource], they come with two generated headers.
final class StringSource {
    private static final String MAIN_HEADER = "strings/string_sort.cuh";

    private static final List<String> HEADERS = List.of(
            "parts/basics.cuh",
            "parts/float_order.cuh",
            "parts/struct_keys.cuh",
            MAIN_HEADER,
            "strings/parts/text.cuh",
            "strings/parts/common_bytes.cuh",
            "strings/parts/ties.cuh",
            "strings/parts/tie_tile.cuh",
            "strings/parts/alphabet.cuh",
            "strings/parts/first_words.cuh",
            "strings/parts/tied_rests.cuh",
            "strings/parts/string_target.cuh",
            "strings/parts/byte_pieces.cuh");

    private static final List<String> PHASES = List.of(
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
            "strings/phases/check_string_order.cuh");

    private StringSource() {}

    static Nvrtc.Program program() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(KernelSource.CONFIG_FILE, config());
        HEADERS.forEach(header -> headers.put(header, KernelSource.text(header)));
        StringBuilder source = new StringBuilder("#include \"" + MAIN_HEADER + "\"\n");
        for (String phase : PHASES) {
            source.append("#include \"").append(phase).append("\"\n");
            headers.put(phase, KernelSource.text(phase));
        }
        source.append("#include \"").append(HostAgreement.FILE).append("\"\n");
        headers.put(HostAgreement.FILE, agreement());
        return new Nvrtc.Program("strings.cu", source.toString(), headers);
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
                """.formatted(
                        KernelConstants.WARP_SIZE,
                        KernelConstants.TILE_SCAN_THREADS,
                        KernelConstants.WORD_THREADS,
                        KernelConstants.TIE_THREADS,
                        KernelConstants.TIE_TILE,
                        KernelConstants.SMALL_GROUP,
                        KernelConstants.GROUP_THREADS,
                        KernelConstants.COPY_THREADS,
                        KernelConstants.BYTE_TILE);
    }

    private static String agreement() {
        AgreementText text = new AgreementText();
        text.addStruct("Text", KernelStructs.Text.values());
        text.addStruct("Round", KernelStructs.Round.values());
        text.addStruct("TieState", KernelStructs.TieState.values());
        text.addStruct("TiedStrings", KernelStructs.TiedStrings.values());
        text.addStruct("StringTarget", KernelStructs.StringTarget.values());
        text.addEqual("sizeof(WordKey<3>)", StringCubin.SORT_KEY_BYTES);
        text.addEqual("kMostWordBytes", StringCubin.MOST_WORD_BYTES);
        text.addEqual("kCodeBits + kDigitBits", StringCubin.WORD_EXTRA_BITS);
        text.addEqual("sizeof(Alphabet)", KernelStructs.ALPHABET_BYTES);
        text.addEqual("kGuessSharedBytes", StringCubin.GUESS_SHARED_BYTES);
        text.addEqual("kSymbolsSharedBytes", StringCubin.SYMBOLS_SHARED_BYTES);
        text.addEqual("kTieSharedBytes", StringCubin.TIE_SHARED_BYTES);
        text.addEqual("kGroupSharedBytes", StringCubin.GROUP_SHARED_BYTES);
        text.addEqual("kScanTilesSharedBytes", StringCubin.SCAN_SHARED_BYTES);
        text.addEqual("kMeasureSharedBytes", StringCubin.MEASURE_SHARED_BYTES);
        text.addEqual("kCopySharedBytes", StringCubin.COPY_SHARED_BYTES);
        return text.toString();
    }
}
