package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceElements;
import io.samplesort.gpu.sort.DeviceSort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// One GPU in one exchange: the memory that it takes there, and its steps. Its context is current whenever one of its
/// methods is called, and nothing but [#finish] waits.
final class ExchangeMember implements AutoCloseable {
    private static final int LARGEST_UNIT_BYTES = 16;
    private static final long SEED = 0x5eed5a37L;

    private final ExchangeGpu gpu;
    private final int number;
    private final ExchangeColumns columns;
    private final long count;
    private final MemorySegment pinned;
    private final Stream copies;
    private final Owned owned = new Owned();

    private DeviceElements splitters;
    private int splitterCount;
    private DeviceAllocation classCounts;
    private ReceivedElements received;
    private DeviceColumns staged;

    /// @param number which GPU it is in the exchange
    /// @param pinned memory for what goes up and down, see [#pinnedBytes]
    /// @param copies a stream for copies beside other work
    ExchangeMember(
            ExchangeGpu gpu, int number, ExchangeColumns columns, long count, MemorySegment pinned, Stream copies) {
        this.gpu = gpu;
        this.number = number;
        this.columns = columns;
        this.count = count;
        this.pinned = pinned;
        this.copies = copies;
    }

    /// Returns how many bytes of pinned memory an exchange of elements takes on each GPU.
    static long pinnedBytes(DeviceSort sort) {
        return (planOffset(sort) + planLongs(sort.columnBytes().length + 1)) * Long.BYTES;
    }

    /// Returns how many longs stand before the plan: the counts of the classes and the splitters.
    private static long planOffset(DeviceSort sort) {
        long splitterBytes = (long) KernelConstants.MAX_BORDER_SPLITTERS * sort.columnBytes()[0];
        return KernelConstants.MAX_CLASSES + Math.ceilDiv(splitterBytes, Long.BYTES);
    }

    private static int planLongs(int columnCount) {
        return KernelStructs.EXCHANGE_PLAN_LONGS + columnCount * KernelStructs.EXCHANGE_COLUMN_LONGS;
    }

    ExchangeGpu gpu() {
        return gpu;
    }

    /// Returns which GPU this is in the exchange.
    int number() {
        return number;
    }

    /// Returns a stream for copies beside other work.
    Stream copies() {
        return copies;
    }

    /// Returns a mark at the end of what is on a stream of this GPU now.
    Event mark(Stream on) {
        Event event = owned.add(Event.create(context(), false));
        event.record(on);
        return event;
    }

