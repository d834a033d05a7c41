package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.exchange.ExchangePlan.Send;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/// One GPU in an exchange of classes: what it counts, sends and sorts. Its context is current whenever one of its
/// methods is called, and none of them waits.
///
/// Elements are sent in pieces. A kernel stores them where the GPUs receive them, or it **stages** what is for other
/// GPUs in the memory of its own, and copy engines bring one piece while the kernel stages the next ones. Staging takes
/// memory, but no multiprocessor waits for a link. Sort keys are stored wherever that can be done: their owner sorts
/// them while the elements themselves are on their way.
final class ClassMember {
    private static final int LARGEST_UNIT_BYTES = 16;

    /// Elements are sent in so many pieces at most.
    private static final int MOST_PIECES = 4;

    /// A piece has blocks for so many waves at most, so that they end at about the same time.
    private static final int WAVES_A_PIECE = 2;

    private final ExchangeMember member;
    private final ExchangeColumns columns;
    private final long count;
    private final boolean reachesAll;
    /// How many blocks count the elements, and send them.
    private final long blocks;

    private final int pieces;
    private final MemorySegment pinned;

    private DeviceElements splitters;
    private int splitterCount;
    private DeviceAllocation classCounts;
    private ReceivedElements received;
    private ExchangePlan plan;
    /// Null where nothing is staged.
    private DeviceColumns staged;

    private long stagedBytes;
    private Event stored;
    private Event copied;

    /// @param reachesAll whether this GPU can store to the memory of all others
    /// @param leastPiece elements that a piece has at least
    /// @param pinned     memory for [#pinnedBytes]
    ClassMember(
            ExchangeMember member,
            ExchangeColumns columns,
            long count,
            boolean reachesAll,
            long leastPiece,
            MemorySegment pinned) {
        this.member = member;
        this.columns = columns;
        this.count = count;
        this.reachesAll = reachesAll;
        this.pinned = pinned;
        int resident = sort().kernels().of("send_elements").residentBlocks();
        long tiles = Math.ceilDiv(count, (long) KernelConstants.EXCHANGE_THREADS * KernelConstants.EXCHANGE_ITEMS);
        blocks = Math.clamp(tiles, 1, (long) resident * WAVES_A_PIECE * MOST_PIECES);
        pieces = (int) Math.clamp(count / leastPiece, 1, Math.min(blocks, MOST_PIECES));
    }

    /// Returns how many bytes of pinned memory an exchange of classes takes on each GPU.
    static long pinnedBytes(DeviceSort sort) {
        return (planOffset(sort) + planLongs(sort.columnBytes().length + 2)) * Long.BYTES;
    }

    /// Returns how many longs stand before the plan: the counts of the classes and the splitters.
    private static long planOffset(DeviceSort sort) {
        long splitterBytes = (long) KernelConstants.MAX_BORDER_SPLITTERS * sort.columnBytes()[0];
        return countLongs() + Math.ceilDiv(splitterBytes, Long.BYTES);
    }

    private static long countLongs() {
        return (long) KernelConstants.MAX_CLASSES * MOST_PIECES;
    }

    private static int planLongs(int columnCount) {
        return KernelStructs.EXCHANGE_PLAN_LONGS + columnCount * KernelStructs.EXCHANGE_COLUMN_LONGS;
    }

    private DeviceSort sort() {
        return member.gpu().sort();
    }

    private KernelLaunch kernel(String name) {
        return sort().kernels().of(name);
    }

    private Stream stream() {
        return member.gpu().stream();
    }

    private DeviceElements elements() {
        return sort().asInput(columns.sources()[0], 0);
    }

