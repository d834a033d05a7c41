package io.samplesort.gpu.sort;

import static io.samplesort.gpu.code.KernelConstants.MOVE_BYTES;
import static io.samplesort.gpu.code.KernelConstants.MOVE_THREADS;
import static io.samplesort.gpu.code.KernelProgram.MERGE_SORT;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs.MovedColumn;
import io.samplesort.gpu.code.StructValues;
import io.samplesort.gpu.cubins.KernelModules;

/// The kernel that moves pieces of columns from place to place (move_pieces.cuh).
public final class MoveKernels {
    /// The bytes of a column that a block moves at a time: all are on their way at once.
    private static final int TILE_BYTES = MOVE_THREADS * MOVE_BYTES;

    private final Kernel movePieces;
    private final int mostBlocks;

    MoveKernels(KernelModules modules, int multiprocessorCount) {
        movePieces = modules.kernel(MERGE_SORT, "move_pieces", 0);
        int resident = Math.max(1, movePieces.activeBlocksPerMultiprocessor(MOVE_THREADS, 0));
        mostBlocks = resident * multiprocessorCount * Kernels.WAVES;
    }

    /// Returns how many elements of so many bytes in each column a block moves at a time.
    public static long tileSize(int[] columnBytes) {
        int largest = 1;
        for (int bytes : columnBytes) {
            largest = Math.max(largest, bytes);
        }
        return Math.max(1, TILE_BYTES / largest);
    }

    /// Moves pieces.
    ///
    /// @param moves       device address of so many `PieceMove`, at least one; no target overlaps a source or another
    ///     target
    /// @param tiles       how many tiles of [#tileSize] all pieces have, each piece whole ones
    /// @param from        device address of element 0 of each column, one or two
    /// @param to          the same of where they go
    public void movePieces(
            Stream stream, long moves, int moveCount, long tiles, long[] from, long[] to, int[] columnBytes) {
        movePieces.with(moves).with(moveCount).with(tiles).with(tileSize(columnBytes));
        for (int c = 0; c < 2; c++) {
            boolean exists = c < columnBytes.length;
            movePieces.with(new StructValues<>(MovedColumn.values())
                    .set(MovedColumn.FROM, exists ? from[c] : 0)
                    .set(MovedColumn.TO, exists ? to[c] : 0)
                    .set(MovedColumn.ELEMENT_BYTES, exists ? columnBytes[c] : 0)
                    .toArray());
        }
        movePieces.launch(stream, (int) Math.min(tiles, mostBlocks), MOVE_THREADS, 0, Kernel.Mode.AFTER);
    }
}
