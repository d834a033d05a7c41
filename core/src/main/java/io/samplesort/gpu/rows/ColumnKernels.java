package io.samplesort.gpu.rows;

import static io.samplesort.gpu.code.KernelConstants.ROW_THREADS;
import static io.samplesort.gpu.code.KernelConstants.TIE_TILE;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.ColumnKernelSizes;
import io.samplesort.gpu.cubins.RowModule;

/// The compiled kernels that only sorts by key columns have, with one method for each. They are launched here.
public final class ColumnKernels {
    private final RowModule module;
    private final Kernel narrowColumns;
    private final Kernel packRows;
    private final Kernel measureRows;
    private final Kernel encodeRows;
    private final Kernel gatherValidity;

    /// @param module of [io.samplesort.gpu.code.RowProgram#COLUMNS]
    public ColumnKernels(RowModule module) {
        this.module = module;
        narrowColumns = module.kernel("narrow_columns");
        packRows = module.kernel("pack_rows");
        measureRows = module.kernel("measure_rows");
        encodeRows = module.kernel("encode_rows");
        gatherValidity = module.kernel("gather_validity");
    }

    /// Columns whose structs are in device memory.
    ///
    /// @param address   of the structs
    /// @param count     how many columns
    /// @param rowCount  how many rows each has
    record Table(long address, int count, long rowCount) {}

    /// Finds which bits the numbers of each column have, and wrong offsets.
    ///
    /// @param ranges device address of a `ColumnRange` for each column
    void narrowColumns(Stream stream, Table columns, long ranges) {
        narrowColumns.with(columns.address).with(columns.count).with(ranges);
        launch(stream, narrowColumns, ColumnKernelSizes.NARROW_SHARED_BYTES, columns.rowCount);
    }

    /// Makes the words of rows.
    void packRows(Stream stream, Table columns, long words) {
        packRows.with(columns.address)
                .with(columns.count)
                .with(columns.rowCount)
                .with(words);
        launch(stream, packRows, 0, columns.rowCount);
    }

    /// Tells for each row how many bytes of its tile lie before it, and how many bytes each tile has.
    void measureRows(Stream stream, Table columns, long fixedBytes, long offsets, int offsetBytes, long tiles) {
        measureRows
                .with(columns.address)
                .with(columns.count)
                .with(fixedBytes)
                .with(columns.rowCount)
                .with(offsets)
                .with(offsetBytes)
                .with(tiles);
        int blocks = Math.toIntExact(Math.ceilDiv(columns.rowCount, TIE_TILE));
        measureRows.launch(stream, blocks, ROW_THREADS, ColumnKernelSizes.MEASURE_SHARED_BYTES, Kernel.Mode.AFTER);
    }

    /// Writes the bytes of rows whose offsets are known.
    ///
    /// @param rows the struct of a [DeviceText]
    void encodeRows(Stream stream, Table columns, long[] rows, long bytes) {
        encodeRows.with(columns.address).with(columns.count).with(rows).with(bytes);
        launch(stream, encodeRows, ColumnKernelSizes.ENCODE_SHARED_BYTES, columns.rowCount);
    }

    /// Brings the validity bits of rows into the order of a permutation.
    public void gatherValidity(Stream stream, long permutation, int indexBytes, long from, long to, long rowCount) {
        gatherValidity.with(permutation).with(indexBytes).with(from).with(to).with(rowCount);
        launch(stream, gatherValidity, 0, rowCount);
    }

    /// Launches as many blocks as fit at once.
    private void launch(Stream stream, Kernel kernel, int sharedBytes, long rowCount) {
        int blocks = module.blocks(kernel, ROW_THREADS, sharedBytes, ROW_THREADS, rowCount, 1);
        kernel.launch(stream, blocks, ROW_THREADS, sharedBytes, Kernel.Mode.AFTER);
    }
}
