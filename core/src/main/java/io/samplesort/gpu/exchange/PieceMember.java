package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.SortStrategy;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// One GPU in an exchange of pieces: how it sorts its part, sends pieces of it, and sorts what it has received. The
/// context of the GPU must be current, and no method waits.
abstract class PieceMember {
    private static final long SEED = 0x5eed5a37c075L;

    final ExchangeMember member;
    final ExchangeColumns columns;
    final long count;
    /// The strategy for the part, and also for the home, which has the same number of elements.
    final SortStrategy strategy;

    private PartSample sample;
    private Event isSorted;

    /// @param heldBytes what this takes in addition to the memory of the sorts
    PieceMember(ExchangeMember member, ExchangeColumns columns, long count, long heldBytes) {
        this.member = member;
        this.columns = columns;
        this.count = count;
        strategy = sort().strategies().choose(what(), count, heldBytes);
    }

    final String what() {
        return "sorting %d elements on " + member.gpu().name();
    }

    final DeviceSort sort() {
        return member.gpu().sort();
    }

    final Stream stream() {
        return member.gpu().stream();
    }

    final int number() {
        return member.number();
    }

    final long count() {
        return count;
    }

    /// Sorts the part, and samples it.
    ///
    /// @param sampled how many keys the sample has
    final void sortPart(long sampled) {
        member.gpu().readBack().set(ValueLayout.JAVA_LONG, 0, 0);
        sortPart();
        long address = member.allocate(sampled * keyBytes()).address();
        sample = new PartSample(address, sampled, count);
        if (sampled > 0) {
            sort().kernels()
                    .drawSample(stream(), sortedKeysAddress(), keyBytes(), count, address, sampled, SEED + number());
        }
        isSorted = member.mark(stream());
    }

    abstract void sortPart();

    abstract long sortedKeysAddress();

    final int keyBytes() {
        return sort().element().keyBytes();
    }

    final HomeCut.SortedKeys sortedKeys() {
        return new HomeCut.SortedKeys(member, sortedKeysAddress(), count, sample);
    }

    final void waitForSort(PieceMember other) {
        stream().waitFor(other.isSorted);
    }

    /// @param first the first place of the home of this GPU
    final HomeCut home(long first, List<HomeCut.SortedKeys> parts) {
        return new HomeCut(member, first, keyBytes(), parts);
    }

    /// Takes the memory for all that follows.
    abstract void reserve(PartCuts cuts);

    /// Allocates what the sort needs, and gives it back to the pool, which keeps it. So the sort gets its memory even
    /// if others ask for some meanwhile.
    final void fillPool() {
        DeviceAllocation.allocateAsync(sort().context(), stream(), Math.max(1, strategy.byteSize()))
                .close();
    }

    /// Returns whether pieces are received in memory of their own, and not directly where they belong.
    abstract boolean isReceivedApart();

    /// Returns whether a kernel, and not a copy engine, stores elements in the memory of other GPUs.
    abstract boolean isStored();

    /// Sends all pieces to the GPUs where they belong.
    abstract void send(List<PieceMember> all);

    /// Returns the GPU to which this one sends in a step; in step 0 that is this one itself. In each step each GPU
    /// receives from one GPU.
    final <M extends PieceMember> M target(List<M> all, int step) {
        return all.get((number() + step) % all.size());
    }

    /// Sorts what has been received.
    abstract void sortHome(List<PieceMember> all);

    final HostWait hostWait() {
        return HostWait.forBucket(member.gpu().readBack());
    }

    final int passes() {
        return strategy.passes();
    }

    final long bytesMoved() {
        return 2 * sort().bytesMoved(count, strategy.rounds());
    }

    /// Returns the memory that this takes.
    final long extraBytes() {
        return strategy.byteSize() + heldBytes();
    }

    abstract long heldBytes();

    final long largestBucket() {
        return member.gpu().readBack().get(ValueLayout.JAVA_LONG, 0);
    }
}
