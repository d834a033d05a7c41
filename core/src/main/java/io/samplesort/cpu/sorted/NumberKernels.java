package io.samplesort.cpu.sorted;

import io.samplesort.cpu.leaf.SortedKernels;
import io.samplesort.memory.SetOperation;
import io.samplesort.types.ElementType;
import io.samplesort.types.NaturalOrder;
import io.samplesort.types.Order;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Works on tiles of numbers by kernels, which read them where they lie.
final class NumberKernels {
    /// A thread takes at most this many queries at a time, and at least the next, if they are in no order.
    private static final int MOST_QUERIES = 1 << 20;

    private static final int FEWEST_QUERIES = 1 << 16;

    /// The first queries of a thread show whether they are in order.
    private static final int PROBE = 1 << 10;

    /// Fewer bytes of keys stay in the cache in any case.
    private static final int CACHE_BYTES = 1 << 19;

    private NumberKernels() {}

    /// Returns the kernels for keys of 4 or 8 bytes in this order; null if there are none for them, or too few bytes.
    static SortedKernels of(ElementType key, Order order, long bytes) {
        if (!(order instanceof NaturalOrder natural) || key.byteSize() < Integer.BYTES) {
            return null;
        }
        boolean isLong = key.byteSize() == Long.BYTES;
        boolean isFloating = key.equals(ElementType.FLOAT) || key.equals(ElementType.DOUBLE);
        SortedKernels.Kind kind = isFloating
                ? isLong ? SortedKernels.Kind.DOUBLE : SortedKernels.Kind.FLOAT
                : isLong ? SortedKernels.Kind.LONG : SortedKernels.Kind.INT;
        long sign = natural.isUnsigned() ? isLong ? Long.MIN_VALUE : Integer.MIN_VALUE : 0;
        return SortedKernels.of(kind, sign ^ (natural.isReversed() ? -1 : 0), bytes);
    }

    /// Returns the same for runs of equal keys, of which there are also some for numbers of 1 or 2 bytes.
    static SortedKernels ofRuns(ElementType key, Order order, long bytes) {
        if (!(order instanceof NaturalOrder) || key.byteSize() >= Integer.BYTES) {
            return of(key, order, bytes);
        }
        boolean isByte = key.byteSize() == Byte.BYTES;
        return SortedKernels.of(isByte ? SortedKernels.Kind.BYTE : SortedKernels.Kind.SHORT, 0, bytes);
    }

    private static MemorySegment part(MemorySegment column, long from, long count, int bytes) {
        return column.asSlice(from * bytes, count * bytes);
    }

