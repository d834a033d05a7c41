package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.exchange.BucketPlan.Copy;
import io.samplesort.gpu.exchange.BucketPlan.Move;
import io.samplesort.gpu.exchange.BucketPlan.Segment;
import io.samplesort.gpu.launch.GivenSegments;
import io.samplesort.gpu.sort.BehindSort;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.HostWait;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// One GPU in an exchange of buckets: its first pass, the array that the pass writes and that others copy to, and the
/// sorts of groups of buckets. The context of the GPU must be current, and no method waits.
final class BucketMember implements AutoCloseable {
    private static final long SEED = 0x5eed5a3713500L;

    /// Where memory is short, a group takes no more than this part of it. Buckets that are sorted aside take the rest.
    private static final double PART_FOR_A_GROUP = 7.0 / 8;

    private final ExchangeMember member;
    private final ExchangeColumns columns;
    private final MemorySegment pinned;
    private final Owned owned = new Owned();
    private final List<GroupSort> groups = new ArrayList<>();
    private final FirstPass pass;
    private final long passBytes;
    private final long count;
    private BucketPlan plan;
    private long home;
    private DeviceColumns array;
    private long arrayBytes;
    private long asideBytes;
    private GroupSort largest;
    private GroupSort largestAside;
    private DeviceAllocation room;
    private DeviceAllocation roomAside;
    /// The device memory for all sorts, and the elements of a group for which it is enough.
    private long sortRoom = Long.MAX_VALUE;

    private long mostOfAGroup = Long.MAX_VALUE;

    /// A group of buckets that are sorted together.
    private static final class GroupSort {
        private final List<Segment> segments;
        private final MemorySegment pinned;
        /// Where its elements are sorted to if they cannot go home at once; else null.
        private DeviceColumns aside;
        /// Null until it is first needed. It is made while the GPU has other work.
        private BehindSort sort;

        GroupSort(List<Segment> segments, MemorySegment pinned) {
            this.segments = segments;
            this.pinned = pinned;
        }

        boolean isAside() {
            return segments.getFirst().isAside();
        }

        Range places() {
            return new Range(
                    segments.getFirst().places().begin(),
                    segments.getLast().places().end());
        }

        BehindSort sort(DeviceSort device) {
            if (sort == null) {
                sort = device.behind(places().count(), segments.size());
            }
            return sort;
        }
    }

    /// @param count  elements of this GPU
    /// @param pinned memory for [#pinnedBytes]
    BucketMember(ExchangeMember member, ExchangeColumns columns, long count, int logBuckets, MemorySegment pinned) {
        this.member = member;
        this.columns = columns;
        this.count = count;
        this.pinned = pinned;
        passBytes = FirstPass.pinnedBytes(1 << logBuckets);
        pass = owned.add(new FirstPass(
                sort(), member.gpu().stream(), columns.sources(), count, logBuckets, pinned.asSlice(0, passBytes)));
    }

    /// Returns how many bytes of pinned memory an exchange takes on each GPU.
    static long pinnedBytes(int mostBuckets) {
        // Groups of one bucket each take most.
        return FirstPass.pinnedBytes(mostBuckets) + mostBuckets * GivenSegments.bytes(1);
    }

    private DeviceSort sort() {
        return member.gpu().sort();
    }

    private Stream stream() {
        return member.gpu().stream();
    }

    /// Counts how many keys of a sample of its elements each bucket has.
    void count(SortedSample sample, int[] ranks) {
        long sampleBytes = Math.ceilDiv(sample.byteSize(), (long) Long.BYTES) * Long.BYTES;
        long bytes = sampleBytes + Math.max(1, ranks.length) * (long) Integer.BYTES;
        long address = owned.add(DeviceAllocation.allocateAsync(sort().context(), stream(), bytes))
                .address();
        sample.copyTo(member, address);
        pass.count(address, ranks, address + sampleBytes, SEED + member.number());
    }

