package io.samplesort.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.StringMemory;
import io.samplesort.StringSorter;
import io.samplesort.testkit.Property;
import io.samplesort.testkit.StringShape;
import io.samplesort.types.StringOrder;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Random strings in random orders and random memory, compared with the JDK's stable sort.
class StringPropertyTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int CASES = Integer.getInteger("tests.cases", 300);

    /// Strings that are made of a few parts: so they have common beginnings of all lengths. Or else they have a shape
    /// that breaks sorts, and as many bytes as the parts would have at most.
    ///
    /// @param shape      null for strings of parts
    /// @param parts      how many different parts there are
    /// @param partBytes  the most bytes of a part
    /// @param values     how many different bytes there are
    /// @param mostParts  the most parts of a string
    private record Case(
            long seed,
            int count,
            int parts,
            int partBytes,
            int values,
            int mostParts,
            StringShape shape,
            StringOrder order,
            StringMemory memory) {
        static Case random(SplittableRandom random) {
            return new Case(
                    random.nextLong(),
                    (int) Math.exp(random.nextDouble() * (random.nextInt(20) == 0 ? 11.5 : 7)),
                    1 + random.nextInt(30),
                    1 + random.nextInt(20),
                    1 + random.nextInt(256),
                    1 + random.nextInt(10),
                    random.nextBoolean() ? null : StringShape.values()[random.nextInt(StringShape.values().length)],
                    new StringOrder(random.nextBoolean(), random.nextBoolean()),
                    StringMemory.values()[random.nextInt(StringMemory.values().length)]);
        }

        Stream<Case> simpler() {
            return Stream.of(
                            with(count / 2, parts, partBytes, values, mostParts),
                            with(count - 1, parts, partBytes, values, mostParts),
                            with(count, parts - 1, partBytes, values, mostParts),
                            with(count, parts, partBytes - 1, values, mostParts),
                            with(count, parts, partBytes, values / 2, mostParts),
                            with(count, parts, partBytes, values, mostParts - 1))
                    .filter(simple -> simple.count >= 0
                            && simple.parts > 0
                            && simple.partBytes > 0
                            && simple.values > 0
                            && simple.mostParts > 0
                            && !simple.equals(this));
        }

        private Case with(int newCount, int newParts, int newPartBytes, int newValues, int newMostParts) {
            return new Case(seed, newCount, newParts, newPartBytes, newValues, newMostParts, shape, order, memory);
        }

        byte[][] strings() {
            if (shape != null) {
                return shape.strings(count, partBytes * mostParts, seed);
            }
            SplittableRandom random = new SplittableRandom(seed);
            byte[][] pieces = new byte[parts][];
            for (int i = 0; i < parts; i++) {
                pieces[i] = new byte[1 + random.nextInt(partBytes)];
                for (int at = 0; at < pieces[i].length; at++) {
                    pieces[i][at] = (byte) random.nextInt(values);
                }
            }
            byte[][] strings = new byte[count][];
            for (int i = 0; i < count; i++) {
                byte[] string = {};
                for (int left = random.nextInt(mostParts + 1); left > 0; left--) {
                    byte[] piece = pieces[random.nextInt(parts)];
                    int length = string.length;
                    string = Arrays.copyOf(string, length + piece.length);
                    System.arraycopy(piece, 0, string, length, piece.length);
                }
                strings[i] = string;
            }
            return strings;
        }

        void check() {
            byte[][] strings = strings();
            byte[][] keys = order.ignoresAsciiCase()
                    ? Stream.of(strings).map(Case::capitals).toArray(byte[][]::new)
                    : strings;
            Comparator<Integer> byBytes = (i, j) -> Arrays.compareUnsigned(keys[i], keys[j]);
            int[] expected = IntStream.range(0, count)
                    .boxed()
                    .sorted(order.isReversed() ? byBytes.reversed() : byBytes)
                    .mapToInt(Integer::intValue)
                    .toArray();
            try (Arena arena = Arena.ofShared();
                    StringSorter sorter = SampleSort.onCpu().buildStrings(order)) {
                assertThat(sorter.argsort(memory.view(strings, arena))).isEqualTo(expected);
            }
        }

        private static byte[] capitals(byte[] string) {
            byte[] capitals = string.clone();
            for (int at = 0; at < capitals.length; at++) {
                capitals[at] =
                        (byte) (capitals[at] >= 'a' && capitals[at] <= 'z' ? capitals[at] - 'a' + 'A' : capitals[at]);
            }
            return capitals;
        }
    }

    @Test
    void sortsAsTheJdkDoes() {
        new Property<>(Case::random, Case::simpler, Case::check).tryCases(SEED, CASES);
    }
}
