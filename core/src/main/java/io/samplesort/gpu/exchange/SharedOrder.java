package io.samplesort.gpu.exchange;

import io.samplesort.cuda.Event;
import io.samplesort.cuda.Stream;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.gpu.code.KernelStructs;
import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.HostWait;
import io.samplesort.gpu.sort.PhaseTimer;
import io.samplesort.gpu.sort.SortStrategy;
import io.samplesort.types.SortReport;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// The search for order that an array on several GPUs already has. Each GPU looks at its own part, and stops at once if
/// a few keys are in no order; if all parts are in one order, the first GPU looks at the ends of all parts. An array in
/// order stays as it is. If it is in the opposite order, each GPU copies what belongs to it and reverses that.
///
/// The GPUs can be given other work after [#look]; the host need not wait for that work to know what they have found.
final class SharedOrder {
    private static final int NONE = 0;
    private static final int IN_ORDER = 1;

    private final ExchangeTeam team;
    private final List<ExchangeColumns> columns;
    private final long[] sizes;
    private final List<ExchangeMember> filled;
    private final long[] homes;
    private final Event[] found;
    /// For each GPU whether its part is known to be in no order.
    private final boolean[] areInNoOrder;

    private long copied;

    SharedOrder(ExchangeTeam team, List<ExchangeColumns> columns, long[] sizes) {
        this.team = team;
        this.columns = columns;
        this.sizes = sizes;
        filled = team.members().stream()
                .filter(member -> sizes[member.number()] > 0)
                .toList();
        found = new Event[sizes.length];
        areInNoOrder = new boolean[sizes.length];
        homes = new long[sizes.length + 1];
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            homes[gpu + 1] = homes[gpu] + sizes[gpu];
        }
    }

    /// Makes each GPU look at its part.
    void look() {
        team.onAll(this::look);
    }

    /// Makes one GPU look at its part.
    void look(ExchangeMember member) {
        int number = member.number();
        if (sizes[number] > 0) {
            look(member, columns.get(number).sources(), sizes[number], NONE);
            found[number] = member.mark(member.gpu().stream());
        }
    }

    /// Waits for what a GPU finds in its part. If the part is in no order, the array is in none either.
    boolean isInNoOrder(ExchangeMember member) {
        int number = member.number();
        if (sizes[number] <= 1) {
            return false;
        }
        found[number].synchronize();
        areInNoOrder[number] = found(member) == NONE;
        return areInNoOrder[number];
    }

    /// Sorts an array that is in order, or in the opposite order, once the GPUs have looked at it. Returns null if it
    /// is in neither, or there is too little memory to reverse it; in that case nothing has been changed.
    ExchangeTotals run() {
        int order = ofAllParts();
        if (order == NONE || filled.size() > 1 && !isInOrderBetweenParts(order)) {
            return null;
        }
        long extraBytes = 0;
        if (order == IN_ORDER) {
            team.endWriting();
        } else {
            extraBytes = turnRound();
            if (extraBytes < 0) {
                return null;
            }
        }
        List<Long> received = LongStream.of(sizes).boxed().toList();
        return new ExchangeTotals(0, 0, extraBytes, 0, new SortReport.Exchange(0, copied, received, received));
    }

    /// Returns the order that all parts are in.
    private int ofAllParts() {
        for (boolean isInNoOrder : areInNoOrder) {
            if (isInNoOrder) {
                // That GPU may be at other work by now.
                return NONE;
            }
        }
        for (ExchangeMember member : filled) {
            team.on(member, each -> found[each.number()].synchronize());
        }
        // A single element is in either order.
        List<ExchangeMember> telling =
                filled.stream().filter(member -> sizes[member.number()] > 1).toList();
        int order = telling.isEmpty() ? IN_ORDER : found(telling.getFirst());
        for (ExchangeMember member : telling) {
            order = found(member) == order ? order : NONE;
        }
        return order;
    }

    private static void look(ExchangeMember member, long[] elements, long count, int asked) {
        Stream stream = member.gpu().stream();
        long search = member.orderSearch();
        stream.fill(search, (byte) 0, KernelStructs.ORDER_SEARCH_BYTES);
        member.gpu()
                .sort()
                .kernels()
                .checkOrder(stream, member.gpu().sort().asInput(elements[0], 0), count, asked, search);
        stream.copyToHost(member.gpu().readBack(), search, Integer.BYTES);
    }

    private static int found(ExchangeMember member) {
        return member.gpu().readBack().get(ValueLayout.JAVA_INT, 0);
    }

    /// Returns whether the first and the last elements of all parts are in this order, as they are if the whole array
    /// is.
    private boolean isInOrderBetweenParts(int order) {
        ExchangeMember leader = filled.getFirst();
        int keyBytes = columns.getFirst().bytes()[0];
        team.on(leader, member -> {
            DeviceColumns ends = member.allocateColumns(new int[] {keyBytes}, 2L * filled.size());
            for (int i = 0; i < filled.size(); i++) {
                ExchangeMember from = filled.get(i);
                long first = columns.get(from.number()).sources()[0];
                long last = first + (sizes[from.number()] - 1) * keyBytes;
                Stream stream = member.gpu().stream();
                from.gpu().copyTo(stream, member.gpu(), ends.address(0, 2L * i), first, keyBytes);
                from.gpu().copyTo(stream, member.gpu(), ends.address(0, 2L * i + 1), last, keyBytes);
            }
            look(member, ends.from(0), 2L * filled.size(), order);
        });
        team.finish();
        return found(leader) == order;
    }

    /// Returns the memory that this takes; -1 if it is too little.
    private long turnRound() {
        List<SortStrategy> strategies = new ArrayList<>();
        long bytes = 0;
        try {
            for (ExchangeMember member : filled) {
                long count = sizes[member.number()];
                long held = count * columns.get(member.number()).rowBytes();
                team.on(
                        member,
                        each -> strategies.add(each.gpu()
                                .sort()
                                .strategies()
                                .choose("sorting %d elements on " + each.gpu().name(), count, held)));
                bytes += held + strategies.getLast().byteSize();
            }
        } catch (InsufficientDeviceMemoryException e) {
            return -1;
        }
        List<DeviceColumns> taken = new ArrayList<>();
        List<Event> marks = new ArrayList<>();
        for (ExchangeMember member : filled) {
            team.on(member, each -> {
                taken.add(each.allocateColumns(columns.get(each.number()).bytes(), sizes[each.number()]));
                take(each, taken.getLast());
                marks.add(each.mark(each.gpu().stream()));
            });
        }
        team.beginWriting();
        for (int i = 0; i < filled.size(); i++) {
            int index = i;
            team.on(filled.get(i), member -> {
                // No GPU's elements are overwritten before all others have copied what they take of them.
                marks.forEach(member.gpu().stream()::waitFor);
                // The elements are still in the opposite order, which this sort finds.
                member.gpu()
                        .sort()
                        .enqueueCopy(
                                member.gpu().stream(),
                                strategies.get(index),
                                taken.get(index).from(0),
                                columns.get(member.number()).results(),
                                PhaseTimer.none(),
                                HostWait.none());
            });
        }
        team.finish();
        team.endWriting();
        return bytes;
    }

    /// Copies what belongs to a GPU, in the order that it has now.
    private void take(ExchangeMember member, DeviceColumns to) {
        long count = homes[sizes.length];
        Range places = new Range(count - homes[member.number() + 1], count - homes[member.number()]);
        for (ExchangeMember from : filled) {
            Range part = places.within(homes[from.number()], homes[from.number() + 1]);
            if (part.count() > 0) {
                copied += from == member ? 0 : part.count();
                ExchangeColumns source = columns.get(from.number());
                for (int c = 0; c < source.bytes().length; c++) {
                    long skipped = (part.begin() - homes[from.number()]) * source.bytes()[c];
                    from.gpu()
                            .copyTo(
                                    member.gpu().stream(),
                                    member.gpu(),
                                    to.address(c, part.begin() - places.begin()),
                                    source.sources()[c] + skipped,
                                    part.count() * source.bytes()[c]);
                }
            }
        }
    }
}
