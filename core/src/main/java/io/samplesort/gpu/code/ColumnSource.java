package io.samplesort.gpu.code;

import io.samplesort.cuda.Nvrtc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The CUDA sources of the kernels that only sorts by key columns have. The columns are data to them, so there is one
/// program. Like those of [KernelSource], they come with two generated headers.
final class ColumnSource {
    private static final String MAIN_HEADER = "columns/column_sort.cuh";

    private static final List<String> HEADERS = List.of(
            "parts/basics.cuh",
            "parts/float_order.cuh",
            "parts/struct_keys.cuh",
            "strings/parts/text.cuh",
            MAIN_HEADER,
            "columns/parts/key_columns.cuh",
            "columns/parts/row_bits.cuh");

    private static final List<String> PHASES = List.of(
            "columns/phases/narrow_columns.cuh",
            "columns/phases/pack_rows.cuh",
            "columns/phases/measure_rows.cuh",
            "columns/phases/encode_rows.cuh");

    private ColumnSource() {}

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
        return new Nvrtc.Program("columns.cu", source.toString(), headers);
    }

    private static String config() {
        return """
                // Generated: what the host needs as well (KernelConstants).
                #pragma once
                constexpr unsigned kWarpSize = %d;
                constexpr unsigned kTieTile = %d;
                constexpr unsigned kRowThreads = %d;
                constexpr unsigned kRowStageBytes = %d;
                """.formatted(
                        KernelConstants.WARP_SIZE,
                        KernelConstants.TIE_TILE,
                        KernelConstants.ROW_THREADS,
                        KernelConstants.ROW_STAGE_BYTES);
    }

    private static String agreement() {
        AgreementText text = new AgreementText();
        text.addStruct("Text", KernelStructs.Text.values());
        text.addStruct("KeyColumn", KernelStructs.KeyColumn.values());
        text.addStruct("ColumnRange", KernelStructs.ColumnRange.values());
        text.addEqual("kNarrowSharedBytes", ColumnCubin.NARROW_SHARED_BYTES);
        text.addEqual("kMeasureRowsSharedBytes", ColumnCubin.MEASURE_SHARED_BYTES);
        text.addEqual("kEncodeSharedBytes", ColumnCubin.ENCODE_SHARED_BYTES);
        return text.toString();
    }
}
