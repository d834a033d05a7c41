package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.PartKernels;
import io.samplesort.gpu.launch.PartKernels.Part;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.types.SortReport;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One sort of elements that lie on several GPUs: each GPU sorts its part to other memory, and then merges what belongs
/// to its home from the memory of all. The GPUs themselves find the cuts of the parts, exactly and whatever the
/// elements are. So the host waits once, for the end, and no GPU gets more than its share.
///
/// Nothing else happens while elements cross a link. So this way suits arrays that cross in less time than an exchange
/// in buckets needs between its steps.
final class MergedSort {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final List<Member> members;

    /// One GPU: its part in order, and what it merges.
    private static final class Member {
        private final ExchangeMember member;
        private final ExchangeColumns columns;
        private final long count;
        private final SortStrategy strategy;
        private DeviceColumns sorted;
        private Event isSorted;
        private Event isMerged;

        Member(ExchangeMember member, ExchangeColumns columns, long count) {
            this.member = member;
            this.columns = columns;
            this.count = count;
            strategy = sort().strategies()
                    .choose("sorting %d elements on " + member.gpu().name(), count, heldBytes());
        }

        private DeviceSort sort() {
            return member.gpu().sort();
        }

        private PartKernels kernels() {
            return sort().kernels().parts();
        }

        /// Returns the bytes that this takes in addition to the memory of the sort.
        long heldBytes() {
            return count * columns.rowBytes() + kernels().byteSize(count);
        }

        void sortPart() {
            sorted = member.allocateColumns(columns.bytes(), count);
            if (count > 0) {
                sort().enqueueCopy(
                                member.gpu().stream(),
                                strategy,
                                columns.sources(),
                                sorted.from(0),
                                PhaseTimer.none(),
                                HostWait.forBucket(member.gpu().readBack()));
            }
            isSorted = member.mark(member.gpu().stream());
        }

        boolean isBegun() {
            return isSorted != null;
        }

        void sortUnlessBegun() {
            if (!isBegun()) {
                sortPart();
            }
        }

        private Part part() {
            return new Part(elements(sorted.from(0)), count);
        }

        private static DeviceElements elements(long[] columns) {
            return new DeviceElements(columns[0], columns.length > 1 ? columns[1] : 0);
        }

        /// Merges what belongs here from all parts.
        ///
        /// @param home the first place of this GPU's home in the whole array
        void merge(List<Member> all, long home) {
            for (Member other : all) {
                member.gpu().stream().waitFor(other.isSorted);
            }
            if (count > 0) {
                List<Part> parts = new ArrayList<>();
                for (Member other : all) {
                    parts.add(other.part());
                }
                long memory = member.allocate(kernels().byteSize(count)).address();
                kernels().merge(member.gpu().stream(), parts, home, count, elements(columns.results()), memory);
                long bytes = (long) all.size() * Long.BYTES;
                member.gpu().stream().copyToHost(member.pinned(), memory + PartKernels.begins(), bytes);
                member.gpu().stream()
                        .copyToHost(
                                member.pinned().asSlice(bytes),
                                memory + kernels().ends(count),
                                bytes);
            }
            isMerged = member.mark(member.gpu().stream());
        }

        /// Makes further work on this GPU wait until no other GPU reads its memory any more.
        void outlastReaders(List<Member> all) {
            for (Member other : all) {
                member.gpu().stream().waitFor(other.isMerged);
            }
        }

        /// Returns how many elements of other GPUs this one has merged, once the merge has ended.
        long crossed(int parts) {
            long crossed = 0;
            for (int part = 0; part < parts && count > 0; part++) {
                crossed += part == member.number() ? 0 : cut(parts + part) - cut(part);
            }
            return crossed;
        }

        private long cut(int index) {
            return PartKernels.index(member.pinned().getAtIndex(ValueLayout.JAVA_LONG, index));
        }

        long largestBucket() {
            return count == 0 ? 0 : member.gpu().readBack().get(ValueLayout.JAVA_LONG, 0);
        }
    }

    private MergedSort(ExchangeTeam team, long[] sizes, List<Member> members) {
        this.team = team;
        this.sizes = sizes;
        this.members = members;
    }

    /// Prepares a sort; returns null if a GPU has too little memory for it. This changes no element.
    ///
    /// A GPU that finds its part in no order begins to sort it at once, without waiting for the others.
    ///
    /// @param order what looks for order first; null if nothing does
    static MergedSort of(ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes, SharedOrder order) {
        Member[] members = new Member[sizes.length];
        boolean[] hasRoom = new boolean[sizes.length];
        team.onAll(member -> {
            int number = member.number();
            if (order != null) {
                order.look(member);
            }
            try {
                // The GPU looks for order meanwhile.
                members[number] = new Member(member, columns.get(number), sizes[number]);
                hasRoom[number] = true;
            } catch (InsufficientDeviceMemoryException e) {
                hasRoom[number] = false;
            }
            if (order != null && hasRoom[number] && order.isInNoOrder(member)) {
                members[number].sortPart();
            }
        });
        for (boolean each : hasRoom) {
            if (!each) {
                // Sorts that have begun hold memory that another way to sort needs.
                team.onAll(ExchangeMember::close);
                return null;
            }
        }
        return new MergedSort(team, sizes, List.of(members));
    }

    ExchangeTotals run() {
        for (Member each : members) {
            if (!each.isBegun()) {
                team.onAll(member -> members.get(member.number()).sortUnlessBegun());
                break;
            }
        }
        team.beginWriting();
        long[] homes = new long[sizes.length];
        for (int gpu = 1; gpu < sizes.length; gpu++) {
            homes[gpu] = homes[gpu - 1] + sizes[gpu - 1];
        }
        team.onAll(member -> members.get(member.number()).merge(members, homes[member.number()]));
        // The memory is given back, in the order of the streams, while the GPUs are at work.
        team.onAll(member -> members.get(member.number()).outlastReaders(members));
        team.onAll(ExchangeMember::close);
        ExchangeTotals totals = totals();
        team.finish();
        team.endWriting();
        return withResult(totals);
    }

    /// Returns the totals that are known before the end.
    private ExchangeTotals totals() {
        int passes = 0;
        long bytesMoved = 0;
        long extraBytes = 0;
        for (Member member : members) {
            passes = Math.max(passes, member.strategy.passes());
            bytesMoved += member.sort().bytesMoved(member.count, member.strategy.rounds())
                    + 2 * member.count * member.columns.rowBytes();
            extraBytes += member.strategy.byteSize() + member.heldBytes();
        }
        List<Long> received = Arrays.stream(sizes).boxed().toList();
        return new ExchangeTotals(passes, bytesMoved, extraBytes, 0, new SortReport.Exchange(0, 0, received, received));
    }

    private ExchangeTotals withResult(ExchangeTotals totals) {
        long largestBucket = 0;
        long crossed = 0;
        for (Member member : members) {
            largestBucket = Math.max(largestBucket, member.largestBucket());
            crossed += member.crossed(members.size());
        }
        List<Long> received = totals.exchange().received();
        return new ExchangeTotals(
                totals.passes(),
                totals.bytesMoved(),
                totals.extraBytes(),
                largestBucket,
                new SortReport.Exchange(crossed, 0, received, received));
    }
}
