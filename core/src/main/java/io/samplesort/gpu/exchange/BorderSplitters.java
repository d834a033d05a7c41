package io.samplesort.gpu.exchange;

import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.WorkspaceLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Chooses the splitters around the borders between GPUs: all GPUs draw a sample, and the first one sorts it.
final class BorderSplitters {
    private final ExchangeTeam team;
    private final ExchangeMember leader;
    private final DeviceSort sort;
    private final BorderSample sample;

    BorderSplitters(ExchangeTeam team, BorderSample sample) {
        this.team = team;
        this.sample = sample;
        leader = team.members().getFirst();
        sort = leader.gpu().sort();
    }

    /// Returns the splitters, elements in the order of the sort.
    MemorySegment choose() {
        int keyBytes = sort.columnBytes()[0];
        int[] counts = sample.counts();
        int sampled = Arrays.stream(counts).sum();
        DeviceColumns[] gathered = new DeviceColumns[1];
        team.on(leader, member -> gathered[0] = member.allocateColumns(sampleBytes(), sampled));
        long[] samples = new long[counts.length];
        team.onAll(member -> samples[member.number()] = member.drawSample(counts[member.number()]));
        team.finish();
        int begin = 0;
        for (ExchangeMember member : team.members()) {
            long target = gathered[0].address(0, begin);
            long bytes = (long) counts[member.number()] * keyBytes;
            team.on(member, from -> from.gpu().copyTo(leader.gpu(), target, samples[from.number()], bytes));
            begin += counts[member.number()];
        }
        team.finish();
        int[] ranks = sample.ranks();
        MemorySegment splitters = Arena.ofAuto().allocate(Math.max(1, (long) ranks.length * keyBytes), Long.BYTES);
        team.on(leader, member -> {
            sort(gathered[0], sampled);
            for (int i = 0; i < ranks.length; i++) {
                MemorySegment place = member.splitterPlace((long) i * keyBytes, keyBytes);
                member.gpu().stream().copyToHost(place, gathered[0].address(0, ranks[i]), keyBytes);
            }
        });
        team.finish();
        long bytes = (long) ranks.length * keyBytes;
        splitters.copyFrom(leader.splitterPlace(0, bytes));
        return splitters.asSlice(0, bytes);
    }

    /// Returns the columns of the sample: the compared elements, and where payloads are moved along, room for those.
    private int[] sampleBytes() {
        return Arrays.copyOf(sort.columnBytes(), sort.element().payloadBytes() > 0 ? 2 : 1);
    }

    private void sort(DeviceColumns gathered, int sampled) {
        long beside = sort.indexBytes(sampled);
        WorkspaceLayout layout = sort.layouts()
                .choose("sorting a sample of %d elements on " + leader.gpu().name(), sampled, beside);
        if (sampleBytes().length > 1) {
            // Payloads of a sample are moved along and mean nothing.
            leader.gpu().stream().fill(gathered.address(1, 0), (byte) 0, (long) sampled * sampleBytes()[1]);
        }
        sort.enqueue(leader.gpu().stream(), layout, gathered.from(0), PhaseTimer.none(), null);
    }
}
