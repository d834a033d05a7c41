package io.samplesort.gpu.exchange;

import io.samplesort.cuda.DeviceAllocation;
import io.samplesort.cuda.Event;
import io.samplesort.cuda.Owned;
import io.samplesort.cuda.Stream;
import io.samplesort.gpu.exchange.BucketPlan.Copy;
import io.samplesort.gpu.exchange.BucketPlan.Segment;
import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.exchange.ExchangePlan.Range;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.GivenSegments;
import io.samplesort.gpu.sort.WorkspaceLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// One GPU in an exchange of buckets: its first pass, the array that this writes and that others copy to, and its sorts
/// of groups of buckets. The context of the GPU is current whenever a method is called, and none of them waits.
final class BucketMember implements AutoCloseable {
    private static final long SEED = 0x5eed5a3713500L;

    private final ExchangeMember member;
    private final ExchangeColumns columns;
    private final MemorySegment pinned;
    private final Owned owned = new Owned();
    private final List<GroupSort> groups = new ArrayList<>();
    private final List<Event> arrivals = new ArrayList<>();
    private final FirstPass pass;
    private final long passBytes;
    private final long count;
    private long home;
    private DeviceColumns array;
    private long arrayBytes;
    private long asideBytes;

    /// A group of buckets that is sorted at once.
    ///
    /// @param aside where its elements go if they cannot go home at once; else null
    private record GroupSort(
            List<Segment> segments,
            GivenSegments given,
            WorkspaceLayout layout,
            MemorySegment pinned,
            DeviceColumns aside) {
        Range places() {
            return new Range(
                    segments.getFirst().places().begin(),
                    segments.getLast().places().end());
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
        // Groups with one bucket take most.
        return FirstPass.pinnedBytes(mostBuckets) + mostBuckets * GivenSegments.bytes(1);
    }

    private DeviceSort sort() {
        return member.gpu().sort();
    }

    private Stream stream() {
        return member.gpu().stream();
    }

    /// Takes room for the sorted sample, and returns its device address.
    long allocateSample(long bytes) {
        return owned.add(DeviceAllocation.allocateAsync(sort().context(), stream(), Math.max(1, bytes)))
                .address();
    }

    /// Counts how many keys of a sample of its elements each bucket has.
    void count(long sample, int[] ranks) {
        long room = owned.add(
                        DeviceAllocation.allocateAsync(sort().context(), stream(), (long) ranks.length * Integer.BYTES))
                .address();
        pass.count(sample, ranks, room, SEED + member.number());
    }

    BucketRooms.Counted counted() {
        return new BucketRooms.Counted(pass.counted(), count / (double) Math.max(1, pass.countedCount()), count);
    }

    boolean[] areEqual() {
        return pass.areEqual();
    }

    /// Returns whether there is memory for all that this GPU does.
    ///
    /// @param segments how many buckets it sorts
    boolean hasRoom(BucketRooms rooms, int segments) {
        arrayBytes = 0;
        for (int bytes : sort().movedBytes()) {
            arrayBytes += bytes * rooms.size();
        }
        long sortBytes = sort().layoutBehind(Math.max(1, count), segments).byteSize;
        return sort().layouts().hasRoom(arrayBytes + sortBytes);
    }

    /// Puts the elements of this GPU into buckets.
    void scatter(BucketRooms rooms) {
        array = owned.add(new DeviceColumns(sort().context(), stream(), sort().movedBytes(), rooms.size()));
        pass.scatter(rooms.begins(), rooms.ends(), array.from(0));
    }

    /// Returns how many elements of this GPU each bucket has; null if one had too little room.
    long[] sizes() {
        return pass.sizes();
    }

    /// Takes the memory for all that follows.
    ///
    /// @param least elements that a group has at least
    /// @throws io.samplesort.types.CudaException if there is too little
    void reserve(BucketPlan plan, long least) {
        home = plan.home(member.number());
        long at = passBytes;
        long most = 0;
        for (List<Segment> group : plan.groups(member.number(), least)) {
            int segments = group.size();
            long bytes = GivenSegments.bytes(segments);
            long elements = BucketPlan.count(group);
            WorkspaceLayout layout = sort().layoutBehind(elements, segments);
            DeviceColumns aside = null;
            if (group.getFirst().isAside()) {
                aside = owned.add(new DeviceColumns(sort().context(), stream(), columns.bytes(), elements));
                asideBytes += elements * columns.rowBytes();
            }
            groups.add(new GroupSort(group, given(group), layout, pinned.asSlice(at, bytes), aside));
            at += bytes;
            most = Math.max(most, layout.byteSize);
        }
        if (most > 0) {
            // The pool keeps this, so the sorts get their memory even where others ask for some meanwhile.
            DeviceAllocation.allocateAsync(sort().context(), stream(), most).close();
        }
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

    /// Copies what this GPU has of a group that another one sorts.
    void copy(BucketMember to, int group) {
        for (Segment segment : to.groups.get(group).segments) {
            for (Copy copy : segment.copies()) {
                if (copy.from() == member.number()) {
                    for (int c = 0; c < sort().movedBytes().length; c++) {
                        member.gpu()
                                .copyTo(
                                        member.copies(),
                                        to.member.gpu(),
                                        to.array.address(c, copy.target()),
                                        array.address(c, copy.source()),
                                        copy.count() * sort().movedBytes()[c]);
                    }
                }
            }
        }
    }

    /// Marks that this GPU has copied its part of as many groups as this has been called for.
    void markCopied() {
        Event event = owned.add(Event.create(sort().context(), false));
        arrivals.add(event);
        event.record(member.copies());
    }

    /// Sorts a group once all that the others have of it has come.
    void sort(int number, List<BucketMember> all) {
        for (BucketMember other : all) {
            if (other != this) {
                stream().waitFor(other.arrivals.get(number));
            }
        }
        GroupSort group = groups.get(number);
        Range places = group.places();
        long[] targets = new long[columns.bytes().length];
        for (int c = 0; c < targets.length; c++) {
            targets[c] = group.aside == null ? home(c, places.begin()) : group.aside.address(c, 0);
        }
        sort().enqueueBehind(
                        stream(),
                        group.layout,
                        group.given,
                        group.pinned,
                        array.from(group.segments.getFirst().index()),
                        targets,
                        isLargest(group) ? member.gpu().readBack() : null);
    }

    private boolean isLargest(GroupSort group) {
        return groups.stream()
                .allMatch(other -> other.places().count() <= group.places().count());
    }

    private long home(int column, long place) {
        return columns.results()[column] + (place - home) * columns.bytes()[column];
    }

    /// Copies what this GPU has sorted aside to where it belongs.
    void move(BucketPlan plan, List<BucketMember> all) {
        for (GroupSort group : groups) {
            if (group.aside != null) {
                for (Move move : plan.moves(member.number(), group.places())) {
                    BucketMember to = all.get(move.to());
                    long begin = move.places().begin();
                    for (int c = 0; c < columns.bytes().length; c++) {
                        member.gpu()
                                .copyTo(
                                        stream(),
                                        to.member.gpu(),
                                        to.home(c, begin),
                                        group.aside.address(
                                                c, begin - group.places().begin()),
                                        move.places().count() * columns.bytes()[c]);
                    }
                }
            }
        }
    }

    int passes() {
        return groups.stream()
                .mapToInt(group -> group.layout.plan.passCount())
                .max()
                .orElse(0);
    }

    long bytesMoved() {
        return groups.stream()
                .mapToLong(group -> sort().bytesMoved(group.places().count(), group.layout, 1))
                .sum();
    }

    long extraBytes() {
        long sortBytes =
                groups.stream().mapToLong(group -> group.layout.byteSize).max().orElse(0);
        return arrayBytes + asideBytes + sortBytes;
    }

    long largestBucket() {
        return groups.isEmpty() ? 0 : member.gpu().readBack().get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    public void close() {
        owned.close();
    }
}
