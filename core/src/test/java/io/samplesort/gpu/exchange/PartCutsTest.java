package io.samplesort.gpu.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The pieces of sorted parts on random cuts, without a GPU.
class PartCutsTest {
    private static final int TRIALS = 2000;

    private static long[] sizes(SplittableRandom random) {
        long[] sizes = new long[1 + random.nextInt(6)];
        Arrays.setAll(sizes, part -> random.nextInt(3) == 0 ? 0 : random.nextInt(50));
        return sizes;
    }

    /// Whatever the GPUs have found, each element of a part is in one piece, and the pieces of a home fill it.
    @Test
    void everyElementIsInOnePiece() {
        SplittableRandom random = new SplittableRandom(3);
        for (int trial = 0; trial < TRIALS; trial++) {
            long[] sizes = sizes(random);
            long[][] found = new long[sizes.length][sizes.length];
            for (long[] each : found) {
                Arrays.setAll(each, part -> random.nextLong(sizes[part] + 1));
            }
            PartCuts cuts = new PartCuts(sizes, found);
            for (int part = 0; part < sizes.length; part++) {
                long next = 0;
                long away = 0;
                for (int home = 0; home < sizes.length; home++) {
                    assertThat(cuts.piece(part, home).begin()).isEqualTo(next);
                    assertThat(cuts.piece(part, home).count()).isNotNegative();
                    next = cuts.piece(part, home).end();
                    away += home == part ? 0 : cuts.piece(part, home).count();
                }
                assertThat(next).isEqualTo(sizes[part]);
                assertThat(cuts.away(part)).isEqualTo(away);
            }
            for (int home = 0; home < sizes.length; home++) {
                int last = sizes.length - 1;
                assertThat(cuts.before(last, home) + cuts.piece(last, home).count())
                        .isEqualTo(sizes[home]);
            }
        }
    }

    @Test
    void cutsThatFitTogetherStay() {
        long[] sizes = {5, 0, 4};
        PartCuts cuts = new PartCuts(sizes, new long[][] {{0, 0, 0}, {2, 0, 3}, {2, 0, 3}});
        assertThat(cuts.piece(0, 0)).isEqualTo(new Range(0, 2));
        assertThat(cuts.piece(2, 0)).isEqualTo(new Range(0, 3));
        assertThat(cuts.piece(0, 2)).isEqualTo(new Range(2, 5));
        assertThat(cuts.before(2, 2)).isEqualTo(3);
        assertThat(cuts.away(0)).isEqualTo(3);
    }

    /// The keys of a sample lie somewhere in their strata, and what it tells of them is true.
    @Test
    void aSampleTellsWhereItsKeysLie() {
        SplittableRandom random = new SplittableRandom(5);
        for (int trial = 0; trial < TRIALS; trial++) {
            long elements = random.nextLong(1, 1L << random.nextInt(1, 34));
            long count = PartSample.count(elements, elements + random.nextLong(2 * elements));
            PartSample sample = new PartSample(0, count, elements);
            assertThat(sample.leastBefore(0)).isZero();
            assertThat(sample.mostBefore(count)).isEqualTo(elements);
            long index = random.nextLong(count + 1);
            // A key lies in the stratum between these, and the one before it in the one before.
            assertThat(LongStream.of(sample.leastBefore(index), sample.leastBefore(index + 1), sample.mostBefore(index))
                            .toArray())
                    .isSorted();
            assertThat(sample.leastBefore(index + 2)).isEqualTo(sample.mostBefore(index));
        }
    }
}
