package io.samplesort.gpu.exchange;

import io.samplesort.gpu.exchange.ExchangePlan.Move;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/// One sort of an array on several GPUs by classes of elements, step by step. In each step all GPUs work side by side,
/// and this waits for all of them before the next one. So no GPU reads what another one is still writing, and whatever
/// fails before the last element has been sent shows before anything is overwritten.
final class Exchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final boolean[] isStaged;
    private final ExchangeClock clock;

    /// @param sizes    how many elements each GPU has
    /// @param isStaged whether the elements of a GPU lie in its own memory on their way, as it cannot store to that of
    ///     all others
    Exchange(ExchangeTeam team, long[] sizes, boolean[] isStaged, ExchangeClock clock) {
        this.team = team;
        this.sizes = sizes;
        this.isStaged = isStaged;
        this.clock = clock;
    }

    /// Sorts.
    ///
    /// @param sample tells the borders between GPUs; null where there are so few elements that one GPU sorts all
    ExchangeTotals run(SortedSample sample) {
        ExchangePlan plan = clock.timed("count_classes", () -> count(sample));
        clock.timed(isAnyStaged() ? "send_elements_staged" : "send_elements", () -> send(plan));
        team.beginWriting();
        clock.timed("sort", () -> {
            team.onAll(member -> member.received().sortRanges());
            team.finish();
        });
        clock.timed("move_borders", () -> move(plan));
        team.endWriting();
        List<ReceivedElements> received =
                team.members().stream().map(ExchangeMember::received).toList();
        return new ExchangeTotals(
                (int) most(received, ReceivedElements::passes),
                sum(received, ReceivedElements::bytesMoved),
                sum(received, ReceivedElements::extraBytes),
                most(received, ReceivedElements::largestBucket),
                exchanged(plan));
    }

    private boolean isAnyStaged() {
        for (boolean staged : isStaged) {
            if (staged) {
                return true;
            }
        }
        return false;
    }

    private ExchangePlan count(SortedSample sample) {
        MemorySegment splitters = sample == null ? MemorySegment.NULL : BorderSplitters.choose(sample);
        team.onAll(member -> member.countClasses(splitters));
        team.finish();
        return new ExchangePlan(
                sizes, team.members().stream().map(ExchangeMember::classCounts).toArray(long[][]::new));
    }

    /// All memory is taken before the first element is sent.
    private void send(ExchangePlan plan) {
        team.onAll(member -> member.reserve(plan, isStaged[member.number()]));
        team.finish();
        team.onAll(member -> member.send(plan, team.members()));
        team.finish();
    }

    private void move(ExchangePlan plan) {
        for (Move move : plan.moves()) {
            ReceivedElements to = team.members().get(move.to()).received();
            team.on(team.members().get(move.from()), from -> from.received().move(move, to));
        }
        team.finish();
    }

    private SortReport.Exchange exchanged(ExchangePlan plan) {
        long stored = 0;
        long copied = plan.moves().stream().mapToLong(Exchange::crossing).sum();
        List<Long> received = new ArrayList<>();
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            long sent = plan.sends(gpu).stream().mapToLong(Exchange::crossing).sum();
            stored += isStaged[gpu] ? 0 : sent;
            copied += isStaged[gpu] ? sent : 0;
            received.add(plan.received(gpu).count());
        }
        return new SortReport.Exchange(
                stored, copied, LongStream.of(sizes).boxed().toList(), received);
    }

    private static long crossing(Move move) {
        return move.from() == move.to() ? 0 : move.places().count();
    }

    private static long most(List<ReceivedElements> received, ToLongFunction<ReceivedElements> value) {
        return received.stream().mapToLong(value).max().orElse(0);
    }

    private static long sum(List<ReceivedElements> received, ToLongFunction<ReceivedElements> value) {
        return received.stream().mapToLong(value).sum();
    }
}
