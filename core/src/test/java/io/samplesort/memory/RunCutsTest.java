package io.samplesort.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Cuts of runs in memory, compared with a plain merge of them.
class RunCutsTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int ROUNDS = 300;

    private final Random random = new Random(SEED);
    private final String replay = "replay with -Dtests.seed=" + SEED;

    /// Runs of numbers; counts what a search of them costs.
    private static final class ArrayRuns implements RunCuts.Runs {
        private final int[][] values;
        private final Set<String> read = new HashSet<>();
        private long comparisons;

        ArrayRuns(int[][] values) {
            this.values = values;
        }

        @Override
        public int count() {
            return values.length;
        }

        @Override
        public long length(int run) {
            return values[run].length;
        }

        @Override
        public int compare(int run, long index, int otherRun, long otherIndex) {
            assertThat(run).isNotEqualTo(otherRun);
            comparisons++;
            read.add(run + ":" + index);
            read.add(otherRun + ":" + otherIndex);
            return Integer.compare(values[run][(int) index], values[otherRun][(int) otherIndex]);
        }
    }

    @Test
    void cutsAreThoseOfAMerge() {
        for (int round = 0; round < ROUNDS; round++) {
            int[][] values = randomRuns(1 + random.nextInt(20), 200, 1 << (1 + random.nextInt(12)));
            int count = Arrays.stream(values).mapToInt(run -> run.length).sum();
            ArrayRuns runs = new ArrayRuns(values);
            int step = 1 + random.nextInt(Math.max(1, count / 4));
            long[] cuts = new long[values.length];
            for (int rank = 0; rank <= count; rank += step) {
                cuts = RunCuts.at(runs, rank, cuts);
                assertThat(cuts).as("rank %d, %s", rank, replay).isEqualTo(merged(values, rank));
            }
            assertThat(RunCuts.at(runs, count, cuts)).as(replay).isEqualTo(merged(values, count));
        }
    }

    @Test
    void equalElementsComeByTheirRun() {
        ArrayRuns runs = new ArrayRuns(new int[][] {new int[10], new int[10], new int[10]});
        assertThat(RunCuts.at(runs, 14, new long[3])).containsExactly(10, 4, 0);
        assertThat(RunCuts.at(runs, 20, new long[] {10, 4, 0})).containsExactly(10, 10, 0);
        assertThat(RunCuts.at(runs, 30, new long[3])).containsExactly(10, 10, 10);
    }

    @Test
    void fewElementsAreRead() {
        int length = 1 << 16;
        int[][] values = new int[32][length];
        for (int[] run : values) {
            Arrays.setAll(run, i -> random.nextInt());
            Arrays.sort(run);
        }
        ArrayRuns runs = new ArrayRuns(values);
        long[] cuts = RunCuts.at(runs, 16L * length, new long[32]);
        assertThat(Arrays.stream(cuts).sum()).isEqualTo(16L * length);
        // Each read halves what is left of a run, and each is compared while it finds its place among the others.
        assertThat(runs.read).as(replay).hasSizeLessThanOrEqualTo(32 * 17);
        assertThat(runs.comparisons).as(replay).isLessThanOrEqualTo(32 * 17 * 6);
    }

    @Test
    void comparatorsThatContradictThemselvesGiveExactSums() {
        for (int round = 0; round < ROUNDS; round++) {
            int[][] values = randomRuns(1 + random.nextInt(20), 100, 1000);
            int count = Arrays.stream(values).mapToInt(run -> run.length).sum();
            int kind = round % 4;
            RunCuts.Runs runs = new RunCuts.Runs() {
                @Override
                public int count() {
                    return values.length;
                }

                @Override
                public long length(int run) {
                    return values[run].length;
                }

                @Override
                public int compare(int run, long index, int otherRun, long otherIndex) {
                    return switch (kind) {
                        case 0 -> -1;
                        case 1 -> 1;
                        case 2 -> 0;
                        default -> random.nextInt(3) - 1;
                    };
                }
            };
            long[] cuts = new long[values.length];
            int step = 1 + random.nextInt(Math.max(1, count / 4));
            for (int rank = 0; rank <= count; rank += step) {
                long[] next = RunCuts.at(runs, rank, cuts);
                assertThat(Arrays.stream(next).sum()).as(replay).isEqualTo(rank);
                for (int run = 0; run < next.length; run++) {
                    assertThat(next[run]).as(replay).isBetween(cuts[run], (long) values[run].length);
                }
                cuts = next;
            }
        }
    }

    @Test
    void impossibleRanksAreRefused() {
        ArrayRuns runs = new ArrayRuns(new int[][] {{1, 2}, {3}});
        assertThatThrownBy(() -> RunCuts.at(runs, 4, new long[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rank 4")
                .hasMessageContaining("3 elements");
        assertThatThrownBy(() -> RunCuts.at(runs, 1, new long[] {1, 1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[1, 1]");
    }

    private int[][] randomRuns(int count, int longest, int distinct) {
        int[][] values = new int[count][];
        for (int run = 0; run < count; run++) {
            values[run] =
                    random.ints(random.nextInt(longest), 0, distinct).sorted().toArray();
        }
        return values;
    }

    /// The cuts after `rank` steps of a merge.
    private static long[] merged(int[][] values, int rank) {
        long[] cuts = new long[values.length];
        for (int i = 0; i < rank; i++) {
            int least = -1;
            for (int run = 0; run < values.length; run++) {
                if (cuts[run] < values[run].length
                        && (least < 0 || values[run][(int) cuts[run]] < values[least][(int) cuts[least]])) {
                    least = run;
                }
            }
            cuts[least]++;
        }
        return cuts;
    }
}
