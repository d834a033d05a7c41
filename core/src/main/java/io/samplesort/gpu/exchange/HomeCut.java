package io.samplesort.gpu.exchange;

import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.PartKernels;
import io.samplesort.gpu.launch.PartKernels.Part;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The search of one GPU for the begin of its home in the sorted parts of all GPUs (cut_parts.cuh). A GPU that reaches
/// the memory of all others reads their keys where they are. Any other GPU gets copies: first a [sample][PartSample] of
/// each part, which tells roughly where the cuts are, and then all keys there.
///
/// The context of the GPU must be current, and no method waits.
final class HomeCut {
    /// The parts are cut at one place, or a sample of them at two.
    private static final int MOST_CUTS = 2;

    private final ExchangeMember member;
    private final long place;
    private final int keyBytes;
    private final List<SortedKeys> parts;
    /// For each part, where the keys begin that the last search covers.
    private final long[] lows;

    /// Sorted keys in the memory of a GPU.
    ///
    /// @param sample null if all GPUs reach each other
    record SortedKeys(ExchangeMember member, long address, long count, PartSample sample) {}

    /// @param place the first place of this GPU's home
    /// @param parts of all GPUs
    HomeCut(ExchangeMember member, long place, int keyBytes, List<SortedKeys> parts) {
        this.member = member;
        this.place = place;
        this.keyBytes = keyBytes;
        this.parts = parts;
        lows = new long[parts.size()];
    }

    /// Returns the bytes of pinned memory that this takes on each GPU.
    static long pinnedBytes(int parts) {
        return (long) MOST_CUTS * parts * Long.BYTES;
    }

    /// Searches the parts themselves.
    void search() {
        List<Part> all = new ArrayList<>();
        for (SortedKeys part : parts) {
            all.add(new Part(new DeviceElements(part.address, 0), part.count));
        }
        cut(0, all, place);
    }

    /// Searches samples of the parts, for a place before the one that is looked for and one after it.
    void searchSamples() {
        List<Part> all = new ArrayList<>();
        long most = 0;
        long least = Long.MAX_VALUE;
        for (SortedKeys part : parts) {
            PartSample sample = part.sample;
            all.add(copied(part, sample.address(), sample.count()));
            if (sample.count() > 0) {
                most = Math.max(most, Math.ceilDiv(part.count, sample.count()));
                least = Math.min(least, part.count / sample.count());
            }
        }
        if (most > 0) {
            long margin = 2L * parts.size() + 2;
            long sampled = all.stream().mapToLong(Part::count).sum();
            cut(0, all, Math.clamp(place / most - margin, 0, sampled));
            cut(1, all, Math.clamp(place / least + margin, 0, sampled));
        }
    }

    /// Searches what is left between the two places of the samples.
    void searchBetween() {
        int count = parts.size();
        long[] before = new long[count];
        long[] behind = new long[count];
        boolean isSampled = parts.stream().anyMatch(part -> part.sample.count() > 0);
        for (int part = 0; part < count; part++) {
            before[part] = isSampled ? found(part) : 0;
            behind[part] = isSampled ? found(count + part) : 0;
        }
        // Checks that the two places, wherever they were meant to be, are on the right sides.
        boolean isBefore = sum(before, PartSample::mostBefore) <= place;
        boolean isBehind = sum(behind, PartSample::leastBefore) >= place;
        List<Part> between = new ArrayList<>();
        long left = place;
        for (int part = 0; part < count; part++) {
            SortedKeys keys = parts.get(part);
            lows[part] = isBefore ? keys.sample.leastBefore(before[part]) : 0;
            long high = isBehind ? keys.sample.mostBefore(behind[part]) : keys.count;
            between.add(copied(keys, keys.address + lows[part] * keyBytes, Math.max(0, high - lows[part])));
            left -= lows[part];
        }
        if (between.stream().anyMatch(part -> part.count() > 0)) {
            cut(0, between, left);
        } else {
            pinned().fill((byte) 0);
        }
    }

    private interface Bound {
        long of(PartSample sample, long index);
    }

    private long sum(long[] indexes, Bound bound) {
        long sum = 0;
        for (int part = 0; part < indexes.length; part++) {
            sum += bound.of(parts.get(part).sample, indexes[part]);
        }
        return sum;
    }

    private Part copied(SortedKeys part, long address, long count) {
        long copy = member.allocate(count * keyBytes).address();
        part.member.gpu().copyTo(member.gpu().stream(), member.gpu(), copy, address, count * keyBytes);
        return new Part(new DeviceElements(copy, 0), count);
    }

    private void cut(int index, List<Part> all, long at) {
        PartKernels kernels = member.gpu().sort().kernels().parts();
        long memory = member.allocate(kernels.cutBytes()).address();
        kernels.cut(member.gpu().stream(), all, at, memory);
        long bytes = (long) all.size() * Long.BYTES;
        member.gpu().stream().copyToHost(pinned().asSlice(index * bytes, bytes), memory + PartKernels.begins(), bytes);
    }

    private MemorySegment pinned() {
        return member.pinned().asSlice(0, pinnedBytes(parts.size()));
    }

    private long found(int index) {
        return PartKernels.index(pinned().getAtIndex(ValueLayout.JAVA_LONG, index));
    }

    /// Returns the first element of each part that belongs to the home or a later one, once the stream has come this
    /// far.
    long[] found() {
        long[] found = new long[parts.size()];
        Arrays.setAll(found, part -> lows[part] + found(part));
        return found;
    }
}
