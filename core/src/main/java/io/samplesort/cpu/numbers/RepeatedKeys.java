package io.samplesort.cpu.numbers;

import io.samplesort.cpu.leaf.KeyCounts;
import io.samplesort.cpu.leaf.SampledKeys;
import io.samplesort.cpu.leaf.SimdKeys;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Loops.RangeBody;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// Sorts keys without payload of which few are distinct: it counts the keys and writes them anew. It reads and writes
/// memory once, while partitioning would do so several times.
///
/// Nothing is written before all keys are counted, so an input that turns out to have many distinct keys is unchanged.
final class RepeatedKeys {
    /// The least ratio of keys to distinct keys.
    private static final int LEAST_REPETITION = 256;

    /// The tables for more distinct keys than this do not fit a core's caches.
    private static final int MOST_DISTINCT = 1 << 14;

    /// The counters have 32 bits.
    private static final long MOST_KEYS = 0xffff_ffffL;

    private static final int LEAST_BITS = 8;

    /// A thread counts or writes its share in this many parts, but not so few keys that calls take long.
    private static final int PARTS_PER_SHARE = 4;

    private static final int LEAST_PART = 1 << 14;
    private static final int MOST_PART = 1 << 19;

    private final SimdKeys keys;
    private final Crew crew;
    private final long count;
    private final int bits;

    private RepeatedKeys(SimdKeys keys, Crew crew, long count, int bits) {
        this.keys = keys;
        this.crew = crew;
        this.count = count;
        this.bits = bits;
    }

    /// Sorts the first `count` keys if few are distinct.
    ///
    /// @param sample   of these keys
    /// @param finished is called with ranges that are done; null if not needed
    /// @return the bytes of heap that this took; -1 if the keys are unchanged
    static long trySort(SimdKeys keys, Crew crew, long count, SampledKeys sample, FinalRanges finished) {
        long distinct = sample.distinct();
        if (keys.hasPayload() || count > MOST_KEYS || distinct > Math.min(count / LEAST_REPETITION, MOST_DISTINCT)) {
            return -1;
        }
        // Two to four times as many places as keys, and twice that in case the sample misleads.
        int bits = Math.max(Long.SIZE - Long.numberOfLeadingZeros(distinct) + 1, LEAST_BITS);
        return new RepeatedKeys(keys, crew, count, bits).sort(finished);
    }

    private long sort(FinalRanges finished) {
        List<KeyCounts> tables = countAll();
        if (tables == null || !addAll(tables)) {
            return -1;
        }
        KeyCounts.Sorted sorted = tables.getFirst().sorted();
        crew.forRanges(count, partSize(), (from, to) -> {
            sorted.write(from, to);
            if (finished != null) {
                finished.finished(from, to);
            }
        });
        return tables.size() * tables.getFirst().bytes();
    }

    private long partSize() {
        return Math.clamp(count / ((long) PARTS_PER_SHARE * crew.size()), LEAST_PART, MOST_PART);
    }

    /// Counts all keys, each thread in a table of its own; returns null if there are too many distinct ones.
    private List<KeyCounts> countAll() {
        Counting counting = new Counting();
        crew.forRanges(count, partSize(), counting);
        return counting.areTooMany ? null : counting.tables;
    }

    /// Counts ranges of keys in tables that threads take and give back.
    private final class Counting implements RangeBody {
        /// The tables that no thread is using. This object guards the list.
        private final List<KeyCounts> tables = new ArrayList<>();

        private volatile boolean areTooMany;

        @Override
        public void accept(long from, long to) {
            if (areTooMany) {
                return;
            }
            KeyCounts table = take();
            table = table == null ? keys.counts(bits) : table;
            if (!table.add(from, to)) {
                areTooMany = true;
            }
            giveBack(table);
        }

        private synchronized KeyCounts take() {
            return tables.isEmpty() ? null : tables.removeLast();
        }

        private synchronized void giveBack(KeyCounts table) {
            tables.add(table);
        }
    }

    /// Adds all tables to the first one, two at a time; returns whether that one has room for all keys.
    private boolean addAll(List<KeyCounts> tables) {
        AtomicLong failures = new AtomicLong();
        for (int step = 1; step < tables.size(); step *= 2) {
            int distance = step;
            int pairs = Math.ceilDiv(tables.size() - distance, 2 * distance);
            crew.forRanges(pairs, 1, (from, to) -> {
                int at = (int) from * 2 * distance;
                if (!tables.get(at).add(tables.get(at + distance))) {
                    failures.incrementAndGet();
                }
            });
            if (failures.get() > 0) {
                return false;
            }
        }
        return true;
    }
}
