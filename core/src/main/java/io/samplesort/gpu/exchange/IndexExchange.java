package io.samplesort.gpu.exchange;

import io.samplesort.gpu.sort.DeviceColumns;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.IndexedColumns;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/// One sort by index of an array on several GPUs: the GPUs exchange and sort the sort keys alone, in buckets, and their
/// indexes count through the whole array. Each GPU then gathers the elements of its places, from its own memory and
/// over
/// the links from that of the others, beside its part, and copies them into it when all GPUs have done so. So a wide
/// element crosses a link once at most, and is read and written twice.
///
/// The elements stay as they are until the last one has been gathered. Indexes alone (`argsort`) need no gathering.
final class IndexExchange {
    private final ExchangeTeam team;
    private final long[] sizes;
    private final ExchangeClock clock;
    private final long[] begins;
    private final List<DeviceColumns> keys = new ArrayList<>();
    private final List<DeviceColumns> rooms = new ArrayList<>();

    /// @param sizes how many elements each GPU has
    IndexExchange(ExchangeTeam team, long[] sizes, ExchangeClock clock) {
        this.team = team;
        this.sizes = sizes;
        this.clock = clock;
        begins = new long[sizes.length];
        for (int gpu = 1; gpu < sizes.length; gpu++) {
            begins[gpu] = begins[gpu - 1] + sizes[gpu - 1];
        }
    }

    /// Returns whether this can sort these elements, as far as it can be told without looking at them.
    ///
    /// @param isAnyStaged whether a GPU cannot reach the memory of all others
    boolean isFor(boolean isAnyStaged) {
        return sort().sortsIndexes()
                && sort().tuning().exchangesSortKeys() == 1
                && LongStream.of(sizes).sum() <= IndexedColumns.MAX_COUNT
                && !(isAnyStaged && roomBytes() > 0);
    }

    private DeviceSort sort() {
        return team.members().getFirst().gpu().sort();
    }

    private ExchangeColumns columns() {
        return team.members().getFirst().columns();
    }

    /// Returns whether a column is gathered. Indexes are written, and elements that their sort keys hold are made from
    /// those.
    private boolean isGathered(int column) {
        return columns().hasKeys() && !(column == 0 && sort().element().restoresElements());
    }

    /// Returns how many bytes of room an element takes to be gathered.
    private int roomBytes() {
        int most = 0;
        for (int c = 0; c < columns().bytes().length; c++) {
            most = isGathered(c) ? Math.max(most, columns().bytes()[c]) : most;
        }
        return most;
    }

    /// Sorts. Returns null if that cannot be done in this way, as a GPU has too little memory for it, or the sample was
    /// unlucky; nothing has been changed then.
    ///
    /// @param pinned     of each GPU, memory for [BucketMember#pinnedBytes]
    /// @param leastGroup sort keys that are sorted at once at least
    ExchangeTotals run(List<MemorySegment> pinned, long leastGroup) {
        boolean[] haveRoom = new boolean[sizes.length];
        team.onAll(member ->
                haveRoom[member.number()] = member.gpu().sort().layouts().hasRoom(heldBytes(member.number()), 0));
        for (boolean hasRoom : haveRoom) {
            if (!hasRoom) {
                return null;
            }
        }
        ExchangeTotals totals = sortKeys(pinned, leastGroup);
        if (totals == null) {
            team.onAll(member -> {
                keys.get(member.number()).close();
                rooms.get(member.number()).close();
            });
            return null;
        }
        clock.timed("gather", this::gatherAll);
        long held = 0;
        for (int gpu = 0; gpu < sizes.length; gpu++) {
            held += heldBytes(gpu);
        }
        return new ExchangeTotals(
                totals.passes(),
                totals.bytesMoved(),
                totals.extraBytes() + held,
                totals.largestBucket(),
                totals.exchange());
    }

    private long heldBytes(int gpu) {
        return sizes[gpu] * (sort().element().keyBytes() + roomBytes());
    }

    private ExchangeTotals sortKeys(List<MemorySegment> pinned, long leastGroup) {
        List<ExchangeMember> members = new ArrayList<>();
        team.onAll(member -> {
            int number = member.number();
            keys.add(member.allocateColumns(new int[] {sort().element().keyBytes()}, sizes[number]));
            rooms.add(member.allocateColumns(new int[] {roomBytes()}, sizes[number]));
            long address = keys.getLast().address(0, 0);
            ExchangeColumns columns = member.columns();
            member.gpu()
                    .sort()
                    .kernels()
                    .indexed()
                    .makeSortKeys(
                            member.gpu().stream(),
                            columns.sources()[0],
                            columns.bytes()[0],
                            begins[number],
                            address,
                            sizes[number]);
            members.add(member.ofSortKeys(address, heldBytes(number)));
        });
        DeviceSort keySort = members.getFirst().gpu().sort();
        BorderSample drawn = BorderSample.of(sizes, keySort.columnBytes()[0]);
        SharedBuckets buckets = SharedBuckets.of(drawn, keySort.tuning());
        if (buckets == null) {
            return null;
        }
        try (ExchangeTeam keyTeam = new ExchangeTeam(members, null)) {
            SortedSample sample = clock.timed("sample", () -> new SortedSample(keyTeam, drawn));
            List<ExchangeColumns> columns =
                    members.stream().map(ExchangeMember::columns).toList();
            return new BucketExchange(keyTeam, columns, sizes, sample, buckets, pinned, clock).run(leastGroup);
        }
    }

    private void gatherAll() {
        for (int c = 0; c < columns().bytes().length; c++) {
            if (isGathered(c)) {
                gather(c);
            }
        }
        team.beginWriting();
        if (!columns().hasKeys()) {
            team.onAll(member -> member.gpu()
                    .sort()
                    .kernels()
                    .indexed()
                    .writePermutation(
                            member.gpu().stream(),
                            key(member),
                            member.columns().results()[1],
                            sizes[member.number()],
                            member.columns().bytes()[1]));
        } else if (!isGathered(0)) {
            team.onAll(member -> member.gpu()
                    .sort()
                    .kernels()
                    .indexed()
                    .restoreElements(
                            member.gpu().stream(),
                            key(member),
                            member.columns().results()[0],
                            member.columns().bytes()[0],
                            sizes[member.number()]));
        }
        team.finish();
        team.endWriting();
    }

    private long key(ExchangeMember member) {
        return keys.get(member.number()).address(0, 0);
    }

    /// Gathers one column. No GPU overwrites its part before all have read what they take of it.
    private void gather(int column) {
        long[] parts = team.members().stream()
                .mapToLong(member -> member.columns().sources()[column])
                .toArray();
        int bytes = columns().bytes()[column];
        team.onAll(member -> member.gpu()
                .sort()
                .kernels()
                .indexed()
                .gatherParts(
                        member.gpu().stream(),
                        key(member),
                        parts,
                        begins,
                        member.number(),
                        rooms.get(member.number()).address(0, 0),
                        sizes[member.number()],
                        bytes));
        team.finish();
        team.beginWriting();
        team.onAll(member -> {
            int number = member.number();
            if (sizes[number] > 0) {
                member.gpu().stream()
                        .copyOnDevice(
                                member.columns().results()[column],
                                rooms.get(number).address(0, 0),
                                sizes[number] * bytes);
            }
        });
    }
}