    /// Counts the elements of each class; [#counts] returns the counts once the stream has come this far.
    ///
    /// @param chosen the splitters, elements in host memory
    void countClasses(MemorySegment chosen) {
        splitterCount = (int) (chosen.byteSize() / columns.bytes()[0]);
        long address = member.allocate(chosen.byteSize()).address();
        splitters = sort().asInput(address, 0);
        if (splitterCount > 0) {
            MemorySegment place = pinned.asSlice(countLongs() * Long.BYTES, chosen.byteSize());
            place.copyFrom(chosen);
            stream().copyToDevice(address, place, chosen.byteSize());
        }
        long sumBytes = (long) classCount() * pieces * Long.BYTES;
        pinned.asSlice(0, sumBytes).fill((byte) 0);
        if (count == 0) {
            return;
        }
        classCounts = member.allocate(classCount() * blocks * Long.BYTES);
        long sums = member.allocate(sumBytes).address();
        kernel("count_classes")
                .with(elements().fields())
                .values(count)
                .with(splitters.fields())
                .values(splitterCount, classCounts.address())
                .launch(stream(), blocks);
        // Blocks learn how many elements are in those before them, and the host how many are in each piece.
        kernel("scan_classes")
                .values(classCounts.address(), blocks, sums, pieces)
                .launch(stream(), classCount());
        stream().copyToHost(pinned, sums, sumBytes);
    }

    private int classCount() {
        return 2 * splitterCount + 1;
    }

    /// Returns how many elements this GPU has of each class.
    long[] counts() {
        return counts(pieces);
    }

    /// Returns how many elements of each class the first pieces have.
    private long[] counts(int pieceCount) {
        long[] counts = new long[classCount()];
        for (int c = 0; c < counts.length && pieceCount > 0; c++) {
            counts[c] = pinned.getAtIndex(ValueLayout.JAVA_LONG, (long) c * pieces + pieceCount - 1);
        }
        return counts;
    }

    /// Takes the memory to receive elements in, and to stage others.
    void reserve(ExchangePlan exact) {
        plan = exact;
        int[] bytes = columns.sentBytes(sort());
        long rowBytes = ExchangeColumns.sum(bytes);
        long away = count - plan.keptBy(member.number());
        boolean stages = !reachesAll || columns.areGathered(sort()) && hasRoom(away * rowBytes);
        received = member.add(
                new ReceivedElements(member.gpu(), columns, plan, member.number(), stages ? away * rowBytes : 0));
        if (stages) {
            staged = member.allocateColumns(bytes, away);
            stagedBytes = away * rowBytes;
        }
    }

    /// Returns whether there is memory to stage elements, beside what cannot be done without.
    private boolean hasRoom(long stagedBytes) {
        long least = ReceivedElements.leastBytes(sort(), columns, plan, member.number());
        return sort().strategies().hasRoom(stagedBytes + least, 0);
    }

    /// Returns whether elements for other GPUs are staged.
    boolean isStaged() {
        return staged != null;
    }

    long stagedBytes() {
        return stagedBytes;
    }

    ReceivedElements received() {
        return received;
    }

    /// Returns whether a column is staged where elements of it go to another GPU.
    private boolean isStaged(int column) {
        // Sort keys are needed first.
        return staged != null && !(reachesAll && column == columns.bytes().length);
    }

    /// Sends the elements of this GPU, piece by piece.
    void send(List<ClassMember> all) {
        if (count > 0) {
            int[] sentColumns = sentColumns();
            long[] values = planValues(all, sentColumns);
            long bytes = (long) values.length * Long.BYTES;
            MemorySegment place = pinned.asSlice(planOffset(sort()) * Long.BYTES, bytes);
            place.copyFrom(MemorySegment.ofArray(values));
            long planAddress = member.allocate(bytes).address();
            stream().copyToDevice(planAddress, place, bytes);
            for (int piece = 0; piece < pieces; piece++) {
                sendPiece(piece, planAddress, sentColumns.length);
                if (staged != null) {
                    copyPiece(piece, all);
                }
            }
        }
        stored = member.mark(stream());
        copied = member.mark(member.copies());
    }

    /// Sends one piece of the elements to the GPUs that will sort them.
    private void sendPiece(int piece, long planAddress, int columnCount) {
        long firstBlock = blocks * piece / pieces;
        long columnsAt = planAddress + KernelStructs.EXCHANGE_PLAN_LONGS * (long) Long.BYTES;
        kernel("send_elements")
                .with(elements().fields())
                .values(count)
                .with(splitters.fields())
                .values(splitterCount, classCounts.address(), firstBlock, blocks, planAddress, columnsAt, columnCount)
                .launch(stream(), blocks * (piece + 1) / pieces - firstBlock);
    }

