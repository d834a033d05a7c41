package io.samplesort.gpu.code;

/// What the host takes for granted about the kernels of [RowProgram#COLUMNS]: the shared memory of their blocks.
public final class ColumnKernelSizes {
    private static final int WARPS = KernelConstants.ROW_THREADS / KernelConstants.WARP_SIZE;

    public static final int NARROW_SHARED_BYTES = 3 * WARPS * Long.BYTES;
    public static final int MEASURE_SHARED_BYTES = WARPS * Long.BYTES;
    public static final int ENCODE_SHARED_BYTES = KernelConstants.ROW_STAGE_BYTES;

    private ColumnKernelSizes() {}

    static void addAgreement(AgreementText text) {
        text.addStruct("Text", KernelStructs.Text.values());
        text.addStruct("KeyColumn", KernelStructs.KeyColumn.values());
        text.addStruct("ColumnRange", KernelStructs.ColumnRange.values());
        text.addEqual("kNarrowSharedBytes", NARROW_SHARED_BYTES);
        text.addEqual("kMeasureRowsSharedBytes", MEASURE_SHARED_BYTES);
        text.addEqual("kEncodeSharedBytes", ENCODE_SHARED_BYTES);
    }
}
