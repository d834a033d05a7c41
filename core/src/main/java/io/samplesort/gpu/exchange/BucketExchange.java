package io.samplesort.gpu.exchange;

import io.samplesort.gpu.exchange.BucketCopies.Piece;
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
/// The host waits for the GPUs three times: for what the sample says about the buckets, for the sizes of the buckets,
/// and for the end. Until the first group is sorted only memory of the exchange is written.
final class BucketExchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final SortedSample sample;
    private final ExchangeClock clock;
    private final SharedBuckets buckets;
    private final List<BucketMember> members = new ArrayList<>();

    /// @param columns  of each GPU
    /// @param sizes    how many elements each GPU has
    /// @param buckets  of the first pass
    /// @param pinned   of each GPU, memory for [BucketMember#pinnedBytes]
    /// @param isStaged whether a GPU cannot store to the memory of all others
    BucketExchange(
            ExchangeTeam team,
            List<ExchangeColumns> columns,
            long[] sizes,
            SortedSample sample,
            SharedBuckets buckets,
            List<MemorySegment> pinned,
            boolean[] isStaged,
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
                isStaged[member.number()],
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
        clock.timed("exchange_and_sort", () -> exchangeAndSort(plan, leastGroup));
        List<Long> received = new ArrayList<>();
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            received.add(plan.received(gpu));
        }
        boolean areStored = members.stream().anyMatch(BucketMember::storesCopies);
        long stored = areStored ? plan.crossing() : 0;
        long copied = plan.crossing() - stored + plan.crossingBack();
        return new ExchangeTotals(
                (int) most(BucketMember::passes),
                sum(BucketMember::bytesMoved),
                sum(BucketMember::extraBytes),
                most(BucketMember::largestBucket),
                new SortReport.Exchange(
                        stored, copied, LongStream.of(sizes).boxed().toList(), received));
    }

    private void onAll(BiConsumer<BucketMember, Integer> work) {
        team.onAll(member -> work.accept(members.get(member.number()), member.number()));
    }

    /// Makes the first pass, and returns where its buckets go.
    private BucketPlan divide() {
        int[] ranks = buckets.ranks();
        onAll((member, number) -> member.count(sample, ranks));
        team.finish();
        BucketRooms.Counted[] counted =
                members.stream().map(BucketMember::counted).toArray(BucketRooms.Counted[]::new);
        BucketOwners owners = new BucketOwners(buckets, members.getFirst().areEqual(), counted);
        BucketRooms[] rooms = new BucketRooms[sizes.length];
        int slack = sample.leader().gpu().sort().tuning().bucketSlack();
        Arrays.setAll(rooms, gpu -> new BucketRooms(gpu, owners, counted, slack));
        boolean[] haveRoom = new boolean[sizes.length];
        onAll((member, number) -> haveRoom[number] = member.scatter(rooms[number]));
        if (areAll(haveRoom)) {
            // The GPUs are at work meanwhile.
            onAll((member, number) -> haveRoom[number] = member.canSort(buckets.count() / sizes.length));
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
        return BucketPlan.of(owners, sizes, rooms, counts);
    }

    private static boolean areAll(boolean[] values) {
        for (boolean value : values) {
            if (!value) {
                return false;
            }
        }
        return true;
    }

    private void exchangeAndSort(BucketPlan plan, long leastGroup) {
        onAll((member, number) -> member.reserve(plan, leastGroup));
        int rounds = members.stream().mapToInt(BucketMember::groupCount).max().orElse(0);
        onAll((member, number) -> member.prepareCopies(pieces(member, number, rounds)));
        team.beginWriting();
        for (int round = 0; round < rounds; round++) {
            int group = round;
            onAll((member, number) -> member.copy(group));
            onAll((member, number) -> {
                if (group < member.groupCount()) {
                    member.sort(group, members);
                }
            });
        }
        team.finish();
        team.endWriting();
    }

    /// Returns what a GPU copies in each round. Each GPU begins with another one, so that no link has to wait for the
    /// rest.
    private List<List<Piece>> pieces(BucketMember member, int number, int rounds) {
        List<List<Piece>> pieces = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<Piece> ofRound = new ArrayList<>();
            for (int step = 1; step < members.size(); step++) {
                BucketMember to = members.get((number + step) % members.size());
                if (round < to.groupCount()) {
                    member.addPieces(to, round, ofRound);
                }
            }
            pieces.add(ofRound);
        }
        return pieces;
    }

    private long most(ToLongFunction<BucketMember> value) {
        return members.stream().mapToLong(value).max().orElse(0);
    }

    private long sum(ToLongFunction<BucketMember> value) {
        return members.stream().mapToLong(value).sum();
    }
}
