package io.samplesort.gpu.exchange;

import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.gpu.exchange.ExchangePlan.Send;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// One sort of an array on several GPUs by classes of elements. The GPUs count their elements, send them piece by
/// piece, and sort what they have received.
///
/// The host waits for the GPUs four times: for the splitters, for the counts, until all memory is there, and for the
/// end. Until a GPU sorts into its home, only memory of the exchange is written.
final class ClassExchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final ExchangeClock clock;
    private final List<ClassMember> members = new ArrayList<>();

    /// @param columns    of each GPU
    /// @param sizes      how many elements each GPU has
    /// @param isStaged   whether a GPU cannot store to the memory of all others
    /// @param leastPiece elements that are sent at once at least
    ClassExchange(
            ExchangeTeam team,
            List<ExchangeColumns> columns,
            long[] sizes,
            boolean[] isStaged,
            long leastPiece,
            ExchangeClock clock) {
        this.team = team;
        this.sizes = sizes;
        this.clock = clock;
        for (ExchangeMember member : team.members()) {
            int number = member.number();
            team.on(
                    member,
                    each -> members.add(new ClassMember(
                            each, columns.get(number), sizes[number], !isStaged[number], leastPiece, each.pinned())));
        }
    }

    /// Sorts.
    ///
    /// @param sample tells the borders between GPUs; null where there are so few elements that one GPU sorts all
    ExchangeTotals run(SortedSample sample) {
        ExchangePlan plan = clock.timed("count_classes", () -> count(sample));
        return clock.timed("exchange_and_sort", () -> exchangeAndSort(plan));
    }

    private void onAll(BiConsumer<ClassMember, ExchangeMember> work) {
        team.onAll(member -> work.accept(members.get(member.number()), member));
    }

    private ExchangePlan count(SortedSample sample) {
        MemorySegment splitters = sample == null ? MemorySegment.NULL : sample.splitters();
        onAll((member, gpu) -> member.countClasses(splitters));
        team.finish();
        return new ExchangePlan(sizes, members.stream().map(ClassMember::counts).toArray(long[][]::new));
    }

    private ExchangeTotals exchangeAndSort(ExchangePlan plan) {
        // All memory is there before the first element is sent.
        onAll((member, gpu) -> member.reserve(plan));
        team.finish();
        onAll((member, gpu) -> member.send(members));
        team.beginWriting();
        onAll((member, gpu) -> member.sort(members));
        team.finish();
        team.endWriting();
        List<ReceivedElements> received =
                members.stream().map(ClassMember::received).toList();
        return new ExchangeTotals(
                (int) most(received, ReceivedElements::passes),
                sum(received, ReceivedElements::bytesMoved),
                sum(received, ReceivedElements::extraBytes) + stagedBytes(),
                most(received, ReceivedElements::largestBucket),
                exchanged(plan));
    }

    private long stagedBytes() {
        return members.stream().mapToLong(ClassMember::stagedBytes).sum();
    }

    private SortReport.Exchange exchanged(ExchangePlan plan) {
        long stored = 0;
        long copied = 0;
        for (Move move : plan.moves()) {
            copied += move.from() == move.to() ? 0 : move.places().count();
        }
        List<Long> received = new ArrayList<>();
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            long sent = 0;
            for (Send send : plan.sends(gpu)) {
                sent += send.to() == gpu ? 0 : send.places().count();
            }
            boolean isStaged = members.get(gpu).isStaged();
            stored += isStaged ? 0 : sent;
            copied += isStaged ? sent : 0;
            received.add(plan.received(gpu).count());
        }
        return new SortReport.Exchange(
                stored, copied, LongStream.of(sizes).boxed().toList(), received);
    }

    private static long most(List<ReceivedElements> received, ToLongFunction<ReceivedElements> value) {
        return received.stream().mapToLong(value).max().orElse(0);
    }

    private static long sum(List<ReceivedElements> received, ToLongFunction<ReceivedElements> value) {
        return received.stream().mapToLong(value).sum();
    }
}
