package io.samplesort.gpu.inplace;

/// Where the elements of an array lie while it is sorted in place, and what has to move so that they come together: the
/// arithmetic alone.
///
/// An element has a **position**, where it lies now, and a **place**, which is the position that it gets before its
/// bucket is sorted. Both are numbers from 0 on. Elements whose positions and places follow each other are a piece. At
/// first each chunk of the array has a piece of each bucket.
///
/// The places are taken in regions, one after the other. What belongs to a region is gathered aside, and leaves holes
/// behind wherever it lay. What else lies in the region moves into the holes outside, which are exactly as large: so
/// the region is free for what has been gathered, and everything behind it is full again.
final class PieceMap {
    private final long[] regionBegins;
    private final Pieces gathered = new Pieces();
    private final Pieces evicted = new Pieces();
    private final Pieces displaced = new Pieces();
    private final Pieces holes = new Pieces();
    private final Pieces leftHoles = new Pieces();
    /// What lies at and behind the region, in the order of the positions: from positions to places.
    private Pieces pieces = new Pieces();

    private Pieces next = new Pieces();
    private int taken;

    /// @param regionBegins where each region begins, from 0 on, and where the last one ends
    PieceMap(long[] regionBegins) {
        this.regionBegins = regionBegins;
    }

    /// Adds a piece; in the end all positions and all places have to be there once.
    ///
    /// @param position behind those of all pieces before
    void add(long position, long place, long count) {
        if (count > 0) {
            pieces.add(position, place, count);
        }
    }

    /// Takes the next region. Afterwards [#gathered] and [#evicted] say what has to move, one after the other.
    void takeRegion() {
        long begin = regionBegins[taken];
        long end = regionBegins[taken + 1];
        taken++;
        gathered.clear();
        displaced.clear();
        holes.clear();
        next.clear();
        for (int piece = 0; piece < pieces.size(); piece++) {
            long position = pieces.from(piece);
            long place = pieces.to(piece);
            long count = pieces.count(piece);
            // The places before this region have been taken, so a piece belongs to this region with its first places.
            long own = Math.clamp(end - place, 0, count);
            if (own > 0) {
                gathered.add(position, place - begin, own);
                long outside = Math.max(position, end);
                if (outside < position + own) {
                    // All of a hole is one piece, wherever what has left it goes.
                    holes.add(outside, outside, position + own - outside);
                }
            }
            addOthers(position + own, place + own, count - own, end);
        }
        evict();
        Pieces before = pieces;
        pieces = next;
        next = before;
    }

    private void addOthers(long position, long place, long count, long end) {
        long inside = Math.clamp(end - position, 0, count);
        if (inside > 0) {
            displaced.add(position, place, inside);
        }
        if (inside < count) {
            next.add(position + inside, place + inside, count - inside);
        }
    }

    /// Gives each displaced piece holes. A piece that comes to lie no earlier than its own region begins is not
    /// displaced again. So the holes choose in the order of their positions, each the lowest places of those that need
    /// not move again; what nobody chooses goes to what is left.
    private void evict() {
        displaced.sortByTo();
        evicted.clear();
        leftHoles.clear();
        Filling filling = new Filling();
        int region = taken;
        for (int hole = 0; hole < holes.size(); hole++) {
            long position = holes.from(hole);
            while (region + 1 < regionBegins.length - 1 && regionBegins[region + 1] <= position) {
                region++;
            }
            long rest = filling.fill(position, holes.count(hole), regionBegins[region + 1]);
            if (rest > 0) {
                long left = position + holes.count(hole) - rest;
                leftHoles.add(left, left, rest);
            }
        }
        for (int hole = 0; hole < leftHoles.size(); hole++) {
            long rest = filling.fill(leftHoles.from(hole), leftHoles.count(hole), Long.MAX_VALUE);
            if (rest > 0) {
                throw new IllegalStateException("a hole of " + rest
                        + " elements is left in a sort in place; this is a defect of samplesort, please report it");
            }
        }
        mergeMoved(filling.moved);
    }

    /// Puts displaced pieces into holes, one after the other.
    private final class Filling {
        /// From new positions to places.
        private final Pieces moved = new Pieces();

        private int piece;
        private long used;

        /// Fills a hole with what has places below a bound. Returns how much of the hole is left.
        private long fill(long position, long size, long below) {
            long at = position;
            long rest = size;
            while (rest > 0 && piece < displaced.size() && displaced.to(piece) + used < below) {
                long count = Math.min(rest, displaced.count(piece) - used);
                evicted.add(displaced.from(piece) + used, at, count);
                moved.add(at, displaced.to(piece) + used, count);
                at += count;
                rest -= count;
                used += count;
                if (used == displaced.count(piece)) {
                    piece++;
                    used = 0;
                }
            }
            return rest;
        }
    }

    /// Merges what has moved into what lies behind the region.
    private void mergeMoved(Pieces moved) {
        moved.sortByFrom();
        Pieces all = pieces;
        all.clear();
        int stayed = 0;
        int piece = 0;
        while (stayed < next.size() || piece < moved.size()) {
            boolean isMoved = stayed == next.size() || piece < moved.size() && moved.from(piece) < next.from(stayed);
            Pieces source = isMoved ? moved : next;
            int index = isMoved ? piece++ : stayed++;
            all.add(source.from(index), source.to(index), source.count(index));
        }
        pieces = next;
        next = all;
    }

    /// Returns what belongs to the region: from positions to places counted from the region's beginning.
    Pieces gathered() {
        return gathered;
    }

    /// Returns what moves out of the region once that has been gathered, from positions to positions. None of the
    /// targets is a source, or was one of a piece that stays.
    Pieces evicted() {
        return evicted;
    }
}
