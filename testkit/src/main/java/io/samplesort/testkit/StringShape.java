package io.samplesort.testkit;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Shapes of strings that break sorts of strings: common beginnings of every length, and many equal strings. Unlike
/// those of [StringInput], they may have any bytes, and their parameters are drawn from the seed.
public enum StringShape {
    /// Beginnings of one text: each is the beginning of all longer ones.
    NESTED_PREFIXES {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            byte[] text = text(longest, 256, random);
            for (int i = 0; i < strings.length; i++) {
                strings[i] = Arrays.copyOf(text, random.nextInt(longest + 1));
            }
        }
    },
    /// The same byte up to a step, another byte there, and the same byte again: neighbours in order share one byte more
    /// than the pair before.
    STAIRCASE {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            byte same = (byte) random.nextInt(256);
            byte other = (byte) random.nextInt(256);
            for (int i = 0; i < strings.length; i++) {
                strings[i] = new byte[longest];
                Arrays.fill(strings[i], same);
                strings[i][random.nextInt(longest)] = other;
            }
        }
    },
    /// Suffixes of a text that repeats itself after one to nine bytes, as far as the longest string goes.
    PERIODIC_SUFFIXES {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            byte[] period = text(1 + random.nextInt(9), 26, random);
            byte[] text = new byte[longest + period.length];
            for (int at = 0; at < text.length; at++) {
                text[at] = period[at % period.length];
            }
            for (int i = 0; i < strings.length; i++) {
                int from = i % period.length;
                strings[i] = Arrays.copyOfRange(text, from, from + Math.min(longest, strings.length - i));
            }
        }
    },
    /// Parts of a Fibonacci word, which repeats itself without a period.
    FIBONACCI {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            double golden = (Math.sqrt(5) - 1) / 2;
            byte[] word = new byte[longest + Math.min(strings.length, 1 << 16)];
            for (int at = 0; at < word.length; at++) {
                word[at] = (byte) ('a' + (int) ((at + 2) * golden) - (int) ((at + 1) * golden));
            }
            for (int i = 0; i < strings.length; i++) {
                int from = random.nextInt(word.length - longest + 1);
                strings[i] = Arrays.copyOfRange(word, from, from + longest);
            }
        }
    },
    /// Groups of equal strings, all of the same length; two groups may differ at any place.
    EQUAL_GROUPS {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            byte[][] groups = new byte[(int) Math.pow(strings.length, random.nextDouble())][];
            int same = random.nextInt(longest);
            byte[] beginning = text(same, 256, random);
            for (int group = 0; group < groups.length; group++) {
                groups[group] = text(longest, 256, random);
                System.arraycopy(beginning, 0, groups[group], 0, same);
            }
            for (int i = 0; i < strings.length; i++) {
                strings[i] = groups[random.nextInt(groups.length)].clone();
            }
        }
    },
    /// Nothing but bytes 0, nothing but bytes 255, or both.
    EXTREME_BYTES {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            int bytes = random.nextInt(3);
            for (int i = 0; i < strings.length; i++) {
                strings[i] = new byte[random.nextInt(longest + 1)];
                for (int at = 0; at < strings[i].length; at++) {
                    strings[i][at] = (byte) (bytes == 2 ? -random.nextInt(2) : -bytes);
                }
            }
        }
    },
    /// Random bytes; half of the strings have one, a quarter two, and so on.
    GEOMETRIC_LENGTHS {
        @Override
        void draw(byte[][] strings, int longest, SplittableRandom random) {
            for (int i = 0; i < strings.length; i++) {
                int doublings = Integer.numberOfTrailingZeros(random.nextInt() | 1 << 30);
                strings[i] = text(Math.min(longest, 1 << doublings), 256, random);
            }
        }
    };

    /// Draws all strings.
    ///
    /// @param longest the most bytes of a string, at least one
    abstract void draw(byte[][] strings, int longest, SplittableRandom random);

    /// Returns `count` strings of at most `longest` bytes.
    public byte[][] strings(int count, int longest, long seed) {
        byte[][] strings = new byte[count][];
        if (count > 0) {
            draw(strings, longest, new SplittableRandom(seed));
        }
        return strings;
    }

    private static byte[] text(int length, int values, SplittableRandom random) {
        int first = values < 256 ? 'a' : 0;
        byte[] text = new byte[length];
        for (int at = 0; at < length; at++) {
            text[at] = (byte) (first + random.nextInt(values));
        }
        return text;
    }
}
