package io.samplesort.gpu.exchange;

import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.types.SortReport;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/// One sort of few elements that lie on several GPUs, by the one that has most of them: it takes all elements, sorts
/// them, and gives each GPU its part of the result. The host waits once. This is faster than an exchange if all
/// elements cross a link in less time than the GPUs need to agree on anything.
final class GatheredSort {
    private final ExchangeTeam team;
    private final List<ExchangeColumns> columns;
    private final long[] sizes;
    private final ExchangeMember sorting;
    private final long count;

    GatheredSort(ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes) {
        this.team = team;
        this.columns = columns;
        this.sizes = sizes;
        count = LongStream.of(sizes).sum();
        int most = 0;
        for (int gpu = 1; gpu < sizes.length; gpu++) {
            most = sizes[gpu] > sizes[most] ? gpu : most;
        }
        sorting = team.members().get(most);
    }

    /// Sorts. Returns null if the GPU has too little memory for all elements; in that case nothing has been changed.
    ExchangeTotals run() {
        SortStrategy strategy;
        try {
            strategy = strategy();
        } catch (InsufficientDeviceMemoryException e) {
            return null;
        }
        DeviceColumns[] gathered = new DeviceColumns[1];
        team.on(sorting, member -> {
            gathered[0] = member.allocateColumns(columnBytes(), count);
            gather(gathered[0]);
            sort(strategy, gathered[0]);
        });
        team.beginWriting();
        team.on(sorting, member -> giveBack(gathered[0]));
        team.finish();
        team.endWriting();
        long others = count - sizes[sorting.number()];
        Long[] received = new Long[sizes.length];
        Arrays.fill(received, 0L);
        received[sorting.number()] = count;
        return new ExchangeTotals(
                strategy.passes(),
                deviceSort().bytesMoved(count, strategy.rounds()),
                strategy.byteSize() + heldBytes(),
                sorting.gpu().readBack().get(ValueLayout.JAVA_LONG, 0),
                new SortReport.Exchange(
                        0, 2 * others, LongStream.of(sizes).boxed().toList(), List.of(received)));
    }

    private DeviceSort deviceSort() {
        return sorting.gpu().sort();
    }

    private int[] columnBytes() {
        return columns.getFirst().bytes();
    }

    private long heldBytes() {
        return count * columns.getFirst().rowBytes() + deviceSort().indexBytes(count);
    }

    private SortStrategy strategy() {
        SortStrategy[] strategy = new SortStrategy[1];
        team.on(
                sorting,
                member -> strategy[0] = deviceSort()
                        .strategies()
                        .choose("sorting %d elements on " + member.gpu().name(), count, heldBytes()));
        return strategy[0];
    }

    /// Copies all existing columns to the sorting GPU.
    private void gather(DeviceColumns gathered) {
        long begin = 0;
        for (ExchangeMember from : team.members()) {
            ExchangeColumns part = columns.get(from.number());
            for (int c = 0; c < part.bytes().length; c++) {
                if (part.sources()[c] != 0) {
                    from.gpu()
                            .copyTo(
                                    sorting.gpu().stream(),
                                    sorting.gpu(),
                                    gathered.address(c, begin),
                                    part.sources()[c],
                                    sizes[from.number()] * part.bytes()[c]);
                }
            }
            begin += sizes[from.number()];
        }
    }

    private void sort(SortStrategy strategy, DeviceColumns gathered) {
        if (columns.getFirst().hasKeys()) {
            deviceSort()
                    .enqueue(
                            sorting.gpu().stream(),
                            strategy,
                            gathered.from(0),
                            PhaseTimer.none(),
                            HostWait.forBucket(sorting.gpu().readBack()));
        } else {
            deviceSort()
                    .enqueueArgsort(
                            sorting.gpu().stream(),
                            strategy,
                            gathered.address(0, 0),
                            gathered.address(1, 0),
                            columnBytes()[1],
                            PhaseTimer.none(),
                            HostWait.forBucket(sorting.gpu().readBack()));
        }
    }

    /// Copies the result to where it belongs.
    private void giveBack(DeviceColumns gathered) {
        long begin = 0;
        for (ExchangeMember to : team.members()) {
            ExchangeColumns part = columns.get(to.number());
            for (int c = 0; c < part.bytes().length; c++) {
                if (part.isWanted(c)) {
                    sorting.gpu()
                            .copyTo(
                                    to.gpu(),
                                    part.results()[c],
                                    gathered.address(c, begin),
                                    sizes[to.number()] * part.bytes()[c]);
                }
            }
            begin += sizes[to.number()];
        }
    }
}
