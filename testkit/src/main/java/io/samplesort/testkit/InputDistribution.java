package io.samplesort.testkit;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/// The shapes of input that sorts are tested and measured with: those of the paper (Section 6, p = 240 blocks), those
/// of IPS⁴o (Axtmann, Witt, Ferizovic, Sanders 2017), and an adversary.
///
/// The same seed gives the same keys, however many threads generate them. Random numbers come from the Mersenne
/// Twister.
public enum InputDistribution {
    /// Uniformly random over the type's range; over [0, 1) for floating point.
    UNIFORM(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return random.nextLong();
        }
    },
    /// The average of four uniform values.
    GAUSSIAN(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return (random.nextLong() >>> 2)
                    + (random.nextLong() >>> 2)
                    + (random.nextLong() >>> 2)
                    + (random.nextLong() >>> 2);
        }
    },
    /// p blocks of p runs each; the keys of the i-th run of a block are random in the i-th of p equal sub-ranges.
    BUCKET_SORTED(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long blockSize = Math.max(1, n / BLOCKS);
            long run = Math.min(BLOCKS - 1, i % blockSize * BLOCKS / blockSize);
            return inSubRange(run, random);
        }
    },
    /// p blocks, each in a sub-range of its own: the first half of the blocks in the odd ones of p sub-ranges, the
    /// others in the even ones (Helman, Bader, JáJá 1998).
    STAGGERED(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long block = Math.min(BLOCKS - 1, i / Math.max(1, n / BLOCKS));
            return inSubRange(block < BLOCKS / 2 ? 2 * block + 1 : 2 * block - BLOCKS, random);
        }
    },
    /// The first p/2 blocks hold log n, the next p/4 blocks log(n/2), and so on.
    DETERMINISTIC_DUPLICATES(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long block = Math.min(BLOCKS - 1, i / Math.max(1, n / BLOCKS));
            int halvings = Long.SIZE - 1 - Long.numberOfLeadingZeros(BLOCKS / (BLOCKS - block));
            return Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(n) - halvings);
        }
    },
    /// Ascending over the type's range.
    SORTED(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return i * step(n);
        }
    },
    /// Descending over the type's range.
    REVERSE(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return (n - 1 - i) * step(n);
        }
    },
    /// Ascending, except for about √n of the keys, which are random.
    ALMOST_SORTED(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long key = random.nextLong();
            return random.nextDouble() * Math.sqrt(n) < 1 ? key : i * step(n);
        }
    },
    /// Ascending, except for about a hundredth of the keys, which are random.
    HUNDREDTH_OUT_OF_PLACE(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long key = random.nextLong();
            return random.nextDouble() < 0.01 ? key : i * step(n);
        }
    },
    /// Four ascending runs, each over the type's range.
    FOUR_RUNS(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return inRun(i, n, 4, random);
        }
    },
    /// 16 such runs.
    SIXTEEN_RUNS(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return inRun(i, n, 16, random);
        }
    },
    /// 64 such runs.
    SIXTY_FOUR_RUNS(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return inRun(i, n, 64, random);
        }
    },
    /// The same key everywhere.
    ALL_EQUAL(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return 42;
        }
    },
    /// 16 keys, equally often.
    FEW_DISTINCT(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return random.nextInt(16);
        }
    },
    /// i mod ⌊√n⌋.
    ROOT_DUPLICATES(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return i % Math.max(1, (long) Math.sqrt(n));
        }
    },
    /// (i² + n/2) mod n.
    TWO_DUPLICATES(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return Long.remainderUnsigned(i * i + n / 2, n);
        }
    },
    /// (i⁸ + n/2) mod n, the power taken modulo 2^64.
    EIGHT_DUPLICATES(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long squared = i * i;
            long fourth = squared * squared;
            return Long.remainderUnsigned(fourth * fourth + n / 2, n);
        }
    },
    /// Uniform in [2^e, 2^(e+1)) with e uniform below log n.
    EXPONENTIAL(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            int exponent = random.nextInt(Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(n)));
            return (1L << exponent) + random.nextLong(1L << exponent);
        }
    },
    /// Ranks from 1 to 10^6; the frequency of rank x is about proportional to x^-0.75.
    ZIPF(Kind.VALUE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            // The inverse of the integral of x^-0.75 from 1 to 10^6, at a random place.
            double place = 1 + random.nextDouble() * (Math.pow(1e6, 0.25) - 1);
            return (long) (place * place * place * place);
        }
    },
    /// Ascending up to the middle, then descending.
    ORGAN_PIPE(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            return Math.min(i, n - 1 - i) * step(n) * 2;
        }
    },
    /// Keys that mislead samples. A key at a multiple of 256, where a regular sample would look, is smaller than all
    /// others. Half of the others lie in a part of the range that has 2^-32 of its size; only splitters that are drawn
    /// from that part divide it.
    ADVERSARY(Kind.PLACE) {
        @Override
        long draw(long i, long n, UniformRandomProvider random) {
            long key = random.nextLong();
            if (i % 256 == 0) {
                return key >>> 40;
            }
            return (i & 1) == 0 ? 0x8000_0000_0000_0000L + (key >>> 32) : key;
        }
    };

    private enum Kind {
        PLACE,
        VALUE
    }

    /// The paper's p.
    private static final long BLOCKS = 240;

    /// Each block of this many keys has a random generator of its own, so that blocks can be made in any order.
    public static final int GENERATOR_BLOCK = 1 << 16;

    private static final long[] NO_SPECIALS = {};

    private final Kind kind;

    InputDistribution(Kind kind) {
        this.kind = kind;
    }

    /// Draws key i of n: a place in the type's range, or a small number.
    abstract long draw(long i, long n, UniformRandomProvider random);

    private static long inSubRange(long index, UniformRandomProvider random) {
        long width = Long.divideUnsigned(-1L, BLOCKS);
        return index * width + random.nextLong(width);
    }

    /// Draws key i of n in ascending runs: a random place in its part of the range.
    private static long inRun(long i, long n, int runs, UniformRandomProvider random) {
        long length = Math.ceilDiv(n, (long) runs);
        long step = step(length);
        return i % length * step + Math.unsignedMultiplyHigh(random.nextLong(), step);
    }

    private static long step(long n) {
        return Long.divideUnsigned(-1L, Math.max(1, n));
    }

    /// Reads a name such as `deterministic-duplicates`.
    ///
    /// @throws IllegalArgumentException if no distribution has this name; the message names all
    public static InputDistribution parse(String text) {
        for (InputDistribution distribution : values()) {
            if (distribution.toString().equals(text)) {
                return distribution;
            }
        }
        throw new IllegalArgumentException("distribution '" + text + "': use one of "
                + Arrays.stream(values()).map(InputDistribution::toString).collect(Collectors.joining(", ")));
    }

    /// Fills all of `target` with keys, by several threads, so the memory must not belong to a confined arena.
    public void fill(MemorySegment target, KeyType type, long seed) {
        fill(target, type, 1, seed, NO_SPECIALS);
    }

    /// Fills `target` with a part of `n` keys, which are the same as [#fill] would make: the parts together are the
    /// whole.
    ///
    /// @param first the number of the first key of the part, a multiple of [#GENERATOR_BLOCK]
    /// @param n     how many keys there are in all parts
    public void fillPart(MemorySegment target, KeyType type, long seed, long first, long n) {
        if (first % GENERATOR_BLOCK != 0) {
            throw new IllegalArgumentException(
                    "a part from key " + first + " on: must begin at a multiple of " + GENERATOR_BLOCK);
        }
        fill(target, type, 1, seed, NO_SPECIALS, first, n);
    }

    /// Fills every `step`-th place of `target`, from the first on, with keys: one field of each struct in an array.
    /// The bytes in between stay as they are.
    public void fillField(MemorySegment target, KeyType type, int step, long seed) {
        fill(target, type, step, seed, NO_SPECIALS);
    }

    /// Fills all of `target` with keys, of which about one in 16 is an edge of its type: the least or the greatest
    /// value, a zero of either sign, and for floating point an infinity or NaN.
    public void fillWithSpecials(MemorySegment target, KeyType type, long seed) {
        fill(target, type, 1, seed, Specials.of(type));
    }

    private void fill(MemorySegment target, KeyType type, int step, long seed, long[] specials) {
        fill(target, type, step, seed, specials, 0, (type.count(target) + step - 1) / step);
    }

    private void fill(MemorySegment target, KeyType type, int step, long seed, long[] specials, long first, long n) {
        long partEnd = first + (type.count(target) + step - 1) / step;
        LongStream.range(first / GENERATOR_BLOCK, Math.ceilDiv(partEnd, GENERATOR_BLOCK))
                .parallel()
                .forEach(block -> {
                    UniformRandomProvider random = RandomSource.MT_64.create(seed * 0x9e3779b97f4a7c15L + block);
                    long end = Math.min(partEnd, (block + 1) * GENERATOR_BLOCK);
                    for (long i = block * GENERATOR_BLOCK; i < end; i++) {
                        long drawn = draw(i, n, random);
                        long bits = kind == Kind.PLACE ? type.scaledBits(drawn) : type.valueBits(drawn);
                        if (specials.length != 0 && random.nextInt(16) == 0) {
                            bits = specials[random.nextInt(specials.length)];
                        }
                        type.setBits(target, (i - first) * step, bits);
                    }
                });
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
