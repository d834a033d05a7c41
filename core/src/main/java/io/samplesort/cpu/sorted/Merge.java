package io.samplesort.cpu.sorted;

import io.samplesort.memory.RunCuts;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/// Merges sorted inputs. They are cut at equal ranks into stretches, which threads share, and these into tiles. All
/// elements of all inputs are written once, even if an input is not sorted or the order contradicts itself: the cuts of
/// a stretch lie between those of its neighbours.
final class Merge {
    /// For each thread there are this many stretches, so that threads end at about the same time.
    private static final int STRETCHES = 8;

    /// Merges tiles. For one thread.
    interface Merger {
        /// Merges the elements of each input between two cuts.
        ///
        /// @param place where the first one goes
        void merge(long[] begins, long[] ends, long place);
    }

    private final KeyOrder order;
    private final List<Input> inputs;
    private final long count;
    private final int tile;
    private final int threads;

    /// @param tile how many elements a merger gets at most
    Merge(KeyOrder order, List<Input> inputs, int tile, int threads) {
        this.order = order;
        this.inputs = inputs;
        this.count = inputs.stream().mapToLong(Input::count).sum();
        this.tile = tile;
        this.threads = threads;
    }

    void run(Supplier<Merger> mergers) {
        long stretch = Math.max(1, Math.ceilDiv(count, (long) STRETCHES * threads * tile)) * tile;
        int stretches = Math.toIntExact(Math.ceilDiv(count, stretch));
        long[][] cuts = new long[stretches + 1][];
        cuts[0] = new long[inputs.size()];
        CutRuns runs = CutRuns.of(order, inputs);
        for (int i = 1; i <= stretches; i++) {
            cuts[i] = RunCuts.at(runs, Math.min(i * stretch, count), cuts[i - 1]);
        }
        Workers.each(threads, stretches, () -> {
            Merger merger = mergers.get();
            return i -> merge(merger, cuts[(int) i], cuts[(int) i + 1]);
        });
    }

    private void merge(Merger merger, long[] begin, long[] end) {
        CutRuns runs = new CutRuns(order, inputs, end);
        long place = LongStream.of(begin).sum();
        long last = LongStream.of(end).sum();
        long[] from = begin;
        while (place < last) {
            long next = Math.min(place + tile, last);
            long[] to = RunCuts.at(runs, next, from);
            merger.merge(from, to, place);
            from = to;
            place = next;
        }
    }

    /// Returns what merges elements of any type.
    static Merger merger(List<Input> inputs, Tile tile, int[] columnBytes, List<MemorySegment> targets) {
        return (begins, ends, place) -> {
            tile.clear();
            for (int i = 0; i < begins.length; i++) {
                tile.add(inputs.get(i), begins[i], (int) (ends[i] - begins[i]));
            }
            tile.load();
            tile.merge();
            tile.write(tile.held(), columnBytes, targets, place, inputs.size());
        };
    }
}
