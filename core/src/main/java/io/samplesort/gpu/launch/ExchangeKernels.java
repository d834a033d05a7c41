package io.samplesort.gpu.launch;

import static io.samplesort.gpu.code.KernelConstants.EXCHANGE_ITEMS;
import static io.samplesort.gpu.code.KernelConstants.EXCHANGE_THREADS;
import static io.samplesort.gpu.code.KernelConstants.ORDER_THREADS;
import static io.samplesort.gpu.code.KernelProgram.EXCHANGE;
import static io.samplesort.gpu.code.KernelProgram.SPLITTERS;

import io.samplesort.cuda.Kernel;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.cubins.KernelModules;
import io.samplesort.gpu.plan.DeviceElements;

/// The kernels that exchange elements between GPUs (border_classes.cuh), with one method for each.
public final class ExchangeKernels {
    private static final int TILE = EXCHANGE_THREADS * EXCHANGE_ITEMS;

    /// Elements are sent in so many pieces at most.
    public static final int MOST_PIECES = 4;

    /// A piece has blocks for so many waves at most, so that they end at about the same time.
    private static final int WAVES_A_PIECE = 2;

    private final Kernel drawSample;
    private final Kernel countClasses;
    private final int countBytes;
    private final Kernel scanClasses;
    private final Kernel sendElements;
    private final Kernel checkOrder;
    private final int sendBytes;
    private final int multiprocessorCount;
    private final int mostBlocks;

    ExchangeKernels(KernelModules modules, SharedMemory sharedMemory, int multiprocessorCount) {
        this.multiprocessorCount = multiprocessorCount;
        countBytes = sharedMemory.countClasses();
        sendBytes = sharedMemory.sendElements();
        drawSample = modules.kernel(SPLITTERS, "draw_sample", 0);
        countClasses = modules.kernel(EXCHANGE, "count_classes", countBytes);
        scanClasses = modules.kernel(EXCHANGE, "scan_classes", SharedMemory.scanClasses());
        sendElements = modules.kernel(EXCHANGE, "send_elements", sendBytes);
        checkOrder = modules.kernel(SPLITTERS, "check_order", 0);
        int resident = Math.max(1, sendElements.activeBlocksPerMultiprocessor(EXCHANGE_THREADS, sendBytes));
        mostBlocks = resident * multiprocessorCount * WAVES_A_PIECE * MOST_PIECES;
    }

    /// Returns how many blocks count `count` elements, and send them.
    public int blocks(long count) {
        return Math.clamp(Math.ceilDiv(count, (long) TILE), 1, mostBlocks);
    }

    /// Copies a random sample of elements.
    public void drawSample(
            Stream stream, long elements, long elementBytes, long count, long sample, long sampleCount, long seed) {
        drawSample
                .with(elements)
                .with(elementBytes)
                .with(count)
                .with(sample)
                .with(sampleCount)
                .with(seed);
        int blocks = Math.clamp(Math.ceilDiv(sampleCount, (long) EXCHANGE_THREADS), 1, multiprocessorCount);
        drawSample.launch(stream, blocks, EXCHANGE_THREADS, 0, Kernel.Mode.AFTER);
    }

    /// Counts the elements of each class, and leaves in `counts` how many of them are in the blocks before each block.
    ///
    /// @param elements  `count` elements in the user's form, at least one
    /// @param splitters so many elements, in the order of the sort
    /// @param counts    device address of room for a long for each class and block
    /// @param sums      device address of room for a long for each class and piece, which becomes how many elements of
    ///     the class are in all pieces up to that one
    /// @param pieces    in how many pieces the elements will be sent, of one block at least each
    public void countClasses(
            Stream stream,
            DeviceElements elements,
            long count,
            DeviceElements splitters,
            int splitterCount,
            long counts,
            long sums,
            int pieces) {
        int blocks = blocks(count);
        countClasses
                .with(elements.fields())
                .with(count)
                .with(splitters.fields())
                .with(splitterCount)
                .with(counts);
        countClasses.launch(stream, blocks, EXCHANGE_THREADS, countBytes, Kernel.Mode.AFTER);
        scanClasses.with(counts).with(blocks).with(sums).with(pieces);
        scanClasses.launch(
                stream, 2 * splitterCount + 1, EXCHANGE_THREADS, SharedMemory.scanClasses(), Kernel.Mode.AFTER);
    }

    /// Sends one piece of the elements to the GPUs that will sort them.
    ///
    /// @param before  what [#countClasses] has left
    /// @param plan    device address of an `ExchangePlan` (send_elements.cuh)
    /// @param columns device address of so many `ExchangeColumn`, that of sort keys last
    /// @param piece   which one it is of so many `pieces`
    public void sendElements(
            Stream stream,
            DeviceElements elements,
            long count,
            DeviceElements splitters,
            int splitterCount,
            long before,
            long plan,
            long columns,
            int columnCount,
            int piece,
            int pieces) {
        long blocks = blocks(count);
        long firstBlock = blocks * piece / pieces;
        int pieceBlocks = (int) (blocks * (piece + 1) / pieces - firstBlock);
        sendElements
                .with(elements.fields())
                .with(count)
                .with(splitters.fields())
                .with(splitterCount)
                .with(before)
                .with(firstBlock)
                .with(blocks)
                .with(plan)
                .with(columns)
                .with(columnCount);
        sendElements.launch(stream, pieceBlocks, EXCHANGE_THREADS, sendBytes, Kernel.Mode.AFTER);
    }

    /// Finds out whether elements are in order, or in the opposite order, and leaves in the first int of `search` which
    /// it is (`InputOrder` of find_order.cuh).
    ///
    /// @param elements `count` elements, at least one
    /// @param asked    the only order that counts; 0 for either
    /// @param search   device address of room for [KernelStructs#ORDER_SEARCH_BYTES], which are 0
    public void checkOrder(Stream stream, DeviceElements elements, long count, int asked, long search) {
        checkOrder.with(elements.fields()).with(count).with(asked).with(search);
        int resident = Math.max(1, checkOrder.activeBlocksPerMultiprocessor(ORDER_THREADS, 0)) * multiprocessorCount;
        int blocks = (int) Math.min(Math.ceilDiv(count, (long) ORDER_THREADS), resident);
        checkOrder.launch(stream, blocks, ORDER_THREADS, 0, Kernel.Mode.AFTER);
    }
}
