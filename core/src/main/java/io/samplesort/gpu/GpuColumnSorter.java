package io.samplesort.gpu;

import io.samplesort.cuda.Background;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.RowProgram;
import io.samplesort.gpu.cubins.RowCubin;
import io.samplesort.gpu.launch.RowModule;
import io.samplesort.gpu.rows.DeviceColumn;
import io.samplesort.gpu.rows.RowKeys;
import io.samplesort.gpu.rows.StringSort;
import io.samplesort.gpu.select.DeviceSelection;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import io.samplesort.types.StringOrder;
import java.util.List;
import java.util.Locale;

/// The GPU engine for rows of key columns in device memory, host half: it makes the keys of the rows ([RowKeys]) and
/// sorts their indexes by them, as words or as strings.
///
/// A sort by words takes 8 bytes of device memory for each row in addition to what a stable argsort of longs takes
/// ([GpuSorter]). A sort by strings takes the encoded keys and 4 or 8 bytes for each row in addition to what an argsort
/// of strings takes ([GpuStringSorter]).
public final class GpuColumnSorter implements AutoCloseable {
    private static final String SELECTING = "selecting among %d rows";

    private final long mostIntBytes;
    private final GpuStringSorter strings;
    private final GpuResources gpu;
    private final RowModule kernels;

    /// Opens the engine on a GPU.
    ///
    /// @throws IllegalArgumentException                       if the tuning needs more shared memory than a block has
    /// @throws io.samplesort.errors.GpuUnavailableException    if there is no usable GPU of this ordinal
    public GpuColumnSorter(int ordinal, GpuSortOptions options) {
        this(ordinal, options, RowKeys.MOST_INT_BYTES);
    }

