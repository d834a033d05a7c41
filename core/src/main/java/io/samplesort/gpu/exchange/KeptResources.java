package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// What one GPU keeps from one exchange to the next, since making it anew would take driver calls while the GPU waits.
/// The context of the GPU must be current.
public final class KeptResources implements AutoCloseable {
    /// Few exchanges need more marks than this, and those make the rest for themselves.
    private static final int MARKS = 64;

    private final Owned owned = new Owned();
    private final List<Event> marks = new ArrayList<>();
    private final MemorySegment pinned;
    private final Stream copies;
    private final Stream beside;
    private final long orderSearch;
    private int marked;

    /// @param pinnedBytes how much pinned memory an exchange takes
    public KeptResources(Context context, long pinnedBytes) {
        try {
            pinned = owned.add(PinnedMemory.allocate(context, pinnedBytes)).segment();
            copies = owned.add(Stream.create(context));
            beside = owned.add(Stream.create(context));
            orderSearch = owned.add(DeviceAllocation.allocate(context, KernelStructs.ORDER_SEARCH_BYTES))
                    .address();
            for (int mark = 0; mark < MARKS; mark++) {
                marks.add(owned.add(Event.create(context, false)));
            }
        } catch (RuntimeException | Error e) {
            owned.closeAfter(e);
            throw e;
        }
    }

    /// Returns pinned memory for what is copied to the GPU and back.
    public MemorySegment pinned() {
        return pinned;
    }

    /// Returns a stream for copies that run at the same time as other work.
    Stream copies() {
        return copies;
    }

    /// Returns a stream for a small sort that runs at the same time as others.
    Stream beside() {
        return beside;
    }

    /// Returns the device address of memory for a search for order.
    long orderSearch() {
        return orderSearch;
    }

    /// Returns a mark that the exchange has not used yet; null if there is none left.
    Event nextMark() {
        return marked == marks.size() ? null : marks.get(marked++);
    }

    /// Lets the next exchange use the same marks.
    public void reuseMarks() {
        marked = 0;
    }

    @Override
    public void close() {
        owned.close();
    }
}
