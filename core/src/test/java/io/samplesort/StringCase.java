package io.samplesort;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// The shapes of strings that every engine is tested with, those that break sorts of strings among them.
public enum StringCase {
    /// Any bytes, 0 to 30 of them.
    RANDOM {
        @Override
        byte[] string(Random random, int i, int count) {
            return bytes(random, random.nextInt(31), 256);
        }
    },
    /// Printable characters, 1 to 80 of them.
    PRINTABLE {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] bytes = bytes(random, 1 + random.nextInt(80), 95);
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] += ' ';
            }
            return bytes;
        }
    },
    EMPTY {
        @Override
        byte[] string(Random random, int i, int count) {
            return new byte[0];
        }
    },
    /// One byte each, of all values.
    ONE_BYTE {
        @Override
        byte[] string(Random random, int i, int count) {
            return bytes(random, 1, 256);
        }
    },
    /// Nothing but NUL bytes and the byte after them, so that padding with zeros would show.
    NULS {
        @Override
        byte[] string(Random random, int i, int count) {
            return bytes(random, random.nextInt(40), random.nextInt(4) == 0 ? 2 : 1);
        }
    },
    /// The greatest bytes, so that padding with ones would show.
    GREATEST_BYTES {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] bytes = bytes(random, random.nextInt(40), random.nextInt(4) == 0 ? 2 : 1);
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) ~bytes[at];
            }
            return bytes;
        }
    },
    ALL_EQUAL {
        @Override
        byte[] string(Random random, int i, int count) {
            return "the same string, longer than a few words".getBytes(StandardCharsets.US_ASCII);
        }
    },
    /// Few different strings.
    MANY_EQUAL {
        @Override
        byte[] string(Random random, int i, int count) {
            return ("word-" + (int) Math.sqrt(random.nextInt(40 * 40)) % 23).getBytes(StandardCharsets.US_ASCII);
        }
    },
    /// Each is the beginning of all longer ones.
    BEGINNINGS {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] bytes = new byte[random.nextInt(120)];
            Arrays.fill(bytes, (byte) 'a');
            return bytes;
        }
    },
    /// A common beginning of every length around 8, 16 and 24 bytes, then any bytes.
    COMMON_BEGINNINGS {
        @Override
        byte[] string(Random random, int i, int count) {
            int common = 5 + random.nextInt(22);
            byte[] bytes = bytes(random, common + random.nextInt(4), 3);
            for (int at = 0; at < common; at++) {
                bytes[at] = (byte) ('a' + at);
            }
            return bytes;
        }
    },
    /// A long common beginning, and a difference at the very end.
    LATE_DIFFERENCES {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] bytes = new byte[333];
            Arrays.fill(bytes, (byte) '/');
            bytes[332] = (byte) random.nextInt(256);
            return bytes;
        }
    },
    /// Letters behind a common beginning, but for a few strings, which no sample finds among many.
    RARE {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] bytes = bytes(random, 6 + random.nextInt(20), i % 1000 == 1 ? 256 : 26);
            for (int at = 0; at < bytes.length && i % 1000 != 1; at++) {
                bytes[at] = (byte) (at < 6 ? '/' : 'a' + bytes[at]);
            }
            return bytes;
        }
    },
    /// Letters of both cases, and the characters around them.
    BOTH_CASES {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] letters = "@AaBbZz[`{".getBytes(StandardCharsets.US_ASCII);
            byte[] bytes = bytes(random, random.nextInt(12), letters.length);
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = letters[bytes[at]];
            }
            return bytes;
        }
    },
    /// Addresses of pages: few hosts, many pages of most of them.
    ADDRESSES {
        @Override
        byte[] string(Random random, int i, int count) {
            int host = (int) Math.exp(random.nextDouble() * 6);
            return ("https://www.host-" + host + ".example/page/" + random.nextInt(1000))
                    .getBytes(StandardCharsets.US_ASCII);
        }
    },
    SORTED {
        @Override
        byte[] string(Random random, int i, int count) {
            return "%09d".formatted(i).getBytes(StandardCharsets.US_ASCII);
        }
    },
    REVERSE {
        @Override
        byte[] string(Random random, int i, int count) {
            return "%09d".formatted(count - i).getBytes(StandardCharsets.US_ASCII);
        }
    },
    /// One string is thousands of times as long as the others, which are like it.
    ONE_LONG {
        @Override
        byte[] string(Random random, int i, int count) {
            byte[] bytes = new byte[i == count / 2 ? 100_000 : random.nextInt(30)];
            Arrays.fill(bytes, (byte) 'x');
            return bytes;
        }
    };

    /// Returns string `i` of `count`.
    abstract byte[] string(Random random, int i, int count);

    /// Returns `count` strings.
    public byte[][] strings(Random random, int count) {
        byte[][] strings = new byte[count][];
        for (int i = 0; i < count; i++) {
            strings[i] = string(random, i, count);
        }
        return strings;
    }

    /// Returns random bytes from 0 to `values - 1`.
    private static byte[] bytes(Random random, int length, int values) {
        byte[] bytes = new byte[length];
        for (int at = 0; at < length; at++) {
            bytes[at] = (byte) random.nextInt(values);
        }
        return bytes;
    }
}
