package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import java.lang.foreign.MemorySegment;

/// One GPU in one exchange: the memory that it takes for this, and its steps. The context of the GPU must be current,
/// and only [#finish] waits.
public final class ExchangeMember implements AutoCloseable {
    private static final long SEED = 0x5eed5a37L;

    private final ExchangeGpu gpu;
    private final int number;
    private final ExchangeColumns columns;
    private final long count;
    private final KeptResources kept;
    private final Owned owned = new Owned();
    private boolean isAnyBeside;

    /// @param number the number of this GPU in the exchange
    /// @param kept   what this GPU keeps for the next exchange; each way to exchange has its own layout of the pinned
    ///     memory in it
    public ExchangeMember(ExchangeGpu gpu, int number, ExchangeColumns columns, long count, KeptResources kept) {
        this.gpu = gpu;
        this.number = number;
        this.columns = columns;
        this.count = count;
        this.kept = kept;
    }

    public ExchangeGpu gpu() {
        return gpu;
    }

    /// Returns the number of this GPU in the exchange.
    public int number() {
        return number;
    }

    /// Returns a stream for copies that run at the same time as other work.
    public Stream copies() {
        return kept.copies();
    }

    /// Returns a stream for a small sort that runs at the same time as others. It begins after all that the GPU has
    /// been given by now.
    public Stream forkBeside() {
        if (!isAnyBeside) {
            isAnyBeside = true;
            kept.beside().waitFor(mark(stream()));
        }
        return kept.beside();
    }

    /// Makes all further work wait for what is on that stream.
    public void joinBeside() {
        if (isAnyBeside) {
            stream().waitFor(mark(kept.beside()));
            isAnyBeside = false;
        }
    }

    /// Returns a mark at the end of what is on a stream of this GPU now.
    public Event mark(Stream on) {
        Event unused = kept.nextMark();
        Event event = unused != null ? unused : owned.add(Event.create(context(), false));
        event.record(on);
        return event;
    }

    /// Hands over something that is closed together with this.
    public <T extends AutoCloseable> T add(T child) {
        return owned.add(child);
    }

    private DeviceSort sort() {
        return gpu.sort();
    }

    private Context context() {
        return gpu.context();
    }

    private Stream stream() {
        return gpu.stream();
    }

    /// Allocates memory that is freed with this member.
    public DeviceAllocation allocate(long bytes) {
        return owned.add(DeviceAllocation.allocateAsync(context(), stream(), Math.max(1, bytes)));
    }

    /// Draws a sample of the elements and returns its device address.
    public long drawSample(int sampleCount) {
        int keyBytes = columns.bytes()[0];
        long sample = allocate((long) sampleCount * keyBytes).address();
        if (sampleCount > 0) {
            sort().kernels()
                    .drawSample(stream(), columns.sources()[0], keyBytes, count, sample, sampleCount, SEED + number);
        }
        return sample;
    }

    /// Returns pinned memory in which the steps, one after the other, read back or write.
    public MemorySegment pinned() {
        return kept.pinned();
    }

    /// Returns the device address of memory for a search for order.
    public long orderSearch() {
        return kept.orderSearch();
    }

    /// Allocates columns that are freed with this member.
    public DeviceColumns allocateColumns(int[] columnBytes, long elementCount) {
        return owned.add(new DeviceColumns(context(), stream(), columnBytes, elementCount));
    }

    /// Waits for all work of this GPU.
    void finish() {
        try {
            stream().synchronize();
        } finally {
            try {
                copies().synchronize();
            } finally {
                if (isAnyBeside) {
                    kept.beside().synchronize();
                }
            }
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
