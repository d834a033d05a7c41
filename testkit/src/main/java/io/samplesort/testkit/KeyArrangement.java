package io.samplesort.testkit;

import java.util.Arrays;

/// The variations of each shape of input that Bentley and McIlroy sorted (Engineering a Sort Function, 1993).
public enum KeyArrangement {
    AS_DRAWN {
        @Override
        void apply(long[] keys) {}
    },
    REVERSED {
        @Override
        void apply(long[] keys) {
            reverse(keys, 0, keys.length);
        }
    },
    FRONT_REVERSED {
        @Override
        void apply(long[] keys) {
            reverse(keys, 0, keys.length / 2);
        }
    },
    BACK_REVERSED {
        @Override
        void apply(long[] keys) {
            reverse(keys, keys.length / 2, keys.length);
        }
    },
    /// Keys that are drawn as bits are sorted as unsigned numbers instead of in the order of their type.
    SORTED {
        @Override
        void apply(long[] keys) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] ^= Long.MIN_VALUE;
            }
            Arrays.sort(keys);
            for (int i = 0; i < keys.length; i++) {
                keys[i] ^= Long.MIN_VALUE;
            }
        }
    },
    /// Makes each key a little greater, by 0 to 4.
    DITHERED {
        @Override
        void apply(long[] keys) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] += i % 5;
            }
        }
    };

    abstract void apply(long[] keys);

    private static void reverse(long[] keys, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            long key = keys[i];
            keys[i] = keys[j];
            keys[j] = key;
        }
    }
}