    /// Has something closed together with this.
    <T extends AutoCloseable> T add(T child) {
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

    private DeviceAllocation allocate(long bytes) {
        return owned.add(DeviceAllocation.allocateAsync(context(), stream(), Math.max(1, bytes)));
    }

    /// Draws a sample of the elements and returns its device address.
    long drawSample(int sampleCount) {
        int keyBytes = columns.bytes()[0];
        long sample = allocate((long) sampleCount * keyBytes).address();
        if (sampleCount > 0) {
            sort().kernels()
                    .exchange()
                    .drawSample(stream(), columns.sources()[0], keyBytes, count, sample, sampleCount, SEED + number);
        }
        return sample;
    }

    /// Returns pinned memory for a piece of the splitters.
    MemorySegment splitterPlace(long offset, long bytes) {
        return pinned.asSlice((long) KernelConstants.MAX_CLASSES * Long.BYTES + offset, bytes);
    }

    /// Counts the elements of each class; [#classCounts] returns the counts once the stream has come this far.
    ///
    /// @param chosen the splitters, elements in host memory
    void countClasses(MemorySegment chosen) {
        splitterCount = (int) (chosen.byteSize() / columns.bytes()[0]);
        long address = allocate(chosen.byteSize()).address();
        splitters = sort().asInput(address, 0);
        if (splitterCount > 0) {
            MemorySegment place = splitterPlace(0, chosen.byteSize());
            place.copyFrom(chosen);
            stream().copyToDevice(address, place, chosen.byteSize());
        }
        int classes = 2 * splitterCount + 1;
        pinned.asSlice(0, (long) classes * Long.BYTES).fill((byte) 0);
        if (count == 0) {
            return;
        }
        int blocks = sort().kernels().exchange().blocks(count);
        classCounts = allocate((long) classes * blocks * Long.BYTES);
        long totals = allocate((long) classes * Long.BYTES).address();
        sort().kernels()
                .exchange()
                .countClasses(stream(), elements(), count, splitters, splitterCount, classCounts.address(), totals);
        stream().copyToHost(pinned, totals, (long) classes * Long.BYTES);
    }

    long[] classCounts() {
        return pinned.asSlice(0, (2L * splitterCount + 1) * Long.BYTES).toArray(ValueLayout.JAVA_LONG);
    }

    private DeviceElements elements() {
        return sort().asInput(columns.sources()[0], 0);
    }

    /// Allocates columns that are freed with this member.
    DeviceColumns allocateColumns(int[] columnBytes, long elementCount) {
        return owned.add(new DeviceColumns(context(), stream(), columnBytes, elementCount));
    }

    /// Takes the memory to receive elements in.
    ///
    /// @param isStaged whether elements of this GPU lie in its own memory before they are sent
    void reserve(ExchangePlan plan, boolean isStaged) {
        long stagedBytes = isStaged ? count * columns.rowBytes() : 0;
        received = owned.add(new ReceivedElements(gpu, columns, plan, number, stagedBytes));
        if (isStaged) {
            staged = owned.add(new DeviceColumns(context(), stream(), columns.bytes(), count));
        }
    }

    /// Returns what this GPU receives.
    ReceivedElements received() {
        return received;
    }

    /// Stores the elements of this GPU where all members receive them or, if they are staged, in its own memory in the
    /// order of their classes.
    void send(ExchangePlan plan, List<ExchangeMember> members) {
        if (count == 0) {
            return;
        }
        boolean isStaged = staged != null;
        long[] classStarts = isStaged ? plan.localStarts(number) : plan.sentBy(number);
        int owners = isStaged ? 1 : members.size();
        int columnCount = columns.bytes().length;
        long[] values = new long[planLongs(columnCount)];
        System.arraycopy(classStarts, 0, values, 0, classStarts.length);
        values[KernelConstants.MAX_CLASSES] = owners;
        for (int owner = 0; owner < owners; owner++) {
            values[KernelConstants.MAX_CLASSES + 1 + owner] =
                    isStaged ? 0 : plan.received(owner).begin();
        }
        for (int c = 0; c < columnCount; c++) {
            int at = KernelStructs.EXCHANGE_PLAN_LONGS + c * KernelStructs.EXCHANGE_COLUMN_LONGS;
            values[at] = columns.sources()[c];
            values[at + 1] = columns.bytes()[c];
            values[at + 2] = Long.lowestOneBit(LARGEST_UNIT_BYTES | columns.bytes()[c] | columns.sources()[c]);
            values[at + 3] = plan.home(number).begin();
            for (int owner = 0; owner < owners; owner++) {
                values[at + 4 + owner] = isStaged
                        ? staged.address(c, 0)
                        : members.get(owner).received.address(c, 0);
            }
        }
        long bytes = (long) values.length * Long.BYTES;
        MemorySegment place = pinned.asSlice(planOffset(sort()) * Long.BYTES, bytes);
        place.copyFrom(MemorySegment.ofArray(values));
        long planAddress = allocate(bytes).address();
        stream().copyToDevice(planAddress, place, bytes);
        sort().kernels()
                .exchange()
                .sendElements(
                        stream(),
                        elements(),
                        count,
                        splitters,
                        splitterCount,
                        classCounts.address(),
                        planAddress,
                        planAddress + KernelStructs.EXCHANGE_PLAN_LONGS * (long) Long.BYTES,
                        columnCount);
        if (isStaged) {
            sendStaged(plan, members);
        }
    }

    private void sendStaged(ExchangePlan plan, List<ExchangeMember> members) {
        long at = 0;
        for (Move move : plan.sends(number)) {
            ExchangeMember to = members.get(move.to());
            for (int c = 0; c < columns.bytes().length; c++) {
                long target = to.received.address(c, move.places().begin());
                gpu.copyTo(to.gpu, target, staged.address(c, at), move.places().count() * columns.bytes()[c]);
            }
            at += move.places().count();
        }
        staged.close();
    }

    /// Waits for all work of this GPU.
    void finish() {
        try {
            stream().synchronize();
        } finally {
            copies.synchronize();
        }
    }

    @Override
    public void close() {
        owned.close();
    }
}
