package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.launch.IndexKernels;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import java.util.List;

/// One GPU in an exchange of pieces of elements that are sorted by index. It sorts the sort keys of its part, and these
/// are cut. A piece of sort keys is sent before its elements. The keys get the numbers that the elements will have at
/// their new owner, so that the owner sorts the keys while the elements are on their way. Elements are gathered in the
/// order of the keys twice: before they leave a GPU if they do, and in their homes.
///
/// What leaves a GPU is **staged**: gathered to memory of the same GPU, piece by piece, and moved by copy engines. If
/// there is too little memory for that, the gather stores it directly in the memory of its owner.
final class IndexedPieces extends PieceMember {
    /// What leaves for one GPU is staged in at most this many steps.
    private static final int MOST_STEPS = 4;

    private final long firstIndex;
    private final boolean reachesAll;
    private final long leastPiece;
    private final int[] sentBytes;
    private long ownKeys;
    private long receivedKeys;
    private DeviceColumns received;
    /// Null if nothing is staged.
    private DeviceColumns staged;
    private long stagedBytes;
    private PartCuts cuts;
    private Event keysSent;
    private Event stored;
    private Event copied;

    /// @param firstIndex the index of the first element of this GPU in the whole array
    /// @param reachesAll whether this GPU can store to the memory of all others
    /// @param leastPiece the fewest elements that are staged at once
    IndexedPieces(
            ExchangeMember member,
            ExchangeColumns columns,
            long count,
            long firstIndex,
            boolean reachesAll,
            long leastPiece) {
        super(member, columns, count, count * heldRowBytes(member.gpu().sort(), columns));
        this.firstIndex = firstIndex;
        this.reachesAll = reachesAll;
        this.leastPiece = leastPiece;
        sentBytes = columns.sentBytes(sort());
    }

    /// Returns the bytes for each element: the sort keys of the part and of the home, and what is received.
    private static long heldRowBytes(DeviceSort sort, ExchangeColumns columns) {
        return 2L * sort.element().keyBytes() + ExchangeColumns.sum(columns.sentBytes(sort));
    }

    private IndexKernels kernels() {
        return sort().kernels().indexed();
    }

    @Override
    void sortPart() {
        ownKeys = member.allocate(count * keyBytes()).address();
        if (count > 0) {
            sort().enqueueSortKeys(stream(), strategy, columns.sources()[0], ownKeys, PhaseTimer.none());
        }
    }

    @Override
    long sortedKeysAddress() {
        return ownKeys;
    }

    @Override
    void reserve(PartCuts exact) {
        cuts = exact;
        receivedKeys = member.allocate(count * keyBytes()).address();
        received = member.allocateColumns(sentBytes, count);
        long away = cuts.away(number());
        long bytes = away * ExchangeColumns.sum(sentBytes);
        boolean hasRoom = sort().strategies().hasRoom(bytes + strategy.byteSize(), heldBytes());
        if (hasRoom) {
            staged = member.allocateColumns(sentBytes, away);
            stagedBytes = bytes;
        } else if (!reachesAll) {
            throw new InsufficientDeviceMemoryException(
                    "sorting " + count + " elements on " + member.gpu().name(),
                    bytes + strategy.byteSize(),
                    sort().strategies().freeBytes());
        }
        fillPool();
    }

    @Override
    boolean isReceivedApart() {
        return true;
    }

    @Override
    boolean isStored() {
        return staged == null;
    }

    @Override
    void send(List<PieceMember> all) {
        for (int step = 0; step < all.size(); step++) {
            IndexedPieces to = (IndexedPieces) target(all, step);
            Range piece = cuts.piece(number(), to.number());
            long target = to.receivedKeys + cuts.before(number(), to.number()) * keyBytes();
            long source = ownKeys + piece.begin() * keyBytes();
            member.gpu().copyTo(member.copies(), to.member.gpu(), target, source, piece.count() * keyBytes());
        }
        keysSent = member.mark(member.copies());
        for (int step = 1; step <= all.size(); step++) {
            send((IndexedPieces) target(all, step));
        }
        stored = member.mark(stream());
        copied = member.mark(member.copies());
    }

    private void send(IndexedPieces to) {
        Range piece = cuts.piece(number(), to.number());
        long before = cuts.before(number(), to.number());
        if (staged == null || to == this) {
            order(piece, to.received.from(before));
            return;
        }
        long steps = Math.clamp(piece.count() / leastPiece, 1, MOST_STEPS);
        for (long step = 0; step < steps; step++) {
            Range part = new Range(
                    piece.begin() + piece.count() * step / steps, piece.begin() + piece.count() * (step + 1) / steps);
            long[] from = staged.from(stagedPlace(part.begin(), to.number()));
            order(part, from);
            member.copies().waitFor(member.mark(stream()));
            long[] targets = to.received.from(before + part.begin() - piece.begin());
            for (int c = 0; c < sentBytes.length; c++) {
                member.gpu().copyTo(member.copies(), to.member.gpu(), targets[c], from[c], part.count() * sentBytes[c]);
            }
        }
    }

    /// Returns where an element for another GPU is staged. What this GPU keeps lies between what is for earlier GPUs
    /// and what is for later ones, and is not staged.
    private long stagedPlace(long place, int to) {
        return to < number() ? place : place - cuts.piece(number(), number()).count();
    }

    /// Writes elements of this GPU in the order of their sort keys, or their indexes in the whole array.
    ///
    /// @param keys which of the sorted keys
    private void order(Range keys, long[] targets) {
        long from = ownKeys + keys.begin() * keyBytes();
        for (int c = 0; c < sentBytes.length; c++) {
            if (sentBytes[c] > 0 && columns.sources()[c] == 0) {
                kernels().writePermutation(stream(), from, targets[c], keys.count(), sentBytes[c], firstIndex);
            } else if (sentBytes[c] > 0) {
                kernels().gather(stream(), from, columns.sources()[c], targets[c], keys.count(), sentBytes[c]);
            }
        }
    }

    @Override
    void sortHome(List<PieceMember> all) {
        for (PieceMember other : all) {
            stream().waitFor(((IndexedPieces) other).keysSent);
        }
        if (count > 0) {
            kernels().numberKeys(stream(), receivedKeys, count);
            sort().enqueueSortKeys(stream(), strategy, receivedKeys, hostWait());
        }
        for (PieceMember other : all) {
            stream().waitFor(((IndexedPieces) other).stored);
            stream().waitFor(((IndexedPieces) other).copied);
        }
        for (int c = 0; c < sentBytes.length; c++) {
            if (columns.isWanted(c)) {
                sort().enqueueGather(
                                stream(),
                                receivedKeys,
                                count,
                                received.address(c, 0),
                                columns.results()[c],
                                columns.bytes()[c],
                                c == 0);
            }
        }
    }

    @Override
    long heldBytes() {
        return count * heldRowBytes(sort(), columns) + stagedBytes;
    }
}
