package io.samplesort.gpu.exchange;

import java.util.ArrayList;
import java.util.List;

/// Where the elements go that a first pass of several GPUs has put into buckets. This class has only the arithmetic.
///
/// Places count in the array of all GPUs together, in the order of the buckets, and within a bucket in the order of the
/// GPUs. So the places of a bucket are known exactly as soon as the pass has ended. A bucket that lies in the home of
/// the GPU that sorts it is sorted right into its places. A bucket that holds a border is sorted **aside** and then
/// moved. An equality bucket is divided at the borders.
public final class BucketPlan {
    /// The part of all elements that are in the first group.
    private static final double FIRST_GROUP = 1.0 / 32;

    private final long[] homes;
    private final List<List<Segment>> segments = new ArrayList<>();

    /// Elements that one GPU sorts.
    ///
    /// @param index   where the first of them lies in its array
    /// @param areEqual whether all of them are equal
    /// @param isAside whether they are sorted aside
    /// @param copies  the copies of elements that other GPUs have
    public record Segment(Range places, long index, boolean areEqual, boolean isAside, List<Copy> copies) {}

    /// What is copied from the array of one GPU to that of another one.
    public record Copy(int from, long source, long target, long count) {}

    /// Places that one GPU has sorted aside and that belong to another GPU or to the same one.
    public record Move(int from, int to, Range places) {}

