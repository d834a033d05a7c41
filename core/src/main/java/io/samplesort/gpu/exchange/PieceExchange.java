package io.samplesort.gpu.exchange;

import io.samplesort.types.SortReport;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// One sort of an array on several GPUs by an exchange of pieces. Each GPU sorts its part, or the sort keys of it, and
/// finds where its home begins in the sorted parts of all. So each part is cut into pieces, exactly and whatever the
/// elements are, and no GPU gets more than its home. The pieces are copied to their homes. Each home then consists of a
/// few sorted runs, and is sorted once more.
///
/// This way is for elements that are sorted by index, and for everything else for which buckets do not work: it takes
/// no more memory than a sort of each part to other memory does, and nothing can overflow.
final class PieceExchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final boolean[] isStaged;
    private final boolean isAnyStaged;
    private final PieceMember[] members;
    private final HomeCut[] homes;

    /// @param columns    of each GPU
    /// @param sizes      how many elements each GPU has
    /// @param isStaged   whether some GPU does not reach the memory of all others
    /// @param leastPiece the fewest elements that are gathered at once, while others are on their way
    /// @throws io.samplesort.errors.InsufficientDeviceMemoryException if a GPU has too little
    PieceExchange(ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes, boolean[] isStaged, long leastPiece) {
        this.team = team;
        this.sizes = sizes;
        this.isStaged = isStaged;
        boolean isAny = false;
        for (boolean each : isStaged) {
            isAny |= each;
        }
        isAnyStaged = isAny;
        members = new PieceMember[sizes.length];
        homes = new HomeCut[sizes.length];
        long[] firsts = firstPlaces();
        for (ExchangeMember member : team.members()) {
            int number = member.number();
            ExchangeColumns own = columns.get(number);
            team.on(
                    member,
                    each -> members[number] = each.gpu().sort().element().sortsIndexes()
                            ? new IndexedPieces(each, own, sizes[number], firsts[number], !isStaged[number], leastPiece)
                            : new MovedPieces(each, own, sizes[number]));
        }
    }

    private long[] firstPlaces() {
        long[] firsts = new long[sizes.length];
        for (int gpu = 1; gpu < sizes.length; gpu++) {
            firsts[gpu] = firsts[gpu - 1] + sizes[gpu - 1];
        }
        return firsts;
    }

    /// Sorts.
    ExchangeTotals run(ExchangeClock clock) {
        PartCuts cuts = clock.timed("sort_parts", this::sortAndCut);
        return clock.timed("exchange_pieces", () -> exchange(cuts));
    }

    private void onAll(Consumer<PieceMember> work) {
        team.onAll(member -> work.accept(members[member.number()]));
    }

    private void onHomes(boolean areStaged, Consumer<HomeCut> work) {
        team.onAll(member -> {
            if (isStaged[member.number()] == areStaged) {
                work.accept(homes[member.number()]);
            }
        });
    }

    private PartCuts sortAndCut() {
        long all = BorderSample.sum(sizes);
        onAll(member -> member.sortPart(isAnyStaged ? PartSample.count(member.count(), all) : 0));
        List<HomeCut.SortedKeys> parts =
                Arrays.stream(members).map(PieceMember::sortedKeys).toList();
        long[] firsts = firstPlaces();
        onAll(member -> {
            int number = member.number();
            Arrays.stream(members).forEach(member::waitForSort);
            homes[number] = member.home(firsts[number], parts);
        });
        onHomes(false, HomeCut::search);
        if (isAnyStaged) {
            onHomes(true, HomeCut::searchSamples);
            team.finish();
            onHomes(true, HomeCut::searchBetween);
        }
        team.finish();
        return new PartCuts(sizes, Arrays.stream(homes).map(HomeCut::found).toArray(long[][]::new));
    }

    private ExchangeTotals exchange(PartCuts cuts) {
        List<PieceMember> all = List.of(members);
        // All memory is allocated before the first element is sent.
        onAll(member -> member.reserve(cuts));
        team.finish();
        if (!members[0].isReceivedApart()) {
            team.beginWriting();
        }
        onAll(member -> member.send(all));
        team.beginWriting();
        onAll(member -> member.sortHome(all));
        team.finish();
        team.endWriting();
        long away = 0;
        long stored = 0;
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            away += cuts.away(gpu);
            stored += members[gpu].isStored() ? cuts.away(gpu) : 0;
        }
        List<Long> received = LongStream.of(sizes).boxed().toList();
        return new ExchangeTotals(
                (int) most(PieceMember::passes),
                Arrays.stream(members).mapToLong(PieceMember::bytesMoved).sum(),
                Arrays.stream(members).mapToLong(PieceMember::extraBytes).sum(),
                most(PieceMember::largestBucket),
                new SortReport.Exchange(stored, away - stored, received, received));
    }

    private long most(ToLongFunction<PieceMember> value) {
        return Arrays.stream(members).mapToLong(value).max().orElse(0);
    }
}
