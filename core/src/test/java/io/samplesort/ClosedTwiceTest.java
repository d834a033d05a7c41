package io.samplesort;

import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.records.IndexedCpuSorter;
import io.samplesort.cpu.segments.SegmentCpuSorter;
import io.samplesort.cpu.strings.StringCpuSorter;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cuda.Owned;
import io.samplesort.gpu.GpuSortOptions;
import io.samplesort.gpu.GpuSortSpec;
import io.samplesort.gpu.exchange.TeamThreads;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.StringOrder;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Everything of the library that can be closed may be closed twice.
class ClosedTwiceTest {
    private static final String WAITS =
            "needs a GPU; a second time it waits for the GPU once more and finds nothing to do";

    private static final Map<String, String> REASONS = Map.of(
            "WaitedCall", WAITS,
            "DeviceRuns", WAITS,
            "RunStream", WAITS,
            "Use", WAITS,
            "ExchangeTeam", WAITS,
            "DownloadFlow", WAITS,
            "UploadFlow", WAITS,
            "Workspace", "needs a GPU; it closes what it holds, and tells the guard of tests before");

    @Test
    void everythingMayBeClosedTwice() throws Exception {
        Owned owned = new Owned();
        owned.add(new Crew(2, Runnable::run));
        GpuSortOptions options = new GpuSortOptions(UnaryOperator.identity(), Long.MAX_VALUE, false, null);
        GpuSortSpec ints = new GpuSortSpec(ElementType.INT, List.of(), Order.natural(), false);
        List<AutoCloseable> open = List.of(
                new Engines(ints, options, Device.cpu(), 0, 2),
                new StringEngines(StringOrder.bytes(), options, Device.cpu(), 0, 2, false),
                new CpuSorter(ElementType.INT, null, Order.natural(), 2),
                new IndexedCpuSorter(ElementType.INT, List.of(), Order.natural(), 2),
                new SegmentEngines(ints, options, Device.cpu(), 2),
                new SegmentCpuSorter(ElementType.INT, List.of(), Order.natural(), false, 2),
                new StringCpuSorter(StringOrder.bytes(), 2),
                new Crew(2, Runnable::run),
                new TeamThreads(2),
                owned);
        ClosedTwice.check(List.of(Sorter.class, Owned.class), 40, open, REASONS);
    }
}
