package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import java.util.List;

/// One GPU in an exchange of pieces of elements that are moved as they are sorted. It sorts its part to other memory.
/// Pieces are copied from there directly into the homes, which are then sorted in place.
final class MovedPieces extends PieceMember {
    private DeviceColumns sorted;
    private PartCuts cuts;
    private Event copied;

    MovedPieces(ExchangeMember member, ExchangeColumns columns, long count) {
        super(member, columns, count, count * columns.rowBytes());
    }

    @Override
    void sortPart() {
        sorted = member.allocateColumns(columns.bytes(), count);
        if (count > 0) {
            sort().enqueueCopy(
                            stream(), strategy, columns.sources(), sorted.from(0), PhaseTimer.none(), HostWait.none());
        }
    }

    @Override
    long sortedKeysAddress() {
        return sorted.address(0, 0);
    }

    @Override
    void reserve(PartCuts exact) {
        cuts = exact;
        fillPool();
    }

    @Override
    boolean isReceivedApart() {
        return false;
    }

    @Override
    boolean isStored() {
        return false;
    }

    @Override
    void send(List<PieceMember> all) {
        for (int step = 0; step < all.size(); step++) {
            PieceMember to = target(all, step);
            Range piece = cuts.piece(number(), to.number());
            long before = cuts.before(number(), to.number());
            for (int c = 0; c < columns.bytes().length; c++) {
                int bytes = columns.bytes()[c];
                member.gpu()
                        .copyTo(
                                member.copies(),
                                to.member.gpu(),
                                to.columns.results()[c] + before * bytes,
                                sorted.address(c, piece.begin()),
                                piece.count() * bytes);
            }
        }
        copied = member.mark(member.copies());
    }

    @Override
    void sortHome(List<PieceMember> all) {
        for (PieceMember other : all) {
            stream().waitFor(((MovedPieces) other).copied);
        }
        if (count > 0) {
            sort().enqueue(stream(), strategy, columns.results(), PhaseTimer.none(), hostWait());
        }
    }

    @Override
    long heldBytes() {
        return count * columns.rowBytes();
    }
}
