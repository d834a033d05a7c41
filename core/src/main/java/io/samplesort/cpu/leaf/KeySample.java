package io.samplesort.cpu.leaf;

import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/// Keys drawn at random from a range of an array, sorted.
///
/// @param keys   the keys
/// @param places where in the array each lies
record KeySample(long[] keys, int[] places) {
    static final int SIZE = 63;

    /// A key that occurs this often is frequent.
    private static final int LEAST_FREQUENT = 8;

    /// Even if all keys repeat equally often, this many may occur once in a sample.
    private static final int FEW_SINGLES = 2;

    /// Draws keys from the elements `from..to` without the first and the last, which cannot be pivots.
    ///
    /// @param keyAt returns the key at an index
    static KeySample draw(IntToLongFunction keyAt, int from, int to) {
        SplittableRandom random = new SplittableRandom(31L * from + to);
        long[] keys = new long[SIZE];
        int[] places = new int[SIZE];
        for (int i = 0; i < SIZE; i++) {
            int place = random.nextInt(from + 1, to - 1);
            long key = keyAt.applyAsLong(place);
            int at = i;
            for (; at > 0 && keys[at - 1] > key; at--) {
                keys[at] = keys[at - 1];
                places[at] = places[at - 1];
            }
            keys[at] = key;
            places[at] = place;
        }
        return new KeySample(keys, places);
    }

    /// Returns whether all keys come from so few that hardly any occurs once.
    boolean isOfFew() {
        int different = 1;
        for (int i = 1; i < SIZE; i++) {
            different += keys[i] == keys[i - 1] ? 0 : 1;
        }
        return different <= SIZE / 3;
    }

    /// Returns whether some keys repeat and others do not, or most have one key.
    boolean isUneven() {
        int singles = 0;
        int most = 0;
        for (int start = 0, end; start < SIZE; start = end) {
            boolean repeats = false;
            for (end = start + 1; end < SIZE && keys[end] == keys[start]; end++) {
                // The same place may have been drawn twice.
                repeats |= places[end] != places[start];
            }
            singles += repeats ? 0 : 1;
            most = repeats ? Math.max(most, end - start) : most;
        }
        return most > 0 && singles > FEW_SINGLES || most > SIZE / 2;
    }

    /// Returns a place of the most frequent key; -1 if no key is frequent.
    int frequentPlace() {
        int most = 1;
        int last = 0;
        int run = 1;
        for (int i = 1; i < SIZE; i++) {
            run = keys[i] == keys[i - 1] ? run + 1 : 1;
            if (run > most) {
                most = run;
                last = i;
            }
        }
        return most < LEAST_FREQUENT ? -1 : places[last];
    }
}
