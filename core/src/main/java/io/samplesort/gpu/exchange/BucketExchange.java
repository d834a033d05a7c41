package io.samplesort.gpu.exchange;

import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// One sort of an array on several GPUs by an exchange of buckets. All GPUs make the same first pass of their elements,
/// each in its own memory. The buckets are then copied to the GPUs that sort them, group by group, and each GPU sorts
/// one group while the next ones are on their way. So the links and the GPUs work side by side.
///
/// Until the first group is sorted only memory of the exchange is written.
final class BucketExchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final SortedSample sample;
    private final ExchangeClock clock;
    private final SharedBuckets buckets;
    private final List<BucketMember> members = new ArrayList<>();

    /// @param columns of each GPU
    /// @param sizes   how many elements each GPU has
    /// @param buckets of the first pass
    /// @param pinned  of each GPU, memory for [BucketMember#pinnedBytes]
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
        team.onAll(member -> members.add(member.add(new BucketMember(
                member,
                columns.get(member.number()),
                sizes[member.number()],
                buckets.logCount(),
                pinned.get(member.number())))));
    }

    /// Sorts. Returns null if that cannot be done in this way, as a GPU has too little memory for it, or the sample was
    /// unlucky; nothing has been changed then.
    ///
    /// @param leastGroup elements that are sorted at once at least
    ExchangeTotals run(long leastGroup) {
        BucketPlan plan = clock.timed("first_pass", this::divide);
        if (plan == null) {
            onAll((member, number) -> member.close());
            return null;
        }
        onAll((member, number) -> member.reserve(plan, leastGroup));
        team.finish();
        team.beginWriting();
        clock.timed("exchange_and_sort", this::exchangeAndSort);
        clock.timed("move_borders", () -> {
            onAll((member, number) -> member.move(plan, members));
            team.finish();
        });
        team.endWriting();
        List<Long> received = new ArrayList<>();
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            received.add(plan.received(gpu));
        }
        return new ExchangeTotals(
                (int) most(BucketMember::passes),
                sum(BucketMember::bytesMoved),
                sum(BucketMember::extraBytes),
                most(BucketMember::largestBucket),
                new SortReport.Exchange(
                        0, plan.crossing(), LongStream.of(sizes).boxed().toList(), received));
    }

    private void onAll(BiConsumer<BucketMember, Integer> work) {
        team.onAll(member -> work.accept(members.get(member.number()), member.number()));
    }

    /// Makes the first pass, and returns where its buckets go.
    private BucketPlan divide() {
        int[] ranks = buckets.ranks();
        long[] samples = new long[sizes.length];
        onAll((member, number) -> samples[number] = member.allocateSample(sample.byteSize()));
        team.finish();
        team.on(sample.leader(), leader -> {
            for (ExchangeMember member : team.members()) {
                leader.gpu()
                        .copyTo(
                                leader.gpu().stream(),
                                member.gpu(),
                                samples[member.number()],
                                sample.address(0),
                                sample.byteSize());
            }
        });
        team.finish();
        onAll((member, number) -> member.count(samples[number], ranks));
        team.finish();
        BucketRooms.Counted[] counted =
                members.stream().map(BucketMember::counted).toArray(BucketRooms.Counted[]::new);
        BucketOwners owners = new BucketOwners(buckets, members.getFirst().areEqual(), counted);
        BucketRooms[] rooms = new BucketRooms[sizes.length];
        int slack = sample.leader().gpu().sort().tuning().bucketSlack();
        Arrays.setAll(rooms, gpu -> new BucketRooms(gpu, owners, counted, slack));
        boolean[] haveRoom = new boolean[sizes.length];
        onAll((member, number) -> haveRoom[number] = member.hasRoom(rooms[number], buckets.count() / sizes.length));
        for (boolean hasRoom : haveRoom) {
            if (!hasRoom) {
                return null;
            }
        }
        onAll((member, number) -> member.scatter(rooms[number]));
        team.finish();
        long[][] counts = members.stream().map(BucketMember::sizes).toArray(long[][]::new);
        for (long[] each : counts) {
            if (each == null) {
                return null;
            }
        }
        return BucketPlan.of(owners, sizes, rooms, counts);
    }

    private void exchangeAndSort() {
        int rounds = members.stream().mapToInt(BucketMember::groupCount).max().orElse(0);
        for (int round = 0; round < rounds; round++) {
            int group = round;
            onAll((member, number) -> {
                // Each GPU begins with another one, so that no link has to wait for the rest.
                for (int step = 1; step < members.size(); step++) {
                    BucketMember to = members.get((number + step) % members.size());
                    if (group < to.groupCount()) {
                        member.copy(to, group);
                    }
                }
                member.markCopied();
            });
            onAll((member, number) -> {
                if (group < member.groupCount()) {
                    member.sort(group, members);
                }
            });
        }
        team.finish();
    }

    private long most(ToLongFunction<BucketMember> value) {
        return members.stream().mapToLong(value).max().orElse(0);
    }

    private long sum(ToLongFunction<BucketMember> value) {
        return members.stream().mapToLong(value).sum();
    }
}
