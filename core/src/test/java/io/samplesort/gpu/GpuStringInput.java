package io.samplesort.gpu;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Strings of one kind. Each tells apart, or leaves tied, what another part of the sort decides.
enum GpuStringInput {
    /// Ends and zero bytes within the first word.
    SHORT(2500) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return letters(random, random.nextInt(4), 2, (char) 0);
        }
    },
    /// Words that are tied in the first round, and after it in small groups.
    LONGER_THAN_A_WORD(2049) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return letters(random, random.nextInt(30), 3, 'a');
        }
    },
    SHARED_PREFIX(700) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return joined("http://www.example.org/".repeat(random.nextInt(1, 4)), letters(random, 9, 4, 'a'));
        }
    },
    /// Large groups that share much more than a thread compares, and differ behind it.
    LONG_SHARED_PREFIX(300) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return joined("x".repeat(1000 + 500 * (i % 3)), letters(random, 4, 3, 'a'));
        }
    },
    ALL_EQUAL(1000) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return "always the same string, and one that is longer than all that a word holds"
                    .getBytes(StandardCharsets.US_ASCII);
        }
    },
    LONG_AND_EQUAL(120) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return "y".repeat(3000).getBytes(StandardCharsets.US_ASCII);
        }
    },
    ONE_VERY_LONG(200) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return i == 77 ? new byte[100_000] : letters(random, random.nextInt(12), 2, (char) 0);
        }
    },
    /// Every string is a prefix of all longer ones.
    PREFIXES(600) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            byte[] string = new byte[random.nextInt(700)];
            Arrays.fill(string, (byte) 'z');
            return string;
        }
    },
    EMPTY(100) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            return new byte[0];
        }
    },
    ANY_BYTES(1500) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            byte[] string = new byte[random.nextInt(20)];
            random.nextBytes(string);
            return string;
        }
    },
    /// Two strings that no sample has seen, one with another beginning and one with other bytes than all others.
    RARE(9000) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            String rest = i == 1 ? "\u0001\u007f" : i == 3 ? "" : "//";
            return joined(i == 3 ? "hats" : "https:" + rest, letters(random, random.nextInt(30), 26, 'a'));
        }
    },
    BOTH_CASES(1500) {
        @Override
        byte[] string(SplittableRandom random, int i) {
            byte[] string = letters(random, random.nextInt(14), 2, 'y');
            for (int k = 0; k < string.length; k++) {
                string[k] ^= (byte) (random.nextBoolean() ? 0x20 : 0);
            }
            return string;
        }
    };

    private final int count;

    GpuStringInput(int count) {
        this.count = count;
    }

    abstract byte[] string(SplittableRandom random, int i);

    /// Returns every `step`th input, from one of the first on.
    static List<GpuStringInput> inTurn(int first, int step) {
        return Arrays.stream(values())
                .filter(input -> input.ordinal() % step == first)
                .toList();
    }

    List<byte[]> strings() {
        SplittableRandom random = new SplittableRandom(17);
        return IntStream.range(0, count).mapToObj(i -> string(random, i)).toList();
    }

    static byte[] letters(SplittableRandom random, int length, int alphabet, char first) {
        byte[] string = new byte[length];
        for (int i = 0; i < length; i++) {
            string[i] = (byte) (first + random.nextInt(alphabet));
        }
        return string;
    }

    static byte[] joined(String prefix, byte[] rest) {
        byte[] string = Arrays.copyOf(prefix.getBytes(StandardCharsets.US_ASCII), prefix.length() + rest.length);
        System.arraycopy(rest, 0, string, prefix.length(), rest.length);
        return string;
    }
}
