package io.samplesort.gpu.sorted;

import static io.samplesort.gpu.code.KernelConstants.SORTED_THREADS;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.code.KernelStructs.SortedProgress;
import io.samplesort.gpu.code.SharedMemory;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.memory.SetOperation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/// The kernels that work on sorted arrays tile by tile, and the memory in which their blocks tell each other what they
/// have found: a few bytes for each tile of thousands of elements.
final class SortedTiles implements AutoCloseable {
    private static final long PROGRESS_BYTES = 256;

    private final DeviceSort sort;
    private final Stream stream;
    private final PhaseTimer timer;
    private final int tile;
    private final int sharedBytes;
    private final DeviceAllocation memory;
    /// Device addresses: the words of all tiles, and the cuts where they begin.
    private final long words;

    private final long cuts;
    /// Whether nothing has been launched since all was cleared.
    private boolean isCleared;

    /// @param what      the operation as errors name it, with a placeholder for the count
    /// @param sort      of such elements by index
    /// @param count     the most elements of a launch
    /// @param heldBytes the device memory that the operation has taken already
    /// @throws InsufficientDeviceMemoryException if there is not enough memory
    SortedTiles(String what, DeviceSort sort, Stream stream, PhaseTimer timer, long count, long heldBytes) {
        this.sort = sort;
        this.stream = stream;
        this.timer = timer;
        int elementBytes = sort.columnBytes()[0];
        tile = SORTED_THREADS * SharedMemory.sortedItems(elementBytes);
        sharedBytes = SharedMemory.sortedTile(elementBytes);
        long tiles = tiles(count);
        long bytes = PROGRESS_BYTES + tiles * Long.BYTES + (tiles + 1) * KernelStructs.SORTED_CUT_BYTES;
        memory = allocate(what, sort, stream, count, bytes, heldBytes);
        words = memory.address() + PROGRESS_BYTES;
        cuts = words + tiles * Long.BYTES;
    }

    /// Allocates memory of the device's pool.
    ///
    /// @throws InsufficientDeviceMemoryException if there is not enough
    static DeviceAllocation allocate(
            String what, DeviceSort sort, Stream stream, long count, long bytes, long heldBytes) {
        if (!sort.strategies().hasRoom(bytes, heldBytes)) {
            throw new InsufficientDeviceMemoryException(
                    String.format(Locale.ROOT, what, count),
                    bytes,
                    Math.max(0, sort.strategies().freeBytes() - heldBytes));
        }
        return DeviceAllocation.allocateAsync(sort.context(), stream, bytes);
    }

    private long tiles(long count) {
        return Math.ceilDiv(count, (long) tile);
    }

    /// Returns the device memory that this takes.
    long extraBytes() {
        return memory.byteSize();
    }

    /// Merges two arrays, of which equal elements come in this order.
    void merge(TileColumns columns, long firstCount, long secondCount) {
        cut(columns, firstCount, secondCount, false);
        timer.phase("merge_sorted");
        for (long[] struct : columns.structs()) {
            kernel("merge_sorted")
                    .with(struct)
                    .values(firstCount, secondCount, cuts, memory.address())
                    .launch(stream, tiles(firstCount + secondCount));
        }
    }

    /// Writes at most `room` elements of a set operation.
    void combine(SetOperation operation, TileColumns columns, long firstCount, long secondCount, long room) {
        cut(columns, firstCount, secondCount, true);
        for (long[] struct : columns.structs()) {
            nextLaunch(firstCount + secondCount);
            kernel("combine_sorted")
                    .with(struct)
                    .values(firstCount, secondCount, numberOf(operation), room, cuts, words, memory.address())
                    .launch(stream, tiles(firstCount + secondCount));
        }
    }

    private static int numberOf(SetOperation operation) {
        return switch (operation) {
            case UNION -> KernelConstants.UNION;
            case INTERSECTION -> KernelConstants.INTERSECTION;
            case DIFFERENCE -> KernelConstants.DIFFERENCE;
        };
    }

    /// Writes at most `room` first elements of runs, and at most `numberRoom` numbers about the runs.
    ///
    /// @param kind  which numbers: [KernelConstants#NO_RUNS], `RUN_BEGINS` or `RUN_COUNTS`
    /// @param count at least 1
    void keepFirst(
            TileColumns columns, long count, long room, int kind, long numbers, int numberBytes, long numberRoom) {
        clear(count);
        for (long[] struct : columns.structs()) {
            nextLaunch(count);
            kernel("keep_first")
                    .with(struct)
                    .values(count, room, numbers, numberBytes, kind, numberRoom, words, memory.address())
                    .launch(stream, tiles(count));
        }
    }

    /// Waits for the last launch, and returns how many elements there were to write.
    ///
    /// @param told pinned memory for a long
    long total(MemorySegment told) {
        stream.copyToHost(told, memory.address() + SortedProgress.TOTAL.ordinal() * (long) Long.BYTES, Long.BYTES);
        stream.synchronize();
        return told.get(ValueLayout.JAVA_LONG, 0);
    }

    private void cut(TileColumns columns, long firstCount, long secondCount, boolean isBalanced) {
        timer.phase("cut_sorted");
        clear(firstCount + secondCount);
        long cutCount = tiles(firstCount + secondCount) + 1;
        sort.kernels()
                .of("cut_sorted")
                .values(columns.first()[0], firstCount, columns.second()[0], secondCount, isBalanced ? 1 : 0)
                .values(cuts, cutCount, memory.address())
                .launch(stream, Math.ceilDiv(cutCount, SORTED_THREADS - 1));
    }

    /// Forgets all that earlier launches have found.
    private void clear(long count) {
        stream.fill(memory.address(), (byte) 0, PROGRESS_BYTES + tiles(count) * Long.BYTES);
        isCleared = true;
    }

    /// Makes tiles begin with the first one, while what is known about cuts stays.
    private void nextLaunch(long count) {
        if (!isCleared) {
            long tickets = memory.address() + SortedProgress.TICKETS.ordinal() * (long) Long.BYTES;
            stream.fill(tickets, (byte) 0, Long.BYTES);
            stream.fill(words, (byte) 0, tiles(count) * Long.BYTES);
        }
        isCleared = false;
    }

    private KernelLaunch kernel(String name) {
        return sort.kernels().of(name).ofShared(sharedBytes);
    }

    @Override
    public void close() {
        memory.close();
    }
}
