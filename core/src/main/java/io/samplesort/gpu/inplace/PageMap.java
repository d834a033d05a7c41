package io.samplesort.gpu.inplace;

import io.samplesort.gpu.sort.PageShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// Where the pages of all buckets lie, and which of them have to move: the arithmetic alone.
///
/// The first pass has left pages anywhere, most of them where their bucket belongs. The **list** has the pages of all
/// buckets, one bucket behind the other. First the pages in the work area move to where nothing lies. Then the regions
/// are taken one after another. What a region has in pages is divided into the work area, and leaves its pages free.
/// Other pages that lie where the region belongs move to free pages behind it, and the region is written there.
///
/// There always is a free page: the buckets behind a region need one more each than their elements fill, and so many
/// there are in the page area.
final class PageMap {
    private static final int NOBODY = -1;

    private final PageShape shape;
    private final List<Region> regions;
    private final long[] sizes;
    /// Where the first page of each bucket stands in the list, and where the list ends.
    private final int[] bucketFirsts;

    /// Which page stands where in the list.
    private final int[] list;

    /// Where the first page of each region stands in the list, and where the list ends.
    private final int[] firsts;
    /// The first page that lies where the region belongs, and behind all regions before it.
    private final int[] homes;
    /// Where each page stands in the list. Those of the array come first, and then those of the page area.
    private final int[] places;

    private final BitSet free;
    /// Where pages of the work area stand in the list.
    private final BitSet inWorkArea = new BitSet();
    private final PageMoves moves = new PageMoves();

    /// @param sizes     elements of each bucket
    /// @param list      the pages of all buckets, one bucket behind the other. Behind the pages of the array come
    ///     those of the work area. This changes it.
    /// @param placesOf  where each page stands in the list; -1 where it does not
    /// @param free      the pages that are not in the list, which this changes
    /// @param areaPages pages of the page area, in which nothing lies yet
    /// @param firsts    where the first page of each region stands in the list
    PageMap(
            PageShape shape,
            long[] sizes,
            int[] list,
            int[] placesOf,
            BitSet free,
            int areaPages,
            List<Region> regions,
            int[] firsts) {
        this.shape = shape;
        this.regions = regions;
        this.sizes = sizes;
        this.list = list;
        this.free = free;
        bucketFirsts = new int[sizes.length + 1];
        for (int bucket = 0; bucket < sizes.length; bucket++) {
            bucketFirsts[bucket + 1] = bucketFirsts[bucket] + Math.toIntExact(shape.pagesFor(sizes[bucket]));
        }
        this.firsts = Arrays.copyOf(firsts, regions.size() + 1);
        this.firsts[regions.size()] = bucketFirsts[sizes.length];
        homes = new int[regions.size()];
        for (int region = 0; region < homes.length; region++) {
            homes[region] = Math.toIntExact(shape.pagesFor(regions.get(region).begin()));
        }
        int arrayPages = shape.arrayPages();
        places = Arrays.copyOf(placesOf, arrayPages + areaPages);
        Arrays.fill(places, arrayPages, arrayPages + areaPages, NOBODY);
        for (int page = free.nextClearBit(arrayPages); page < placesOf.length; page = free.nextClearBit(page + 1)) {
            inWorkArea.set(placesOf[page]);
        }
        free.clear(arrayPages, Math.max(arrayPages, free.length()));
        free.set(arrayPages, arrayPages + areaPages);
    }

    /// Moves the pages of the work area, in one step.
    void settle() {
        int region = 0;
        int bucket = 0;
        for (int place = inWorkArea.nextSetBit(0); place >= 0; place = inWorkArea.nextSetBit(place + 1)) {
            while (firsts[region + 1] <= place) {
                region++;
            }
            while (bucketFirsts[bucket + 1] <= place) {
                bucket++;
            }
            move(place, region, bucket, 0);
        }
        moves.endStep(false);
    }

    /// Takes a region, and makes its place free, in one step. Regions are taken in their order. As long as other pages
    /// are free, none moves to where the region lies, so the step need not wait for the region to be divided.
    void take(int number) {
        Region region = regions.get(number);
        int first = (int) (region.begin() / shape.pageSize());
        int last = Math.toIntExact(shape.pagesFor(region.end()));
        free.clear(first, last);
        for (int place = firsts[number]; place < firsts[number + 1]; place++) {
            places[list[place]] = NOBODY;
        }
        boolean isBehind = false;
        for (int page = first; page < Math.min(last, shape.wholePages()); page++) {
            int place = places[page];
            if (place != NOBODY) {
                if (!isBehind && free.nextSetBit(last) < 0) {
                    leave(number, last);
                    isBehind = true;
                }
                places[page] = NOBODY;
                move(place, lastAt(firsts, place), lastAt(bucketFirsts, place), last);
            }
        }
        if (!isBehind) {
            leave(number, last);
        }
        moves.endStep(isBehind);
    }

    /// Makes the pages of a region free that lie from a page on.
    private void leave(int number, int from) {
        for (int place = firsts[number]; place < firsts[number + 1]; place++) {
            if (list[place] >= from) {
                free.set(list[place]);
            }
        }
    }

    /// Moves a page to the first free one where its region belongs or behind that, else to the last one before it.
    private void move(int place, int region, int bucket, int lowest) {
        int home = homes[region];
        int target = free.nextSetBit(Math.max(home, lowest));
        if (target < 0) {
            target = free.previousSetBit(home);
        }
        if (target < lowest) {
            throw new IllegalStateException("there is no free page in a sort in place of " + shape.count()
                    + " elements; this is a defect of samplesort, please report it");
        }
        long before = (place - bucketFirsts[bucket]) * shape.pageSize();
        moves.add(list[place], target, Math.min(shape.pageSize(), sizes[bucket] - before));
        free.clear(target);
        list[place] = target;
        places[target] = place;
    }

    /// Returns the last one of those that begin at a place or before it.
    private static int lastAt(int[] begins, int place) {
        int found = Arrays.binarySearch(begins, place);
        int last = found < 0 ? -found - 2 : found;
        while (begins[last + 1] <= place) {
            last++;
        }
        return last;
    }

    /// Returns where the first page of a region stands in the list; of the one behind the last, where the list ends.
    int first(int region) {
        return firsts[region];
    }

    /// Returns the list as it is by now. What it has of regions that have been taken stays as it is, and the rest
    /// changes with later steps.
    int[] list() {
        return list;
    }

    PageMoves moves() {
        return moves;
    }
}
