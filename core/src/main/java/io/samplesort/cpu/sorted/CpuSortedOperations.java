package io.samplesort.cpu.sorted;

import io.samplesort.cpu.leaf.SortedKernels;
import io.samplesort.cpu.numbers.CpuSorter;
import io.samplesort.cpu.threads.Crew;
import io.samplesort.cpu.threads.Parallel;
import io.samplesort.memory.SetOperation;
import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Works on sorted keys on the CPU. Elements lie in columns, of which the first has the keys. Inputs are only read, and
/// must not overlap targets. Two threads must not use this at once.
///
/// Where the caller does not know how many results there will be, no more are written than there is room for, and the
/// method returns how many there are. If that is more, targets hold anything.
public final class CpuSortedOperations {
    /// Stands for the place of no key.
    public static final long NONE = -1;

    /// Waking another thread takes as long as working on fewer elements.
    private static final int LEAST_SHARED = 1 << 16;

    /// A tile and all that is kept for it fit in the second-level cache.
    private static final int TILE_BYTES = 1 << 18;

    private static final int LARGEST_TILE = 1 << 13;
    private static final int SMALLEST_TILE = 1 << 6;

    /// A merge of many inputs has tiles with about this many elements of each, as long as they take no more bytes than
    /// the next.
    private static final int TILE_OF_INPUT = 64;

    private static final int MOST_TILE_BYTES = 1 << 26;

    /// A thread takes this many queries at a time.
    private static final int QUERIES = 1 << 12;

    /// Elements of a tile on which kernels work: more than plain Java gets, since they are much faster, so that looking
    /// for cuts would take longer than the work.
    private static final int KERNEL_TILE = 1 << 15;

    /// The same for sets, whose cuts take longer to find; fewer where each thread would not get some tiles.
    private static final int KERNEL_SET_TILE = 1 << 17;

    private static final int SET_TILES = 4;

    /// A merge of two inputs by kernels needs no tile that fits in the cache.
    private static final int KERNEL_PAIR = 1 << 20;

    /// A merge of more than two inputs by kernels keeps two copies of its tile in the cache.
    private static final int KERNEL_BUFFER_BYTES = 1 << 17;

    private final ElementType key;
    private final Order givenOrder;
    /// A sort takes no longer than a merge of more inputs, whose rounds grow with the logarithm of their number.
    private static final int MOST_MERGED = 64;

    private final KeyOrder order;
    private final int parallelism;

    /// @param parallelism how many threads work on an operation; 1 for the calling thread alone
    /// @throws IllegalArgumentException if elements of that type cannot be compared by `order`
    public CpuSortedOperations(ElementType key, Order order, int parallelism) {
        this.key = key;
        this.givenOrder = order;
        this.order = new KeyOrder(key, order);
        this.parallelism = parallelism;
    }

    private long count(MemorySegment keys) {
        return keys.byteSize() / order.bytes();
    }

    private Input input(List<MemorySegment> columns) {
        return new Input(columns, count(columns.getFirst()));
    }

    /// Returns how many threads work on this many elements of these columns.
    private int threads(long count, List<List<MemorySegment>> columns) {
        boolean isShared = columns.stream().flatMap(List::stream).allMatch(Parallel::isShared);
        return isShared && count > LEAST_SHARED ? parallelism : 1;
    }

    private SortReport report(int threads, long count, long bytesMoved, long start) {
        return new SortReportBuilder(CpuSorter.deviceName(threads))
                .elementCount(count)
                .bytesMoved(bytesMoved)
                .total(Duration.ofNanos(System.nanoTime() - start))
                .build();
    }

    /// Returns the kernels for operations on keys, of this many elements in all; null if there are none for these.
    ///
    /// @param lists columns of keys
    private SortedKernels kernels(long count, List<List<MemorySegment>> lists) {
        boolean isAligned =
                lists.stream().flatMap(List::stream).allMatch(keys -> Numbers.isAligned(keys, order.bytes()));
        return isAligned ? NumberKernels.of(key, givenOrder, count * order.bytes()) : null;
    }