    BucketRooms.Counted counted() {
        return new BucketRooms.Counted(pass.counted(), count / (double) Math.max(1, pass.countedCount()), count);
    }

    boolean[] areEqual() {
        return pass.areEqual();
    }

    /// Puts the elements of this GPU into buckets. Returns false if there is too little memory for that.
    boolean scatter(BucketRooms rooms) {
        arrayBytes = 0;
        for (int bytes : sort().movedBytes()) {
            arrayBytes += bytes * rooms.size();
        }
        if (!sort().strategies().hasRoom(arrayBytes, 0)) {
            return false;
        }
        array = owned.add(new DeviceColumns(sort().context(), stream(), sort().movedBytes(), rooms.size()));
        pass.scatter(rooms.begins(), rooms.ends(), array.from(0));
        return true;
    }

    /// Finds out how much memory there is for the sorts in addition to the array, and how much a group may take of it.
    ///
    /// @param segments how many buckets this GPU sorts
    void measureRoom(int segments) {
        long allBytes = sort().behind(Math.max(1, count), segments).byteSize();
        if (sort().strategies().hasRoom(allBytes, arrayBytes)) {
            return;
        }
        sortRoom = sort().strategies().freeBytes(arrayBytes);
        mostOfAGroup = (long) (PART_FOR_A_GROUP * sortRoom * Math.max(1, count) / allBytes);
    }

    /// Returns how many elements of this GPU each bucket has; null if a bucket had too little room.
    long[] sizes() {
        return pass.sizes();
    }

    /// Takes the memory for all that follows. Returns false if there is too little.
    ///
    /// @param least the fewest elements of a group, where there is memory for them
    boolean reserve(BucketPlan exact, long least) {
        plan = exact;
        home = plan.home(member.number());
        long most = mostOfAGroup;
        makeGroups(least, most);
        while (sortRoom < Long.MAX_VALUE && extraBytes() - arrayBytes > sortRoom) {
            if (groups.stream().allMatch(group -> group.segments.size() == 1)) {
                return false;
            }
            most /= 2;
            makeGroups(least, most);
        }
        for (GroupSort group : groups) {
            if (group.isAside()) {
                long elements = group.places().count();
                group.aside = owned.add(new DeviceColumns(sort().context(), stream(), columns.bytes(), elements));
            }
        }
        // Sorts that took memory of their own would break up what the pool holds, as they are on two streams.
        room = room(largest);
        return true;
    }

    /// Takes the memory for sorts of groups of this size and smaller ones, which are on one stream.
    private DeviceAllocation room(GroupSort group) {
        return owned.add(DeviceAllocation.allocateAsync(sort().context(), stream(), Math.max(1, sortBytes(group))));
    }

    private long sortBytes(GroupSort group) {
        return group == null ? 0 : group.sort(sort()).byteSize();
    }

    private void makeGroups(long least, long mostOfAGroup) {
        groups.clear();
        largest = null;
        largestAside = null;
        asideBytes = 0;
        long at = passBytes;
        for (List<Segment> segments : plan.groups(member.number(), least, mostOfAGroup)) {
            long bytes = GivenSegments.bytes(segments.size());
            long elements = BucketPlan.count(segments);
            GroupSort group = new GroupSort(segments, pinned.asSlice(at, bytes));
            groups.add(group);
            at += bytes;
            if (group.isAside()) {
                asideBytes += elements * columns.rowBytes();
                largestAside = larger(largestAside, group);
            } else {
                largest = larger(largest, group);
            }
        }
    }

    private static GroupSort larger(GroupSort one, GroupSort other) {
        return one == null || other.places().count() > one.places().count() ? other : one;
    }

    private static GivenSegments given(List<Segment> group) {
        int segments = group.size();
        long[] sizes = new long[segments];
        long[] begins = new long[segments];
        boolean[] areEqual = new boolean[segments];
        for (int i = 0; i < segments; i++) {
            Segment segment = group.get(i);
            sizes[i] = segment.places().count();
            begins[i] = segment.index() - group.getFirst().index();
            areEqual[i] = segment.areEqual();
        }
        return new GivenSegments(sizes, begins, areEqual);
    }