    /// @param mostIntBytes if encoded rows may have more bytes than this, their offsets have 8 bytes
    GpuColumnSorter(int ordinal, GpuSortOptions options, long mostIntBytes) {
        this.mostIntBytes = mostIntBytes;
        Cuda.requireDriver();
        Background<RowCubin> compiling = RowCubin.start(RowProgram.COLUMNS, ordinal);
        strings = new GpuStringSorter(ordinal, StringOrder.bytes(), options);
        gpu = strings.resources();
        try (Context.Scope scope = gpu.context().enter()) {
            kernels = gpu.add(RowModule.load(gpu.context(), compiling.result()));
        } catch (RuntimeException | Error e) {
            try {
                strings.close();
            } catch (RuntimeException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    /// Returns the number of the GPU that this engine works on.
    public int ordinal() {
        return strings.ordinal();
    }

    /// Writes the indexes of rows in sorted order to device memory, and waits for the end. Equal rows come in the order
    /// of their indexes.
    ///
    /// @param columns     the most important first, all with the same number of rows
    /// @param permutation device address of the result
    /// @param indexBytes  bytes of an index, 4 or 8
    /// @throws IllegalArgumentException if offsets of strings are wrong; in that case the permutation is unchanged
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is changed
    public SortReport argsortOnDevice(List<DeviceColumn> columns, long permutation, int indexBytes) {
        long count = columns.getFirst().count();
        if (count == 0) {
            checkOffsets(columns);
            return new SortReportBuilder(gpu.sort().device()).build();
        }
        try (RunningSort running = new RunningSort(gpu);
                RowKeys keys = new RowKeys(gpu.context(), gpu.stream(), kernels, columns, mostIntBytes)) {
            running.timer().part("keys");
            running.timer().phase("narrow_columns");
            keys.narrow();
            return keys.areWords()
                    ? argsortWords(running, keys, count, permutation, indexBytes)
                    : argsortStrings(running, keys, count, permutation, indexBytes);
        }
    }

    /// Writes the indexes of the rows of the ranks `from..to` to device memory, and waits for the end. Rows whose keys
    /// are words are filtered by them; all others are sorted.
    ///
    /// @param to         the rank after the last one
    /// @param indexes    device address of room for `to - from` indexes
    /// @param indexBytes bytes of an index, 4 or 8
    /// @throws IllegalArgumentException if offsets of strings are wrong; in that case nothing has been written
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException before anything is written
    public SortReport argselectOnDevice(List<DeviceColumn> columns, long from, long to, long indexes, int indexBytes) {
        if (from == to) {
            checkOffsets(columns);
            return new SortReportBuilder(gpu.sort().device()).build();
        }
        long count = columns.getFirst().count();
        try (RunningSort running = new RunningSort(gpu);
                RowKeys keys = new RowKeys(gpu.context(), gpu.stream(), kernels, columns, mostIntBytes)) {
            running.timer().part("keys");
            running.timer().phase("narrow_columns");
            keys.narrow();
            if (keys.areWords()) {
                return selectWords(running, keys, count, from, to, indexes, indexBytes);
            }
            running.timer().phase("measure_rows");
            keys.measure(strings.kernels());
            long beside = StringSort.besideBytes(count) + count * indexBytes + keys.encodedBytes();
            running.chooseHolding(SELECTING, count, beside, keys.offsetBytes());
            running.timer().phase("encode_rows");
            return strings.argselect(running, keys.encode(), from, to, indexes, indexBytes);
        }
    }

    /// Checks columns of which no row is wanted, as sorts of them do.
    private void checkOffsets(List<DeviceColumn> columns) {
        strings.checkOffsets(columns.stream()
                .filter(DeviceColumn::hasStrings)
                .map(DeviceColumn::text)
                .toList());
    }

    private SortReport selectWords(
            RunningSort running, RowKeys keys, long count, long from, long to, long indexes, int indexBytes) {
        long wordBytes = count * Long.BYTES;
        DeviceSort sort = gpu.sort();
        if (!sort.strategies().hasRoom(wordBytes, 0)) {
            throw new InsufficientDeviceMemoryException(
                    String.format(Locale.ROOT, SELECTING, count),
                    wordBytes,
                    sort.strategies().freeBytes());
        }
        Stream stream = gpu.stream();
        try (DeviceAllocation words = DeviceAllocation.allocateAsync(gpu.context(), stream, wordBytes)) {
            running.timer().phase("pack_rows");
            keys.pack(words.address());
            running.timer().part("words");
            try (DeviceSelection selection = new DeviceSelection(
                    sort,
                    stream,
                    running.timer(),
                    gpu.hostWait().told(),
                    words.address(),
                    count,
                    from,
                    to,
                    wordBytes)) {
                running.timer().phase("write_permutation");
                sort.kernels().indexed().writePermutation(stream, selection.keys(), indexes, to - from, indexBytes, 0);
                running.timer().end();
                return running.finishSelection(count, wordBytes + selection.extraBytes());
            }
        }
    }

    /// Writes a column in the order of a permutation to other device memory, and waits for the end.
    ///
    /// @param target room for the same number of values of the same kind, with validity bits if the source has them
    /// @throws IllegalArgumentException if the permutation or an offset is wrong, or there is too little room; in that
    ///     case nothing is changed
    public void gatherOnDevice(long permutation, int indexBytes, DeviceColumn source, DeviceColumn target) {
        long count = source.count();
        try (WaitedCall call = new WaitedCall(gpu)) {
            DevicePermutation order = DevicePermutation.checked(gpu, permutation, indexBytes, count);
            if (source.hasStrings()) {
                strings.enqueueCopy(order, source.text(), target.text());
            } else {
                order.apply(source.values(), target.values(), source.valueBytes());
            }
            if (source.validity() != 0) {
                kernels.of("gather_validity")
                        .values(permutation, indexBytes, source.validity(), target.validity(), count)
                        .launchFor(gpu.stream(), RowKeys.blocks(count));
            }
            call.finish();
        }
    }

    private SortReport argsortWords(RunningSort running, RowKeys keys, long count, long permutation, int indexBytes) {
        long wordBytes = count * Long.BYTES;
        running.choose("sorting %d rows", count, wordBytes + gpu.sort().keyBytes(count));
        try (DeviceAllocation words = DeviceAllocation.allocateAsync(gpu.context(), gpu.stream(), wordBytes)) {
            running.timer().phase("pack_rows");
            keys.pack(words.address());
            running.timer().part("words");
            gpu.sort()
                    .enqueueArgsort(
                            gpu.stream(),
                            running.strategy(),
                            words.address(),
                            permutation,
                            indexBytes,
                            running.timer(),
                            running.hostWait());
            return running.finish();
        }
    }

    private SortReport argsortStrings(RunningSort running, RowKeys keys, long count, long permutation, int indexBytes) {
        running.timer().phase("measure_rows");
        keys.measure(strings.kernels());
        long beside = StringSort.besideBytes(count) + keys.encodedBytes();
        running.chooseHolding("sorting %d rows", count, beside, keys.offsetBytes());
        running.timer().phase("encode_rows");
        return strings.argsort(running, keys.encode(), permutation, indexBytes);
    }

    @Override
    public void close() {
        strings.close();
    }
}
