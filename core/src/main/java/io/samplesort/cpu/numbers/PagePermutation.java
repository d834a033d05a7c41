package io.samplesort.cpu.numbers;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/// Moves full pages to the slots of their buckets, in place.
///
/// Each misplaced page is assigned any slot of its bucket that holds no page of the bucket. The moves then form cycles,
/// and chains that end in an empty slot. Workers follow them in parallel with one page in hand. They follow chains from
/// their heads. They also follow chains and cycles from cuts: pages that are set aside beforehand, so that their slots
/// are empty and end the chains before them.
final class PagePermutation {
    private static final int CUTS_PER_WORKER = 32;

    /// How many slots are searched for heads at a time.
    private static final int TURN = 1024;

    private final AtomicInteger nextCut = new AtomicInteger();
    private final AtomicInteger nextSlot = new AtomicInteger();
    private int[] cuts = {};
    private int cutCount;
    private Elements cutPages;
    private int[] nextFree = {};
    private boolean[] isTaken = {};

    private Elements elements;
    private long from;
    private int pageSize;
    private int firstMapSlot;
    private short[] buckets;
    private int[] targets;

    /// Allocates what a pass by `workers` workers needs.
    void reserve(int workers, int bucketCount, Worker leader) {
        if (cutPages == null) {
            cuts = new int[cutLimit(workers)];
            cutPages = leader.allocatePages(cutLimit(workers));
            nextFree = new int[bucketCount];
            isTaken = new boolean[bucketCount];
        }
    }

    long heapBytes() {
        return (long) Integer.BYTES * (cuts.length + nextFree.length)
                + (cutPages == null ? 0 : cutPages.count() * cutPages.elementBytes());
    }

    private static int cutLimit(int workers) {
        return workers == 1 ? 0 : workers * CUTS_PER_WORKER;
    }

    /// @param from         the element at which slot 0 starts
    /// @param firstMapSlot the place of slot 0 in `map`, which has the bucket of the page in each slot
    /// @param bucketCount  how many buckets there are
    /// @param firstSlots   where the pages of each bucket go
    /// @param slotCounts   how many slots each of them takes
    /// @param isSpilled    for each bucket, whether one of its pages goes to the leader's spilled pages instead
    void run(
            Team team,
            Elements elements,
            long from,
            PageMap map,
            int firstMapSlot,
            int slotCount,
            int bucketCount,
            int[] firstSlots,
            int[] slotCounts,
            boolean[] isSpilled) {
        this.elements = elements;
        this.from = from;
        this.firstMapSlot = firstMapSlot;
        pageSize = team.leader().lane.pageSize;
        buckets = map.buckets();
        targets = map.targets();
        spill(team.leader(), bucketCount, isSpilled);
        assignTargets(slotCount, bucketCount, firstSlots, slotCounts);
        cut(slotCount, cutLimit(team.size()));
        nextCut.set(0);
        nextSlot.set(0);
        team.run(worker -> followChains(worker, slotCount));
        // These cycles have no cut. They are short, since there are many cuts.
        for (int slot = 0; slot < slotCount; slot++) {
            if (targets[firstMapSlot + slot] != PageMap.STAYS) {
                elements.copyTo(position(slot), team.leader().pagesInTransit, 0, pageSize);
                buckets[firstMapSlot + slot] = PageMap.EMPTY;
                follow(team.leader(), takeTarget(slot));
            }
        }
    }

    private long position(int slot) {
        return from + (long) slot * pageSize;
    }

    private void spill(Worker leader, int bucketCount, boolean[] isSpilled) {
        int left = 0;
        for (int b = 0; b < bucketCount; b++) {
            left += isSpilled[b] ? 1 : 0;
        }
        Arrays.fill(isTaken, false);
        for (int slot = 0; left > 0; slot++) {
            int b = buckets[firstMapSlot + slot];
            if (b != PageMap.EMPTY && isSpilled[b] && !isTaken[b]) {
                elements.copyTo(position(slot), leader.spilledPages, (long) b * pageSize, pageSize);
                buckets[firstMapSlot + slot] = PageMap.EMPTY;
                isTaken[b] = true;
                left--;
            }
        }
    }