    int groupCount() {
        return groups.size();
    }

    /// Copies the elements that this GPU has of another one's group, in one step of a round.
    void copy(CopySteps steps, int round, int step, List<BucketMember> all) {
        steps.begin(member, round, step);
        BucketMember to = all.get(steps.target(member.number(), step));
        if (round < to.groupCount()) {
            copy(to, to.groups.get(round));
        }
        steps.end(member, round, step);
    }

    private void copy(BucketMember to, GroupSort group) {
        int[] bytes = sort().movedBytes();
        for (Segment segment : group.segments) {
            for (Copy copy : segment.copies()) {
                for (int c = 0; c < bytes.length && copy.from() == member.number(); c++) {
                    member.gpu()
                            .copyTo(
                                    member.copies(),
                                    to.member.gpu(),
                                    to.array.address(c, copy.target()),
                                    array.address(c, copy.source()),
                                    copy.count() * bytes[c]);
                }
            }
        }
    }

    /// Sorts a group once the others have sent all that they have of it. Elements that are sorted aside are copied to
    /// where they belong, which is free by then. The sorts of other groups need not wait for that copy.
    void sort(CopySteps steps, int number, List<BucketMember> all) {
        GroupSort group = groups.get(number);
        boolean isAside = group.isAside();
        if (isAside && roomAside == null) {
            // Its size is found only now, since the GPU has other work by now.
            roomAside = room(largestAside);
        }
        Stream on = isAside ? member.forkBeside() : stream();
        for (BucketMember other : all) {
            if (other != this) {
                on.waitFor(steps.arrival(number, other.member.number(), member.number()));
            }
        }
        Range places = group.places();
        long[] targets = new long[columns.bytes().length];
        for (int c = 0; c < targets.length; c++) {
            targets[c] = isAside ? group.aside.address(c, 0) : home(c, places.begin());
        }
        group.sort(sort())
                .enqueue(
                        on,
                        given(group.segments),
                        group.pinned,
                        array.from(group.segments.getFirst().index()),
                        targets,
                        isAside ? roomAside : room,
                        group == largest ? HostWait.forBucket(member.gpu().readBack()) : HostWait.none());
        if (isAside) {
            move(on, group, all);
        }
    }

    private long home(int column, long place) {
        return columns.results()[column] + (place - home) * columns.bytes()[column];
    }

    private void move(Stream on, GroupSort group, List<BucketMember> all) {
        for (Move move : plan.moves(member.number(), group.places())) {
            BucketMember to = all.get(move.to());
            long begin = move.places().begin();
            for (int c = 0; c < columns.bytes().length; c++) {
                member.gpu()
                        .copyTo(
                                on,
                                to.member.gpu(),
                                to.home(c, begin),
                                group.aside.address(c, begin - group.places().begin()),
                                move.places().count() * columns.bytes()[c]);
            }
        }
    }

    int passes() {
        return groups.stream()
                .mapToInt(group -> group.sort(sort()).passes())
                .max()
                .orElse(0);
    }

    long bytesMoved() {
        return groups.stream()
                .mapToLong(group -> sort().bytesMoved(
                                group.places().count(), group.sort(sort()).rounds()))
                .sum();
    }

    long extraBytes() {
        return arrayBytes + asideBytes + sortBytes(largest) + sortBytes(largestAside);
    }

    long largestBucket() {
        return largest == null ? 0 : member.gpu().readBack().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Gives the memory of the exchange back as soon as the GPU has done all that it has been given.
    void release(CopySteps steps) {
        Event copied = steps.end(member.number());
        if (copied != null) {
            // The copies from the array are on another stream, and so are those of elements sorted aside.
            stream().waitFor(copied);
        }
        member.joinBeside();
        member.close();
    }

    @Override
    public void close() {
        owned.close();
    }
}
