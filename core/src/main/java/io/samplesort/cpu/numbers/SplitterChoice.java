package io.samplesort.cpu.numbers;

import java.util.concurrent.atomic.AtomicInteger;

/// Chooses the splitters of a distribution pass from a random sample, and the fastest way to find buckets that suits
/// the sample.
final class SplitterChoice {
    /// In a pass over a small range, the small-sort limit divided by this is the size of a bucket, so that each worker
    /// gets several.
    private static final int BUCKETS_PER_LIMIT = 32;

    /// How many keys of a sample one worker draws in the time that it would take to wake the others.
    private static final int LEAST_SHARED_SAMPLE = 1024;

    private final int maxBucketLog;
    private final int oversampling;
    private final SplitterTree tree;
    private final SplitterGrid grid = new SplitterGrid();
    private final NestedGrid nestedGrid;
    private final long[] sample;

    private BucketFinder finder;
    private int bucketCount;

    SplitterChoice(CpuTuning tuning) {
        maxBucketLog = tuning.bucketLog();
        oversampling = tuning.oversampling();
        nestedGrid = new NestedGrid(tuning.bucketLog());
        tree = new SplitterTree(tuning.bucketLog());
        sample = new long[tuning.bucketCount() * tuning.oversampling()];
    }

    /// Allocates all that [#choose] needs.
    void reserve(Worker leader) {
        leader.lane.leafSort.reserveLongs(sample.length);
    }

    /// Returns what finds the buckets; null if the grid does.
    BucketFinder finder() {
        return finder;
    }

    /// Returns the grid, if there is no finder.
    SplitterGrid grid() {
        return grid;
    }

    int bucketCount() {
        return bucketCount;
    }

    /// Chooses splitters for a pass by `team` over elements `from..from + count`.
    void choose(Team team, Elements elements, long from, long count) {
        Lane lane = team.leader().lane;
        // For a small range, neither many buckets nor a large sample pay.
        long buckets = count * BUCKETS_PER_LIMIT / lane.smallSortLimit;
        int bucketLog =
                Math.clamp(63 - Long.numberOfLeadingZeros(buckets | 1), CpuTuning.LEAST_BUCKET_LOG, maxBucketLog);
        int most = oversampling << bucketLog;
        int size = Math.clamp(count / 32, Math.min(64, most), most);
        drawSample(team, elements, from, count, size);
        // Each of these ways is slower than the one before, but divides more inputs evenly.
        int limit = 1 << bucketLog;
        if (grid.build(sample, size, limit)) {
            finder = null;
            bucketCount = limit;
            return;
        }
        if (nestedGrid.build(sample, size, lane.keyUnit(), limit)) {
            finder = nestedGrid;
        } else {
            tree.build(sample, size, lane.keyUnit(), lane.hasIntKeys(), limit - 1);
            finder = tree;
        }
        bucketCount = finder.bucketCount();
    }

    /// Fills `sample[0..size)`. Drawing a sample is one cache miss after the other, so all workers share the work on a
    /// large one.
    private void drawSample(Team team, Elements elements, long from, long count, int size) {
        Lane leader = team.leader().lane;
        if (team.size() == 1 || size < LEAST_SHARED_SAMPLE) {
            leader.drawSample(elements, from, count, sample, 0, size);
        } else {
            AtomicInteger next = new AtomicInteger();
            int share = (size + team.size() - 1) / team.size();
            team.run(worker -> {
                int start = Math.min(size, next.getAndIncrement() * share);
                worker.lane.drawSample(elements, from, count, sample, start, Math.min(size, start + share));
            });
        }
        leader.leafSort.sort(sample, 0, size);
    }
}