    private void assignTargets(int slotCount, int bucketCount, int[] firstSlots, int[] slotCounts) {
        System.arraycopy(firstSlots, 0, nextFree, 0, bucketCount);
        int owner = 0;
        for (int slot = 0; slot < slotCount; slot++) {
            while (owner < bucketCount && slot >= firstSlots[owner] + slotCounts[owner]) {
                owner++;
            }
            int b = buckets[firstMapSlot + slot];
            if (b == PageMap.EMPTY || slot >= firstSlots[b] && slot < firstSlots[b] + slotCounts[b]) {
                targets[firstMapSlot + slot] = PageMap.STAYS;
                continue;
            }
            int free = nextFree[b];
            while (buckets[firstMapSlot + free] == b) {
                free++;
            }
            nextFree[b] = free + 1;
            // Every slot of a bucket that holds none of the bucket's pages gets one. Chains start in slots that belong
            // to no bucket.
            boolean isHead = owner == bucketCount || slot < firstSlots[owner];
            targets[firstMapSlot + slot] = isHead ? ~free : free;
        }
    }

    private void cut(int slotCount, int limit) {
        cutCount = 0;
        for (int i = 0; i < limit; i++) {
            int slot = (int) ((long) i * slotCount / limit);
            // The slot may be empty already: a range of few slots may be cut at the same one twice.
            int mapSlot = firstMapSlot + slot;
            if (slot < slotCount && targets[mapSlot] >= 0 && buckets[mapSlot] != PageMap.EMPTY) {
                elements.copyTo(position(slot), cutPages, (long) cutCount * pageSize, pageSize);
                buckets[firstMapSlot + slot] = PageMap.EMPTY;
                cuts[cutCount++] = slot;
            }
        }
    }

    /// Follows the chains that start at cuts, then those that start at heads.
    private void followChains(Worker worker, int slotCount) {
        for (int i = nextCut.getAndIncrement(); i < cutCount; i = nextCut.getAndIncrement()) {
            cutPages.copyTo((long) i * pageSize, worker.pagesInTransit, 0, pageSize);
            follow(worker, takeTarget(cuts[i]));
        }
        for (int start = nextSlot.getAndAdd(TURN); start < slotCount; start = nextSlot.getAndAdd(TURN)) {
            int end = (int) Math.min((long) start + TURN, slotCount);
            for (int slot = start; slot < end; slot++) {
                int target = targets[firstMapSlot + slot];
                if (target < 0 && target != PageMap.STAYS) {
                    elements.copyTo(position(slot), worker.pagesInTransit, 0, pageSize);
                    targets[firstMapSlot + slot] = PageMap.STAYS;
                    follow(worker, ~target);
                }
            }
        }
    }

    /// Moves the first of the worker's pages in transit to `target`, the page found there to its own target, and so on
    /// until an empty slot.
    private void follow(Worker worker, int target) {
        Elements transit = worker.pagesInTransit;
        int held = 0;
        int to = target;
        while (true) {
            boolean isOccupied = buckets[firstMapSlot + to] != PageMap.EMPTY;
            if (isOccupied) {
                elements.copyTo(position(to), transit, (long) (1 - held) * pageSize, pageSize);
            }
            transit.copyTo((long) held * pageSize, elements, position(to), pageSize);
            worker.bytesMoved += 2L * pageSize * elements.elementBytes();
            if (!isOccupied) {
                return;
            }
            held = 1 - held;
            to = takeTarget(to);
        }
    }

    private int takeTarget(int slot) {
        int target = targets[firstMapSlot + slot];
        targets[firstMapSlot + slot] = PageMap.STAYS;
        return target;
    }
}
