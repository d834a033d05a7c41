package io.samplesort.bench.jdk;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/// The shapes of input on which a sort may lose to the JDK's: common ones, and ones that mislead a sort.
enum JdkInput {
    RANDOM {
        @Override
        void arrange(long[] keys, SplittableRandom random) {}
    },
    SORTED {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            Arrays.sort(keys);
        }
    },
    REVERSED {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            Arrays.sort(keys);
            reverse(keys, 0, keys.length);
        }
    },
    /// Two ascending runs over the same range.
    TWO_RUNS {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            Arrays.sort(keys, 0, keys.length / 2);
            Arrays.sort(keys, keys.length / 2, keys.length);
        }
    },
    /// 16 different keys.
    FEW_DISTINCT {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            long[] distinct = random.longs(16).toArray();
            Arrays.setAll(keys, i -> distinct[random.nextInt(distinct.length)]);
        }
    },
    /// In order, except that the last third stands first.
    ROTATED {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            Arrays.sort(keys);
            int cut = keys.length - keys.length / 3;
            reverse(keys, 0, cut);
            reverse(keys, cut, keys.length);
            reverse(keys, 0, keys.length);
        }
    },
    /// Four descending runs over the same range.
    DESCENDING_RUNS {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            int length = Math.ceilDiv(keys.length, 4);
            for (int from = 0; from < keys.length; from += length) {
                int to = Math.min(from + length, keys.length);
                Arrays.sort(keys, from, to);
                reverse(keys, from, to);
            }
        }
    },
    /// Keys whose bits are zero but for the highest six: as `char`, the multiples of 1024.
    MULTIPLES {
        @Override
        void arrange(long[] keys, SplittableRandom random) {
            Arrays.setAll(keys, i -> keys[i] & -1L << 58);
        }
    },
    /// Objects in order, which lie in memory in another order. Numbers have no such input.
    SCATTERED {
        @Override
        void arrange(long[] keys, SplittableRandom random) {}
    };

    /// Brings random keys into this shape.
    abstract void arrange(long[] keys, SplittableRandom random);

    /// Returns keys of this shape, spread over all longs.
    long[] keys(int count, SplittableRandom random) {
        long[] keys = random.longs(count).toArray();
        arrange(keys, random);
        return keys;
    }

    private static void reverse(long[] keys, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            long key = keys[i];
            keys[i] = keys[j];
            keys[j] = key;
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