    private BucketPlan(long[] sizes) {
        homes = new long[sizes.length + 1];
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            homes[gpu + 1] = homes[gpu] + sizes[gpu];
            segments.add(new ArrayList<>());
        }
    }

    /// Returns the plan; null if the room of a bucket is too small, or a key lies where the sample did not predict it.
    ///
    /// @param sizes  how many elements each GPU has
    /// @param rooms  the array of each GPU
    /// @param counts how many elements each GPU has of each bucket
    public static BucketPlan of(BucketOwners buckets, long[] sizes, BucketRooms[] rooms, long[][] counts) {
        BucketPlan plan = new BucketPlan(sizes);
        long place = 0;
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            Range all = new Range(place, place + sum(counts, bucket));
            boolean areEqual = buckets.isEqual(bucket);
            long covered = 0;
            for (int owner = buckets.first(bucket); owner <= buckets.last(bucket); owner++) {
                Range own = areEqual ? all.within(plan.homes[owner], plan.homes[owner + 1]) : all;
                if (own.count() > 0) {
                    covered += own.count();
                    if (!plan.add(bucket, areEqual, owner, place, own, rooms, counts)) {
                        return null;
                    }
                }
            }
            if (covered != all.count()) {
                return null;
            }
            place = all.end();
        }
        if (place != plan.homes[sizes.length]) {
            throw new IllegalStateException("the buckets have " + place + " elements, and there are "
                    + plan.homes[sizes.length] + "; this is a defect of samplesort, please report it");
        }
        return plan;
    }

    private static long sum(long[][] counts, int bucket) {
        // No Java streams: their first use in a process takes longer than the rest of a plan.
        long sum = 0;
        for (long[] each : counts) {
            sum += each[bucket];
        }
        return sum;
    }

    /// Adds what one GPU sorts of a bucket. Returns false if there is too little room.
    ///
    /// @param place the first place of the bucket
    private boolean add(
            int bucket, boolean areEqual, int owner, long place, Range own, BucketRooms[] rooms, long[][] counts) {
        long before = 0;
        long behind = 0;
        long skipped = 0;
        long piece = place;
        for (int gpu = 0; gpu < counts.length; gpu++) {
            Range part = own.within(piece, piece + counts[gpu][bucket]);
            long count = Math.max(0, part.count());
            before += gpu < owner ? count : 0;
            behind += gpu > owner ? count : 0;
            if (gpu == owner) {
                // Either another GPU has what lies before these elements, or all elements of this GPU lie before them.
                skipped = count > 0 ? part.begin() - piece : before > 0 ? 0 : counts[owner][bucket];
            }
            piece += counts[gpu][bucket];
        }
        if (!rooms[owner].hasRoom(bucket, before, counts[owner][bucket], behind)) {
            return false;
        }
        long index = rooms[owner].begins()[bucket] + skipped - before;
        List<Copy> copies = new ArrayList<>();
        piece = place;
        for (int gpu = 0; gpu < counts.length; gpu++) {
            Range part = own.within(piece, piece + counts[gpu][bucket]);
            if (gpu != owner && part.count() > 0) {
                long source = rooms[gpu].begins()[bucket] + part.begin() - piece;
                copies.add(new Copy(gpu, source, index + part.begin() - own.begin(), part.count()));
            }
            piece += counts[gpu][bucket];
        }
        boolean isAside = own.begin() < homes[owner] || own.end() > homes[owner + 1];
        segments.get(owner).add(new Segment(own, index, areEqual, isAside, copies));
        return true;
    }

    /// Returns the first place of the elements of a GPU.
    public long home(int gpu) {
        return homes[gpu];
    }

    /// Returns how many elements a GPU sorts.
    public long received(int gpu) {
        return count(segments.get(gpu));
    }

    /// Returns what a GPU sorts, in groups: each group is sorted while the next one is on its way. The first group is
    /// small, as nothing is sorted while it is on its way. A bucket that is sorted aside is a group of its own. These
    /// groups follow the first one, since they take long for their size: they are small, and are copied home in the
    /// end.
    ///
    /// @param least the fewest elements of a group, except the last ones
    /// @param limit the most elements of a group; those of a larger bucket are a group nevertheless
    public List<List<Segment>> groups(int gpu, long least, long limit) {
        List<List<Segment>> groups = new ArrayList<>();
        List<List<Segment>> aside = new ArrayList<>();
        List<Segment> group = new ArrayList<>();
        long elements = 0;
        double most = Math.max(least, received(gpu) * FIRST_GROUP);
        int gpus = segments.size();
        // A link only brings what a GPU does not have itself. By the rates of H200, it is faster than the sort by this
        // factor.
        double growth = gpus / Math.max(1.0, gpus - 1.0);
        for (Segment segment : segments.get(gpu)) {
            if (segment.isAside()) {
                aside.add(List.of(segment));
                // Every group must be contiguous in its home.
                addGroup(groups, group);
                group = new ArrayList<>();
                elements = 0;
                continue;
            }
            if (elements + segment.places().count() > limit) {
                addGroup(groups, group);
                group = new ArrayList<>();
                elements = 0;
            }
            group.add(segment);
            elements += segment.places().count();
            if (elements >= most) {
                addGroup(groups, group);
                group = new ArrayList<>();
                elements = 0;
                most *= growth;
            }
        }
        addGroup(groups, group);
        groups.addAll(Math.min(1, groups.size()), aside);
        return groups;
    }

    private static void addGroup(List<List<Segment>> groups, List<Segment> group) {
        if (!group.isEmpty()) {
            groups.add(group);
        }
    }

    public static long count(List<Segment> segments) {
        long count = 0;
        for (Segment segment : segments) {
            count += segment.places().count();
        }
        return count;
    }

    /// Returns what has to be moved of a bucket that one GPU has sorted aside.
    public List<Move> moves(int gpu, Range sorted) {
        List<Move> moves = new ArrayList<>();
        for (int to = 0; to + 1 < homes.length; to++) {
            Range part = sorted.within(homes[to], homes[to + 1]);
            if (part.count() > 0) {
                moves.add(new Move(gpu, to, part));
            }
        }
        return moves;
    }

    /// Returns how many elements cross to another GPU to be sorted.
    public long crossing() {
        long crossing = 0;
        for (List<Segment> each : segments) {
            for (Segment segment : each) {
                for (Copy copy : segment.copies()) {
                    crossing += copy.count();
                }
            }
        }
        return crossing;
    }

    /// Returns how many elements cross to another GPU after they have been sorted aside.
    public long crossingBack() {
        long crossing = 0;
        for (int gpu = 0; gpu < segments.size(); gpu++) {
            for (Segment segment : segments.get(gpu)) {
                for (Move move : segment.isAside() ? moves(gpu, segment.places()) : List.<Move>of()) {
                    crossing += move.from() == move.to() ? 0 : move.places().count();
                }
            }
        }
        return crossing;
    }
}