    /// Returns what merges tiles of numbers, in rounds of two inputs each, of which the last one writes to the target.
    ///
    /// @param tile how many keys a tile has at most
    static Merge.Merger merger(SortedKernels kernels, List<Input> inputs, int tile, int bytes, MemorySegment target) {
        // Two inputs are merged at once.
        MemorySegment[] buffers = new MemorySegment[inputs.size() > 2 ? 2 : 0];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = MemorySegment.ofArray(new long[(int) Math.ceilDiv((long) tile * bytes, Long.BYTES)]);
        }
        MemorySegment[] runs = new MemorySegment[inputs.size()];
        return (begins, ends, place) -> {
            int count = 0;
            for (int i = 0; i < runs.length; i++) {
                if (begins[i] < ends[i]) {
                    runs[count++] = part(inputs.get(i).keys(), begins[i], ends[i] - begins[i], bytes);
                }
            }
            int round = 0;
            do {
                boolean isLast = count <= 2;
                MemorySegment to = isLast ? target : buffers[round++ % 2];
                long at = isLast ? place * bytes : 0;
                int merged = 0;
                for (int run = 0; run < count; run += 2) {
                    MemorySegment second = run + 1 < count ? runs[run + 1] : runs[run].asSlice(0, 0);
                    long size = runs[run].byteSize() + second.byteSize();
                    MemorySegment whole = to.asSlice(at, size);
                    if (second.byteSize() == 0) {
                        whole.copyFrom(runs[run]);
                    } else {
                        kernels.merge(runs[run], second, whole);
                    }
                    runs[merged++] = whole;
                    at += size;
                }
                count = isLast ? 0 : merged;
            } while (count > 0);
        };
    }

    /// Returns what finds the runs of tiles of numbers.
    ///
    /// @param size how many elements a tile has at most
    static RunWork.Finder finder(SortedKernels kernels, int size, int keyBytes) {
        int[] places = new int[size];
        return new RunWork.Finder() {
            private Input input;
            private long from;
            private int count;

            @Override
            public int find(Input given, long first, int some) {
                input = given;
                from = first;
                count = some;
                return kernels.heads(part(given.keys(), first, some, keyBytes), places);
            }

            @Override
            public int[] places() {
                return places;
            }

            @Override
            public void write(int found, int[] columnBytes, List<MemorySegment> targets, long place) {
                for (int column = 0; column < targets.size(); column++) {
                    int width = columnBytes[column];
                    SortedKernels.gather(
                            width,
                            part(input.columns().get(column), from, count, width),
                            places,
                            found,
                            part(targets.get(column), place, found, width));
                }
            }
        };
    }

    /// Returns what combines tiles of numbers as sets. The results lie in a buffer until their place is known.
    ///
    /// @param size how many elements of both inputs a tile has at most
    static SetWork.Combiner combiner(SortedKernels kernels, SetOperation operation, int size, int bytes) {
        MemorySegment buffer = MemorySegment.ofArray(new long[(int) Math.ceilDiv((long) size * bytes, Long.BYTES)]);
        long[] parts = new long[2 * SortedKernels.PARTS];
        return new SetWork.Combiner() {
            @Override
            public int combine(Input first, Input second, long[] begins, int firsts, int seconds) {
                return kernels.combine(
                        operation.ordinal(),
                        part(first.keys(), begins[0], firsts, bytes),
                        part(second.keys(), begins[1], seconds, bytes),
                        buffer,
                        parts);
            }

            @Override
            public void write(int count, int[] columnBytes, List<MemorySegment> targets, long place) {
                long at = place;
                for (int i = 0; i < parts.length; i += 2) {
                    long some = Math.min(parts[i + 1], place + count - at);
                    MemorySegment.copy(buffer, parts[i] * bytes, targets.getFirst(), at * bytes, some * bytes);
                    at += some;
                }
            }
        };
    }

    /// Writes the bounds of queries. Many queries in no order among many keys are looked for part by part of the keys.
    ///
    /// @param bytes bytes of a key
    static void bounds(
            SortedKernels kernels,
            MemorySegment keys,
            MemorySegment queries,
            int bytes,
            Numbers bounds,
            boolean isUpper,
            int threads) {
        long count = queries.byteSize() / bytes;
        long block = Math.clamp(Math.ceilDiv(count, 4L * threads), FEWEST_QUERIES, MOST_QUERIES);
        Workers.each(threads, Math.ceilDiv(count, block), () -> {
            int[][] kept = {null};
            return number -> {
                long from = number * block;
                long some = Math.min(block, count - from);
                MemorySegment wanted = part(queries, from, some, bytes);
                boolean isRandom = keys.byteSize() >= CACHE_BYTES
                        && some >= FEWEST_QUERIES / 2
                        && kernels.outOfOrder(wanted.asSlice(0, (long) PROBE * bytes)) > 0;
                if (isRandom && kept[0] == null) {
                    kept[0] = new int[Math.toIntExact(block + block / 2 + 1)];
                }
                MemorySegment target = part(bounds.segment(), from, some, bounds.bytes());
                kernels.bounds(keys, wanted, target, bounds.bytes(), isUpper, isRandom ? kept[0] : null);
            };
        });
    }
}
