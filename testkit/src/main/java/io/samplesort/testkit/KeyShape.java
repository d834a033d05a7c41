package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Shapes of keys that break sorts: keys whose bits say little, runs of equal keys, inputs that are nearly sorted, and
/// inputs that mislead quicksorts. Each has a parameter of its own, such as the length of a saw, which is drawn from
/// the seed.
///
/// They are for random trials, which pick some of them; inputs that are measured or always tested are an
/// [InputDistribution]. The same seed gives the same keys.
public enum KeyShape {
    /// Each key is the AND of one to six random words: the more words, the more often keys repeat and bits are 0.
    AND_OF_WORDS(Kind.BITS) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int words = 1 + random.nextInt(6);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = -1;
                for (int word = 0; word < words; word++) {
                    keys[i] &= random.nextLong();
                }
            }
        }
    },
    /// All keys are the same except for one byte.
    ONE_BYTE(Kind.BITS) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            long same = random.nextLong();
            int shift = Byte.SIZE * random.nextInt(type.byteSize());
            for (int i = 0; i < keys.length; i++) {
                keys[i] = same ^ (long) random.nextInt(256) << shift;
            }
        }
    },
    /// Multiples of a power of two: only the highest bits differ.
    STRIDES(Kind.BITS) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int shift = random.nextInt(Byte.SIZE * type.byteSize());
            for (int i = 0; i < keys.length; i++) {
                keys[i] = random.nextLong() << shift;
            }
        }
    },
    /// Half of all floating-point numbers are NaNs, of any bits and either sign. Integers get the same bits.
    NANS(Kind.BITS) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            long exponent = type.byteSize() == Long.BYTES ? 0x7ffL << 52 : 0xffL << 23;
            for (int i = 0; i < keys.length; i++) {
                keys[i] = random.nextBoolean() ? random.nextLong() : random.nextLong() | exponent | 1;
            }
        }
    },
    /// The least and the greatest key.
    TWO_EXTREMES(Kind.PLACE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = random.nextBoolean() ? -1 : 0;
            }
        }
    },
    /// Runs of equal keys, whose lengths are spread geometrically.
    EQUAL_RUNS(Kind.PLACE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            double average = power(keys.length, random);
            long key = random.nextLong();
            for (int i = 0; i < keys.length; i++) {
                key = random.nextDouble() * average < 1 ? random.nextLong() : key;
                keys[i] = key;
            }
        }
    },
    /// Saws that rise or fall, each of a random length.
    SAWS(Kind.PLACE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int longest = power(keys.length, random);
            for (int from = 0; from < keys.length; ) {
                int length = Math.min(keys.length - from, 1 + random.nextInt(longest));
                long step = Long.divideUnsigned(-1L, length);
                boolean rises = random.nextBoolean();
                for (int i = 0; i < length; i++) {
                    keys[from + i] = (rises ? i : length - 1 - i) * step;
                }
                from += length;
            }
        }
    },
    /// Ascending, and random in the end.
    RANDOM_TAIL(Kind.RANK) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int tail = power(keys.length, random);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = i < keys.length - tail ? i : random.nextInt(keys.length);
            }
        }
    },
    /// Ascending from some key on, and after the last one from the first.
    ROTATED(Kind.RANK) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int by = random.nextInt(keys.length);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = (i + (long) by) % keys.length;
            }
        }
    },
    /// Ascending, except for pairs of neighbours that have changed places: all of them, or few.
    SWAPPED_PAIRS(Kind.RANK) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int period = 2 * power(keys.length, random);
            for (int i = 0; i < keys.length; i++) {
                int swapped = i % period < 2 ? i ^ 1 : i;
                keys[i] = Math.min(keys.length - 1, swapped);
            }
        }
    },
    /// The place of each key with its bits in reversed order.
    BIT_REVERSAL(Kind.PLACE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            for (int i = 0; i < keys.length; i++) {
                keys[i] = Long.reverse(i);
            }
        }
    },
    /// Bentley and McIlroy's sawtooth: i mod m.
    SAWTOOTH(Kind.VALUE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int m = power(keys.length, random);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = i % m;
            }
        }
    },
    /// Their stagger: (i m + i) mod n.
    STAGGER(Kind.RANK) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            long m = power(keys.length, random);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = (i * m + i) % keys.length;
            }
        }
    },
    /// Their plateau: ascending, and then all the same.
    PLATEAU(Kind.VALUE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int m = power(keys.length, random);
            for (int i = 0; i < keys.length; i++) {
                keys[i] = Math.min(i, m);
            }
        }
    },
    /// Their shuffle: two ascending sequences; one has about every m-th key.
    SHUFFLE(Kind.VALUE) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int m = power(keys.length, random);
            long even = 0;
            long odd = 1;
            for (int i = 0; i < keys.length; i++) {
                keys[i] = random.nextInt(m) > 0 ? (even += 2) : (odd += 2);
            }
        }
    },
    /// Musser's permutation, on which a quicksort with the median of three as its pivot takes quadratic time.
    MEDIAN_KILLER(Kind.RANK) {
        @Override
        void draw(long[] keys, KeyType type, SplittableRandom random) {
            int half = keys.length / 4 * 2;
            for (int i = 0; i < half; i++) {
                keys[i] = i % 2 == 0 ? i : half + i - 1;
                keys[half + i] = 2L * i + 1;
            }
            for (int i = 2 * half; i < keys.length; i++) {
                keys[i] = i;
            }
        }
    };

    /// What a drawn long becomes: the bits of the key; a place in the type's range; one of n such places; or a number.
    private enum Kind {
        BITS,
        PLACE,
        RANK,
        VALUE
    }

    private final Kind kind;

    KeyShape(Kind kind) {
        this.kind = kind;
    }

    /// Draws all keys, at least one.
    abstract void draw(long[] keys, KeyType type, SplittableRandom random);

    /// Returns a number from 1 to n; its order of magnitude is uniform.
    private static int power(int n, SplittableRandom random) {
        return (int) Math.pow(n, random.nextDouble());
    }

    /// Fills all of `target`, which holds fewer than 2^31 keys.
    public void fill(MemorySegment target, KeyType type, KeyArrangement arrangement, long seed) {
        long[] keys = new long[Math.toIntExact(type.count(target))];
        if (keys.length == 0) {
            return;
        }
        draw(keys, type, new SplittableRandom(seed));
        arrangement.apply(keys);
        long step = Long.divideUnsigned(-1L, keys.length);
        for (int i = 0; i < keys.length; i++) {
            long bits = switch (kind) {
                case BITS -> keys[i];
                case PLACE -> type.scaledBits(keys[i]);
                case RANK -> type.scaledBits(keys[i] * step);
                case VALUE -> type.valueBits(keys[i]);
            };
            type.setBits(target, i, bits);
        }
    }
}
