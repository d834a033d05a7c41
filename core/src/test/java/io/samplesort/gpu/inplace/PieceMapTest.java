package io.samplesort.gpu.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The pieces of a sort in place, moved on the host element by element: every element comes to its place, and no move
/// writes to what another one reads.
class PieceMapTest {
    /// Elements that nothing lies at.
    private static final long HOLE = -1;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyElementComesToItsPlace(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int trial = 0; trial < 60; trial++) {
            int chunks = 1 + random.nextInt(1 + random.nextInt(20));
            int buckets = 1 + random.nextInt(1 + random.nextInt(40));
            check(sizes(random, chunks, buckets), random);
        }
    }

    /// Sizes of each bucket in each chunk: many empty, some much larger than others.
    private static int[][] sizes(SplittableRandom random, int chunks, int buckets) {
        int[][] sizes = new int[chunks][buckets];
        for (int[] chunk : sizes) {
            for (int bucket = 0; bucket < buckets; bucket++) {
                chunk[bucket] =
                        random.nextInt(4) == 0 ? 0 : random.nextInt(1 + random.nextInt(1 + random.nextInt(200)));
            }
        }
        return sizes;
    }

    private static void check(int[][] sizes, SplittableRandom random) {
        int buckets = sizes[0].length;
        int[] places = new int[buckets];
        int count = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            places[bucket] = count;
            for (int[] chunk : sizes) {
                count += chunk[bucket];
            }
        }
        long[] begins = regionBegins(count, random);
        PieceMap map = new PieceMap(begins);
        // Each element is the place that it belongs to.
        long[] array = new long[count];
        int position = 0;
        for (int[] chunk : sizes) {
            for (int bucket = 0; bucket < buckets; bucket++) {
                map.add(position, places[bucket], chunk[bucket]);
                for (int i = 0; i < chunk[bucket]; i++) {
                    array[position++] = places[bucket]++;
                }
            }
        }
        for (int region = 0; region + 1 < begins.length; region++) {
            take(map, array, (int) begins[region], (int) begins[region + 1]);
        }
        for (int place = 0; place < count; place++) {
            assertThat(array[place]).isEqualTo(place);
        }
    }

    private static long[] regionBegins(int count, SplittableRandom random) {
        int most = 1 + random.nextInt(1 + count / 3);
        long[] begins = new long[count + 2];
        int found = 0;
        long end = 0;
        while (end < count) {
            end = Math.min(count, end + 1 + random.nextInt(most));
            begins[++found] = end;
        }
        return Arrays.copyOf(begins, found + 1);
    }

    private static void take(PieceMap map, long[] array, int begin, int end) {
        map.takeRegion();
        long[] region = new long[end - begin];
        Arrays.fill(region, HOLE);
        Pieces gathered = map.gathered();
        for (int piece = 0; piece < gathered.size(); piece++) {
            for (int i = 0; i < gathered.count(piece); i++) {
                int to = (int) gathered.to(piece) + i;
                int from = (int) gathered.from(piece) + i;
                assertThat(region[to]).isEqualTo(HOLE);
                assertThat(array[from]).isBetween((long) begin, end - 1L);
                region[to] = array[from];
                array[from] = HOLE;
            }
        }
        assertThat(region).doesNotContain(HOLE);
        Pieces evicted = map.evicted();
        BitSet written = new BitSet();
        for (int piece = 0; piece < evicted.size(); piece++) {
            for (int i = 0; i < evicted.count(piece); i++) {
                int to = (int) evicted.to(piece) + i;
                assertThat(array[to]).as("a hole").isEqualTo(HOLE);
                assertThat(to).as("outside the region").isGreaterThanOrEqualTo(end);
                assertThat(written.get(to)).as("written before").isFalse();
                written.set(to);
            }
        }
        for (int piece = 0; piece < evicted.size(); piece++) {
            for (int i = 0; i < evicted.count(piece); i++) {
                int from = (int) evicted.from(piece) + i;
                assertThat(from).as("inside the region").isBetween(begin, end - 1);
                array[(int) evicted.to(piece) + i] = array[from];
                array[from] = HOLE;
            }
        }
        for (int place = begin; place < end; place++) {
            assertThat(array[place]).as("the region is free").isEqualTo(HOLE);
            array[place] = region[place - begin];
        }
    }
}
