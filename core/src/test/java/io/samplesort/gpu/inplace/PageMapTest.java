package io.samplesort.gpu.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.sort.PageShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where pages go, on arrays of any sizes of buckets and with their pages anywhere.
class PageMapTest {
    private static final int BUCKETS = 16;
    private static final int WORK_PAGES = 40;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyRegionGetsItsPlace(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int trial = 0; trial < 200; trial++) {
            PageShape shape = new PageShape(random.nextLong(400, 4000), 8, random.nextInt(3));
            check(shape, sizes(shape.count(), random), random);
        }
    }

    private static long[] sizes(long count, SplittableRandom random) {
        long[] sizes = new long[BUCKETS];
        long left = count;
        for (int bucket = 0; bucket + 1 < BUCKETS; bucket++) {
            sizes[bucket] = random.nextInt(4) == 0 ? 0 : random.nextLong(left / random.nextInt(1, 20) + 1);
            left -= sizes[bucket];
        }
        sizes[BUCKETS - 1] = left;
        return sizes;
    }

    private static void check(PageShape shape, long[] sizes, SplittableRandom random) {
        int work = (int) shape.pagesFor(shape.count()) + WORK_PAGES;
        int[] owners = owners(shape, sizes, work, random);
        long mostOfASegment = shape.pageSize() * random.nextInt(1, 40);
        Segments segments = new Segments(shape, sizes, new boolean[BUCKETS], mostOfASegment, size -> size);
        List<Region> regions = segments.regions(mostOfASegment, 5);
        int[] firsts = new int[regions.size()];
        for (int number = 0; number < regions.size(); number++) {
            firsts[number] = (int) (segments.begin(regions.get(number).firstSegment()) / shape.pageSize());
        }
        int areaPages = BUCKETS + 2;
        List<Integer> expected = pages(shape, sizes);
        int[] pagesInOrder = new int[owners.length];
        int[] places = new int[owners.length];
        BitSet free = new BitSet();
        for (int page = 0; page < owners.length; page++) {
            places[page] = expected.indexOf(owners[page]);
            if (places[page] >= 0) {
                pagesInOrder[places[page]] = page;
            } else if (page < shape.wholePages() || page >= shape.arrayPages()) {
                free.set(page);
            }
        }
        PageMap map = new PageMap(shape, sizes, pagesInOrder, places, free, areaPages, regions, firsts);
        Map<Integer, Integer> content = new HashMap<>();
        Map<Integer, Integer> inWork = new HashMap<>();
        for (int page = 0; page < owners.length; page++) {
            if (owners[page] != -1) {
                (page < shape.arrayPages() ? content : inWork).put(page, owners[page]);
            }
        }
        map.settle();
        move(map.moves(), 0, inWork, content, shape, areaPages);
        assertThat(inWork).isEmpty();
        int[] settled = map.list().clone();
        for (int number = 0; number < regions.size(); number++) {
            map.take(number);
        }
        for (int place = 0; place < expected.size(); place++) {
            assertThat(content).containsEntry(settled[place], expected.get(place));
        }
        int[] list = map.list();
        for (int number = 0; number < regions.size(); number++) {
            int last = map.first(number + 1);
            boolean isBehind = map.moves().isBehind(1 + number);
            if (!isBehind) {
                move(map.moves(), 1 + number, content, content, shape, areaPages);
            }
            for (int place = firsts[number]; place < last; place++) {
                assertThat(content.remove(list[place])).isEqualTo(expected.get(place));
            }
            if (isBehind) {
                move(map.moves(), 1 + number, content, content, shape, areaPages);
            }
            long end = regions.get(number).end();
            for (int page : content.keySet()) {
                assertThat(page * shape.pageSize() >= end)
                        .as("page %d before %d", page, end)
                        .isTrue();
            }
        }
        assertThat(content).isEmpty();
    }

    /// Moves the pages of a step, one after the other. Nothing may lie where they go.
    private static void move(
            PageMoves moves,
            int step,
            Map<Integer, Integer> from,
            Map<Integer, Integer> to,
            PageShape shape,
            int areaPages) {
        for (int move = moves.first(step); move < moves.first(step) + moves.count(step); move++) {
            int target = (int) moves.target(move);
            assertThat(target < shape.wholePages() || target >= shape.arrayPages())
                    .isTrue();
            assertThat(target).isLessThan(shape.arrayPages() + areaPages);
            Integer page = from.remove((int) moves.source(move));
            assertThat(page).isNotNull();
            assertThat(to.put(target, page)).isNull();
        }
    }

    /// Returns the pages of all buckets, one behind the other.
    private static List<Integer> pages(PageShape shape, long[] sizes) {
        List<Integer> pages = new ArrayList<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            for (int number = 0; number < shape.pagesFor(sizes[bucket]); number++) {
                pages.add(bucket << KernelConstants.PAGE_BITS | number);
            }
        }
        return pages;
    }

    /// Puts the pages of all buckets anywhere, but not to where the array has no whole page.
    private static int[] owners(PageShape shape, long[] sizes, int work, SplittableRandom random) {
        int[] owners = new int[shape.arrayPages() + work];
        Arrays.fill(owners, -1);
        for (int page : pages(shape, sizes)) {
            int place;
            do {
                place = random.nextInt(owners.length);
            } while (owners[place] != -1 || place >= shape.wholePages() && place < shape.arrayPages());
            owners[place] = page;
        }
        return owners;
    }
}
