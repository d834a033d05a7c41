package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.gpu.code.KernelStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Copies what one GPU has of the buckets of others to their arrays, group by group, beside the sorts of this GPU. The
/// copy engines do it piece by piece, which takes the host some time for each, or a kernel copies all pieces of a group
/// at once, which takes some of the GPU's multiprocessors. The context of the GPU is current whenever a method is
/// called, and none of them waits.
final class BucketCopies {
    /// The smallest unit of the kernel's chunks, at whose multiples in the target chunks begin.
    private static final int UNIT = 16;

    private final ExchangeMember member;
    private final int mostBlocks;
    private final MemorySegment pinned;
    private final List<List<Piece>> groups = new ArrayList<>();
    /// For each group where its pieces begin among all, and how many chunks they have; the last one ends the list.
    private final List<Launch> launches = new ArrayList<>();

    private long listAddress;

    /// Elements that are copied as they lie.
    ///
    /// @param to     whose memory the target is
    /// @param target device address, and so is the source
    record Piece(ExchangeGpu to, long target, long source, long bytes) {
        long chunkCount() {
            return Math.ceilDiv(Math.floorMod(target, UNIT) + bytes, KernelStructs.PIECE_CHUNK_BYTES);
        }
    }

    private record Launch(int firstPiece, int pieceCount, long chunkCount) {}

    /// @param mostBlocks blocks of the kernel; 0 where the copy engines shall do it
    /// @param pinned     memory for [#pinnedBytes]
    BucketCopies(ExchangeMember member, int mostBlocks, MemorySegment pinned) {
        this.member = member;
        this.mostBlocks = mostBlocks;
        this.pinned = pinned;
    }

    /// Returns the pinned memory that so many pieces take.
    static long pinnedBytes(int pieces) {
        return (long) pieces * KernelStructs.PIECE_LONGS * Long.BYTES;
    }

    /// Says what is copied of each group.
    void prepare(List<List<Piece>> pieces) {
        groups.addAll(pieces);
        long bytes = pinnedBytes(pieces.stream().mapToInt(List::size).sum());
        if (mostBlocks == 0 || bytes == 0 || bytes > pinned.byteSize()) {
            return;
        }
        int written = 0;
        for (List<Piece> group : pieces) {
            int first = written;
            long chunks = 0;
            for (Piece piece : group) {
                long[] values = {chunks, piece.source, piece.target, piece.bytes};
                MemorySegment.copy(values, 0, pinned, ValueLayout.JAVA_LONG, pinnedBytes(written), values.length);
                chunks += piece.chunkCount();
                written++;
            }
            launches.add(new Launch(first, group.size(), chunks));
        }
        listAddress = member.add(DeviceAllocation.allocateAsync(member.gpu().context(), member.copies(), bytes))
                .address();
        member.copies().copyToDevice(listAddress, pinned, bytes);
    }

    /// Returns whether a kernel stores the elements into the memory of others.
    boolean areStores() {
        return !launches.isEmpty();
    }

    /// Copies a group.
    void copy(int group) {
        if (!areStores()) {
            for (Piece piece : groups.get(group)) {
                member.gpu().copyTo(member.copies(), piece.to, piece.target, piece.source, piece.bytes);
            }
            return;
        }
        Launch launch = launches.get(group);
        if (launch.pieceCount > 0) {
            member.gpu()
                    .sort()
                    .kernels()
                    .exchange()
                    .copyPieces(
                            member.copies(),
                            listAddress + pinnedBytes(launch.firstPiece),
                            launch.pieceCount,
                            launch.chunkCount,
                            mostBlocks);
        }
    }
}