    /// Returns the kernels for runs of equal keys; null if there are none for these.
    ///
    /// @param lists       columns, of which the first has the keys
    /// @param columnBytes bytes of a value in each column
    private SortedKernels runKernels(List<List<MemorySegment>> lists, int[] columnBytes) {
        for (List<MemorySegment> columns : lists) {
            for (int column = 0; column < columnBytes.length; column++) {
                int bytes = columnBytes[column];
                if (bytes > Long.BYTES
                        || Integer.bitCount(bytes) > 1
                        || !Numbers.isAligned(columns.get(column), bytes)) {
                    return null;
                }
            }
        }
        return NumberKernels.ofRuns(key, givenOrder, lists.getFirst().getFirst().byteSize());
    }

    /// Returns how many elements a tile has, of as many as there are.
    private static int tileSize(int widest, long count) {
        int size = Math.clamp(TILE_BYTES / (widest + Tile.ELEMENT_BYTES), SMALLEST_TILE, LARGEST_TILE);
        return Math.clamp(count, 1, size);
    }

    private static int widest(int[] columnBytes) {
        int widest = 1;
        for (int bytes : columnBytes) {
            widest = Math.max(widest, bytes);
        }
        return widest;
    }

    /// Merges sorted inputs stably: of equal elements, those of earlier inputs come first.
    ///
    /// @param inputs      the columns of each input
    /// @param columnBytes bytes of a value in each column
    /// @param targets     room for all elements in each column
    public SortReport merge(List<List<MemorySegment>> inputs, int[] columnBytes, List<MemorySegment> targets) {
        long start = System.nanoTime();
        List<Input> filled = inputs.stream()
                .map(this::input)
                .filter(input -> input.count() > 0)
                .toList();
        long count = filled.stream().mapToLong(Input::count).sum();
        List<List<MemorySegment>> all = new ArrayList<>(inputs);
        all.add(targets);
        int threads = threads(count, all);
        if (filled.size() == 1) {
            WholeInputs.copy(filled.getFirst(), targets, threads);
        } else if (filled.size() > MOST_MERGED && order.isOfNumbers() && targets.size() == 1) {
            WholeInputs.sort(filled, order, targets.getFirst(), threads);
        } else if (count > 0) {
            merge(filled, count, columnBytes, targets, threads, columnBytes.length > 1 ? null : kernels(count, all));
        }
        long bytes = 0;
        for (int column : columnBytes) {
            bytes += 2 * count * column;
        }
        return report(threads, count, bytes, start);
    }

    private void merge(
            List<Input> filled,
            long count,
            int[] columnBytes,
            List<MemorySegment> targets,
            int threads,
            SortedKernels kernels) {
        int widest = widest(columnBytes);
        if (kernels != null) {
            int most = filled.size() == 2
                    ? KERNEL_PAIR
                    : Math.max(
                            KERNEL_BUFFER_BYTES / widest,
                            TILE_OF_INPUT * Math.min(filled.size(), MOST_TILE_BYTES / TILE_OF_INPUT / widest));
            int tile = Math.clamp(count, 1, most);
            new Merge(order, filled, tile, threads)
                    .run(() -> NumberKernels.merger(kernels, filled, tile, widest, targets.getFirst()));
        } else {
            int wanted = Math.min(
                    filled.size() > MOST_TILE_BYTES / TILE_OF_INPUT ? MOST_TILE_BYTES : filled.size() * TILE_OF_INPUT,
                    MOST_TILE_BYTES / widest);
            int tile = (int) Math.min(count, Math.max(tileSize(widest, count), wanted));
            new Merge(order, filled, tile, threads)
                    .run(() -> Merge.merger(filled, new Tile(order, tile, widest), columnBytes, targets));
        }
    }

