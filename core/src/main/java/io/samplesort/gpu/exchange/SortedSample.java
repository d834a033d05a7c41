package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import java.util.Arrays;
import java.util.function.Consumer;

/// A sorted random sample of the elements of all GPUs, in the memory of the first one. The GPUs wait for each other by
/// events on their streams, and the host does not wait for any of them.
public final class SortedSample {
    private final ExchangeTeam team;
    private final ExchangeMember leader;
    private final DeviceSort sort;
    private final int count;
    private DeviceColumns gathered;
    private Event sorted;

    /// Makes the GPUs draw and sort the sample.
    ///
    /// @param before the work that each GPU is given before that
    public SortedSample(ExchangeTeam team, BorderSample sample, Consumer<ExchangeMember> before) {
        this.team = team;
        leader = team.members().getFirst();
        sort = leader.gpu().sort();
        int[] counts = sample.counts();
        count = sample.sampled();
        long[] samples = new long[counts.length];
        Event[] drawn = new Event[counts.length];
        team.onAll(member -> {
            before.accept(member);
            samples[member.number()] = member.drawSample(counts[member.number()]);
            drawn[member.number()] = member.mark(member.gpu().stream());
        });
        team.on(leader, member -> gather(counts, samples, drawn));
    }

    private void gather(int[] counts, long[] samples, Event[] drawn) {
        gathered = leader.allocateColumns(columnBytes(), count);
        int begin = 0;
        for (ExchangeMember from : team.members()) {
            int number = from.number();
            leader.gpu().stream().waitFor(drawn[number]);
            from.gpu()
                    .copyTo(
                            leader.gpu().stream(),
                            leader.gpu(),
                            address(begin),
                            samples[number],
                            (long) counts[number] * keyBytes());
            begin += counts[number];
        }
        sort();
        sorted = leader.mark(leader.gpu().stream());
    }

    /// Puts a copy of the sorted sample on the stream of a GPU, whose context is current.
    public void copyTo(ExchangeMember member, long target) {
        member.gpu().stream().waitFor(sorted);
        leader.gpu().copyTo(member.gpu().stream(), member.gpu(), target, address(0), byteSize());
    }

    private int keyBytes() {
        return sort.columnBytes()[0];
    }

    /// Returns the bytes of all keys of the sample.
    public long byteSize() {
        return (long) count * keyBytes();
    }

    /// Returns the device address of a key in the memory of the first GPU.
    private long address(int rank) {
        return gathered.address(0, rank);
    }

    public ExchangeMember leader() {
        return leader;
    }

    /// Returns the columns of the sample: the compared elements, and if payloads are moved along, room for these.
    private int[] columnBytes() {
        return Arrays.copyOf(sort.columnBytes(), sort.element().payloadBytes() > 0 ? 2 : 1);
    }

    private void sort() {
        long beside = sort.indexBytes(count);
        SortStrategy strategy = sort.strategies()
                .choose("sorting a sample of %d elements on " + leader.gpu().name(), count, beside);
        if (columnBytes().length > 1) {
            // The payloads of a sample are moved along but never used.
            leader.gpu().stream().fill(gathered.address(1, 0), (byte) 0, (long) count * columnBytes()[1]);
        }
        sort.enqueue(leader.gpu().stream(), strategy, gathered.from(0), PhaseTimer.none(), HostWait.none());
    }
}
