package io.samplesort.gpu.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many blocks may move elements to pages, and which elements a chunk has.
class ChunkPlanTest {
    private static final int TILE = 24;
    private static final int LOG_BUCKETS = 3;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void everyElementIsInOneChunk(int logTiles) {
        SplittableRandom random = new SplittableRandom(logTiles);
        for (int trial = 0; trial < 200; trial++) {
            ChunkPlan plan = plan(random.nextLong(200, 20_000), logTiles, random.nextInt(25, 100), random);
            long sum = 0;
            for (int chunk = 0; chunk < plan.chunks(); chunk++) {
                assertThat(plan.firstPage(chunk) * plan.shape().pageSize()).isEqualTo(sum);
                assertThat(plan.count(chunk)).isPositive();
                sum += plan.count(chunk);
            }
            assertThat(sum).isEqualTo(plan.shape().count());
        }
    }

    /// The kernels multiply and shift where they would have to divide.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 63, 64, 65, 1000, 21_845, 65_536})
    void aFactorTellsTheRound(int wholePages) {
        for (int strides : new int[] {1, Math.min(7, wholePages), Math.min(64, wholePages)}) {
            PageShape shape = new PageShape((long) wholePages * TILE, TILE, 0);
            ChunkPlan plan = new ChunkPlan(shape, LOG_BUCKETS, 100, strides, wholePages / strides, wholePages, false);
            for (int place = 0; place < wholePages; place++) {
                long round = place * plan.roundFactor() >>> Integer.SIZE;
                long expected = place / plan.pagesARound();
                assertThat(Math.min(round, strides)).isEqualTo(Math.min(expected, strides));
            }
        }
    }

    private static ChunkPlan plan(long count, int logTiles, int besidePages, SplittableRandom random) {
        PageShape shape = new PageShape(count, TILE, logTiles);
        int strides = random.nextInt(1, shape.wholePages() + 1);
        int first = shape.wholePages() / strides;
        return new ChunkPlan(
                shape, LOG_BUCKETS, besidePages, strides, first, random.nextInt(1, shape.wholePages() + 1), false);
    }

    /// The blocks are as many as there may be and take their turns in any order, and buckets are of any sizes.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void thereIsAlwaysAFreePage(int logTiles) {
        SplittableRandom random = new SplittableRandom(10 + logTiles);
        for (int trial = 0; trial < 300; trial++) {
            new Pages(plan(random.nextLong(200, 10_000), logTiles, random.nextInt(22, 60), random), random).divide();
        }
    }

    /// The pages of a pass, as blocks take them and set them free.
    private static final class Pages {
        private final ChunkPlan plan;
        private final SplittableRandom random;
        private final int[] loadedTiles;
        private final long[] sizes = new long[1 << LOG_BUCKETS];
        private long free;

        Pages(ChunkPlan plan, SplittableRandom random) {
            this.plan = plan;
            this.random = random;
            loadedTiles = new int[plan.shape().arrayPages()];
            free = plan.besidePages() - sizes.length;
        }

        void divide() {
            int tiles = Math.toIntExact(Math.ceilDiv(plan.shape().count(), (long) TILE));
            List<Deque<Integer>> blocks = new ArrayList<>();
            for (int block = 0; block < plan.mostBlocks(); block++) {
                blocks.add(new ArrayDeque<>());
            }
            int taken = 0;
            int done = 0;
            while (done < tiles) {
                // Some blocks take their turn far more often than others.
                Deque<Integer> block = blocks.get(random.nextInt(1 + random.nextInt(blocks.size())));
                while (block.size() < ChunkPlan.TILES_A_BLOCK && taken < tiles) {
                    block.add(taken);
                    taken++;
                }
                if (!block.isEmpty() && random.nextInt(4) != 0) {
                    int tile = block.element();
                    move((int) Math.min(TILE, plan.shape().count() - (long) tile * TILE));
                    release(tile);
                    block.remove();
                    done++;
                }
            }
        }

        private void move(int elements) {
            int left = elements;
            while (left > 0) {
                int bucket = random.nextInt(1 + random.nextInt(sizes.length));
                int part = 1 + random.nextInt(left);
                // With the first element of a page the bucket takes the page behind it.
                long before = plan.shape().pagesFor(sizes[bucket]);
                sizes[bucket] += part;
                free -= plan.shape().pagesFor(sizes[bucket]) - before;
                assertThat(free).isNotNegative();
                left -= part;
            }
        }

        private void release(int tile) {
            int page = tile >> plan.shape().logTiles();
            loadedTiles[page]++;
            if (page < plan.shape().wholePages()
                    && loadedTiles[page] == 1 << plan.shape().logTiles()) {
                free++;
            }
        }
    }
}