    /// Writes the first element of each run of equal keys.
    ///
    /// @param columnBytes bytes of a value in each column
    /// @param room        how many elements each target has room for
    /// @return how many runs there are
    public long unique(List<MemorySegment> columns, int[] columnBytes, List<MemorySegment> targets, long room) {
        SortedKernels kernels = runKernels(List.of(columns, targets), columnBytes);
        return runs(columns, widest(columnBytes), targets, room, kernels, new Runs() {
            @Override
            public void first() {
                for (int column = 0; column < columnBytes.length; column++) {
                    MemorySegment.copy(columns.get(column), 0, targets.get(column), 0, columnBytes[column]);
                }
            }

            @Override
            public void write(RunWork.Finder found, long from, int count, long place, long before) {
                found.write(count, columnBytes, targets, place + 1);
            }

            @Override
            public void last(long runs, long begin, long end) {}
        });
    }

    /// Writes the first key of each run of equal keys, and how many keys the run has.
    ///
    /// @param room       how many keys and counts there is room for
    /// @param countBytes bytes of a count, 4 or 8
    /// @return how many runs there are
    public long counts(MemorySegment keys, MemorySegment target, MemorySegment counts, int countBytes, long room) {
        Numbers numbers = new Numbers(counts, countBytes);
        int[] columnBytes = {order.bytes()};
        List<MemorySegment> targets = List.of(target);
        SortedKernels kernels = numbers.isAligned() ? runKernels(List.of(List.of(keys), targets), columnBytes) : null;
        return runs(List.of(keys), order.bytes(), List.of(target, counts), room, kernels, new Runs() {
            @Override
            public void first() {
                MemorySegment.copy(keys, 0, target, 0, order.bytes());
            }

            @Override
            public void write(RunWork.Finder found, long from, int count, long place, long before) {
                found.write(count, columnBytes, targets, place + 1);
                numbers.setLengths(kernels, found.places(), count, before - from, place);
            }

            @Override
            public void last(long runs, long begin, long end) {
                numbers.set(runs - 1, end - begin);
            }
        });
    }

    /// Writes where each run of equal keys begins, and at last the number of keys.
    ///
    /// @param room        how many offsets there is room for
    /// @param offsetBytes bytes of an offset, 4 or 8
    /// @return how many runs there are
    public long groups(MemorySegment keys, MemorySegment offsets, int offsetBytes, long room) {
        Numbers numbers = new Numbers(offsets, offsetBytes);
        if (count(keys) == 0) {
            if (room > 0) {
                numbers.set(0, 0);
            }
            return 0;
        }
        SortedKernels kernels =
                numbers.isAligned() ? runKernels(List.of(List.of(keys)), new int[] {order.bytes()}) : null;
        return runs(List.of(keys), order.bytes(), List.of(offsets), room - 1, kernels, new Runs() {
            @Override
            public void first() {
                numbers.set(0, 0);
            }

            @Override
            public void write(RunWork.Finder found, long from, int count, long place, long before) {
                numbers.setOffsets(kernels, found.places(), count, from, place + 1);
            }

            @Override
            public void last(long runs, long begin, long end) {
                numbers.set(runs, end);
            }
        });
    }

    /// Takes runs of equal keys. The first run begins with the first key, which no tile finds.
    private interface Runs extends RunWork.Heads {
        /// Writes the first run.
        void first();

        /// Ends the last run.
        void last(long runs, long begin, long end);
    }

    /// @param kernels null if there are none for these keys
    private long runs(
            List<MemorySegment> columns,
            int widest,
            List<MemorySegment> targets,
            long room,
            SortedKernels kernels,
            Runs runs) {
        Input input = input(columns);
        if (input.count() == 0) {
            return 0;
        }
        int size = kernels == null ? tileSize(widest, input.count()) : Math.clamp(input.count(), 1, KERNEL_TILE);
        Supplier<RunWork.Finder> finders = () -> kernels == null
                ? new Tile(order, size + 1, widest)
                : NumberKernels.finder(kernels, size + 1, order.bytes());
        try (Crew crew = new Parallel(threads(input.count(), List.of(columns, targets))).crew()) {
            TileChain chain = new TileChain(crew, Math.ceilDiv(input.count() - 1, size), input.count() - 1, room - 1);
            long found = 1 + chain.run(() -> new RunWork(input, finders.get(), size, runs));
            if (found <= room) {
                runs.first();
                runs.last(found, chain.mark(), input.count());
            }
            return found;
        }
    }

