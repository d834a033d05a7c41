package io.samplesort.gpu.exchange;

import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// One sort of an array on several GPUs by an exchange of buckets. All GPUs make the same first pass over their own
/// elements, each in its own memory. The buckets are then copied to the GPUs that sort them, group by group, and each
/// GPU sorts one group while the next ones are on their way. So the links and the GPUs work side by side.
///
/// The host waits for the GPUs three times: for what the sample says about the buckets, for the sizes of the buckets,
/// and for the end. Until the first group is sorted, only memory of the exchange is written.
final class BucketExchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final SortedSample sample;
    private final ExchangeClock clock;
    private final SharedBuckets buckets;
    private final List<BucketMember> members;

    /// Makes the GPUs count a sample, which tells how much room each bucket needs.
    ///
    /// @param columns of each GPU
    /// @param sizes   how many elements each GPU has
    /// @param buckets of the first pass
    /// @param pinned  memory for [BucketMember#pinnedBytes] of each GPU
    BucketExchange(
            ExchangeTeam team,
            List<ExchangeColumns> columns,
            long[] sizes,
            SortedSample sample,
            SharedBuckets buckets,
            List<MemorySegment> pinned,
            ExchangeClock clock) {
        this.team = team;
        this.sizes = sizes;
        this.sample = sample;
        this.buckets = buckets;
        this.clock = clock;
        BucketMember[] made = new BucketMember[sizes.length];
        int[] ranks = buckets.ranks();
        team.onAll(member -> {
            int number = member.number();
            made[number] = member.add(new BucketMember(
                    member, columns.get(number), sizes[number], buckets.logCount(), pinned.get(number)));
            made[number].count(sample, ranks);
        });
        members = List.of(made);
    }

    /// Sorts. Returns null if this way does not work, as a GPU has too little memory for it, or the sample was unlucky;
    /// in that case nothing has been changed.
    ///
    /// @param leastGroup the fewest elements that are sorted at once
    ExchangeTotals run(long leastGroup) {
        BucketPlan plan = clock.timed("first_pass", () -> divide(leastGroup));
        if (plan == null) {
            onAll((member, number) -> member.close());
            return null;
        }
        return clock.timed("exchange_and_sort", () -> exchangeAndSort(plan));
    }

    private void onAll(BiConsumer<BucketMember, Integer> work) {
        team.onAll(member -> work.accept(members.get(member.number()), member.number()));
    }

    /// Makes the first pass, and returns where its buckets go.
    private BucketPlan divide(long leastGroup) {
        team.finish();
        BucketRooms.Counted[] counted =
                members.stream().map(BucketMember::counted).toArray(BucketRooms.Counted[]::new);
        BucketOwners owners = new BucketOwners(buckets, members.getFirst().areEqual(), counted);
        BucketRooms[] rooms = new BucketRooms[sizes.length];
        int slack = sample.leader().gpu().sort().tuning().bucketSlack();
        boolean[] haveRoom = new boolean[sizes.length];
        onAll((member, number) -> {
            rooms[number] = new BucketRooms(number, owners, counted, slack);
            haveRoom[number] = member.scatter(rooms[number]);
        });
        if (areAll(haveRoom)) {
            // The GPUs make the pass meanwhile.
            onAll((member, number) -> member.measureRoom(buckets.count() / sizes.length));
        }
        team.finish();
        if (!areAll(haveRoom)) {
            return null;
        }
        long[][] counts = members.stream().map(BucketMember::sizes).toArray(long[][]::new);
        for (long[] each : counts) {
            if (each == null) {
                return null;
            }
        }
        BucketPlan plan = BucketPlan.of(owners, sizes, rooms, counts);
        if (plan == null) {
            return null;
        }
        onAll((member, number) -> haveRoom[number] = member.reserve(plan, leastGroup));
        return areAll(haveRoom) ? plan : null;
    }

    private static boolean areAll(boolean[] values) {
        for (boolean value : values) {
            if (!value) {
                return false;
            }
        }
        return true;
    }

    private ExchangeTotals exchangeAndSort(BucketPlan plan) {
        int rounds = (int) most(BucketMember::groupCount);
        CopySteps steps = new CopySteps(members.size(), rounds);
        team.beginWriting();
        for (int round = 0; round < rounds; round++) {
            exchangeAndSort(steps, round);
        }
        // All that needs no result is done while the GPUs are at work.
        onAll((member, number) -> member.release(steps));
        ExchangeTotals totals = totals(plan);
        team.finish();
        team.endWriting();
        return totals.withLargestBucket(most(BucketMember::largestBucket));
    }

    /// Makes each GPU sort one group, once the others have sent what they have of it.
    private void exchangeAndSort(CopySteps steps, int round) {
        for (int each = 1; each <= steps.last(); each++) {
            int step = each;
            onAll((member, number) -> member.copy(steps, round, step, members));
        }
        onAll((member, number) -> {
            if (round < member.groupCount()) {
                member.sort(steps, round, members);
            }
        });
    }

    private ExchangeTotals totals(BucketPlan plan) {
        List<Long> received = new ArrayList<>();
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            received.add(plan.received(gpu));
        }
        long copied = plan.crossing() + plan.crossingBack();
        return new ExchangeTotals(
                (int) most(BucketMember::passes),
                sum(BucketMember::bytesMoved),
                sum(BucketMember::extraBytes),
                0,
                new SortReport.Exchange(0, copied, LongStream.of(sizes).boxed().toList(), received));
    }

    private long most(ToLongFunction<BucketMember> value) {
        return members.stream().mapToLong(value).max().orElse(0);
    }

    private long sum(ToLongFunction<BucketMember> value) {
        return members.stream().mapToLong(value).sum();
    }
}