    /// Returns which columns are sent, those of sort keys last.
    private int[] sentColumns() {
        int[] bytes = columns.sentBytes(sort());
        int[] sent = new int[bytes.length];
        int found = 0;
        for (int c = 0; c < bytes.length; c++) {
            if (bytes[c] > 0) {
                sent[found++] = c;
            }
        }
        return Arrays.copyOf(sent, found);
    }

    /// Returns the fields of an `ExchangePlan`, and of an `ExchangeColumn` for each of these columns
    /// (send_elements.cuh).
    private long[] planValues(List<ClassMember> all, int[] sentColumns) {
        int number = member.number();
        long[] values = new long[planLongs(sentColumns.length)];
        long[] places = plan.sentBy(number);
        System.arraycopy(places, 0, values, 0, places.length);
        System.arraycopy(plan.localStarts(number), 0, values, KernelConstants.MAX_CLASSES, places.length);
        int at = 2 * KernelConstants.MAX_CLASSES;
        values[at++] = all.size();
        for (int owner = 0; owner < all.size(); owner++) {
            values[at + owner] = plan.received(owner).begin();
        }
        int[] bytes = columns.sentBytes(sort());
        at = KernelStructs.EXCHANGE_PLAN_LONGS;
        for (int c : sentColumns) {
            long source = c < columns.bytes().length ? columns.sources()[c] : 0;
            values[at] = source;
            values[at + 1] = bytes[c];
            values[at + 2] = Long.lowestOneBit(LARGEST_UNIT_BYTES | bytes[c] | source);
            values[at + 3] = plan.home(number).begin();
            for (int owner = 0; owner < all.size(); owner++) {
                boolean isAway = owner != number && isStaged(c);
                values[at + 4] |= isAway ? 1L << owner : 0;
                values[at + 5 + owner] = isAway
                        ? stagedAddress(c, owner, 0)
                        : all.get(owner).received.address(c, 0);
            }
            at += KernelStructs.EXCHANGE_COLUMN_LONGS;
        }
        return values;
    }

    /// Returns where an element for another GPU is staged.
    ///
    /// @param local where it comes among all elements of this GPU, in the order of the classes
    private long stagedAddress(int column, int owner, long local) {
        // What this GPU keeps lies between what is for earlier GPUs and what is for later ones, and is not staged.
        long kept = owner > member.number() ? plan.keptBy(member.number()) : 0;
        return staged.address(column, local - kept);
    }

    /// Copies a piece once it has been staged. Each GPU begins with another one, so that no link has to wait for the
    /// rest.
    private void copyPiece(int piece, List<ClassMember> all) {
        member.copies().waitFor(member.mark(stream()));
        List<Send> sends = plan.sends(member.number(), counts(piece), counts(piece + 1));
        for (int step = 1; step < all.size(); step++) {
            ClassMember to = all.get((member.number() + step) % all.size());
            for (Send send : sends) {
                if (send.to() == to.member.number()) {
                    copy(send, to);
                }
            }
        }
    }

    private void copy(Send send, ClassMember to) {
        int[] bytes = columns.sentBytes(sort());
        for (int c = 0; c < bytes.length; c++) {
            if (isStaged(c)) {
                long target = to.received.address(c, send.places().begin());
                long source = stagedAddress(c, send.to(), send.local());
                member.gpu()
                        .copyTo(
                                member.copies(),
                                to.member.gpu(),
                                target,
                                source,
                                send.places().count() * bytes[c]);
            }
        }
    }

    /// Sorts what this GPU has received, and copies what belongs to other GPUs to their homes, which they have read by
    /// then.
    void sort(List<ClassMember> all) {
        for (ClassMember other : all) {
            stream().waitFor(other.stored);
            if (!other.reachesAll) {
                stream().waitFor(other.copied);
            }
        }
        received.sortKeys();
        for (ClassMember other : all) {
            stream().waitFor(other.copied);
        }
        received.bringHome();
        for (Move move : plan.moves()) {
            if (move.from() == member.number()) {
                received.move(move, all.get(move.to()).received);
            }
        }
    }
}