    /// Writes the bound of each query: the number of keys that come before it, or with `isUpper` of those that do not
    /// come after it.
    ///
    /// @param boundBytes bytes of a bound, 4 or 8
    public SortReport bounds(
            MemorySegment keys, MemorySegment queries, MemorySegment bounds, int boundBytes, boolean isUpper) {
        long start = System.nanoTime();
        long count = count(queries);
        int threads = threads(count, List.of(List.of(keys, queries, bounds)));
        Numbers numbers = new Numbers(bounds, boundBytes);
        SortedKernels kernels =
                numbers.isAligned() ? kernels(count(keys) + count, List.of(List.of(keys, queries))) : null;
        BoundSearch search = new BoundSearch(order, keys, count(keys), queries, numbers, isUpper);
        if (kernels != null) {
            NumberKernels.bounds(kernels, keys, queries, order.bytes(), numbers, isUpper, threads);
        } else {
            Workers.each(threads, Math.ceilDiv(count, QUERIES), () -> block -> {
                long from = block * QUERIES;
                search.search(from, Math.min(from + QUERIES, count));
            });
        }
        return report(threads, count, queries.byteSize() + count * boundBytes, start);
    }

    /// Writes what a set operation leaves of two inputs. [SetOperation] says which elements these are.
    ///
    /// @param second      its payloads are needed only for unions
    /// @param columnBytes bytes of a value in each column
    /// @param room        how many elements each target has room for
    /// @return how many elements there are
    public long combine(
            SetOperation operation,
            List<MemorySegment> first,
            List<MemorySegment> second,
            int[] columnBytes,
            List<MemorySegment> targets,
            long room) {
        Input one = input(first);
        Input other = input(second);
        long count = one.count() + other.count();
        int widest = widest(columnBytes);
        SortedKernels kernels = columnBytes.length > 1 ? null : kernels(count, List.of(first, second, targets));
        int threads = threads(count, List.of(first, second, targets));
        int largest = Math.clamp(count / threads / SET_TILES, KERNEL_TILE, KERNEL_SET_TILE);
        int size = kernels == null ? tileSize(widest, count) : Math.clamp(count, 1, largest);
        Supplier<SetWork.Combiner> combiners = () -> kernels == null
                ? new Tile(order, size + 1, widest).combiner(operation)
                : NumberKernels.combiner(kernels, operation, size + 1, widest);
        Supplier<TileWork> works = () ->
                new SetWork(one, other, new SetCuts(order, one, other), combiners.get(), size, columnBytes, targets);
        try (Crew crew = new Parallel(threads).crew()) {
            long most = operation.most(one.count(), other.count());
            return new TileChain(crew, Math.ceilDiv(count, size), most, room).run(works);
        }
    }

    /// Returns the index of the first key that comes before the one before it; [#NONE] if there is none.
    public long firstOutOfOrder(MemorySegment keys) {
        Input input = input(List.of(keys));
        SortedKernels kernels = kernels(input.count(), List.of(List.of(keys)));
        int size = kernels == null ? tileSize(order.bytes(), input.count()) : KERNEL_TILE;
        AtomicLong first = new AtomicLong(Long.MAX_VALUE);
        long tiles = Math.ceilDiv(Math.max(0, input.count() - 1), size);
        Workers.each(threads(input.count(), List.of(List.of(keys))), tiles, () -> {
            Tile tile = kernels == null ? new Tile(order, size + 1, order.bytes()) : null;
            return number -> {
                long from = number * size;
                if (from < first.get()) {
                    int count = (int) Math.min(size + 1L, input.count() - from);
                    long place = tile != null
                            ? tile.outOfOrder(input, from, count)
                            : kernels.outOfOrder(keys.asSlice(from * order.bytes(), (long) count * order.bytes()));
                    if (place > 0) {
                        first.accumulateAndGet(from + place, Math::min);
                    }
                }
            };
        });
        return first.get() == Long.MAX_VALUE ? NONE : first.get();
    }
}
