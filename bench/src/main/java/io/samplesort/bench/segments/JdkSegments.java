package io.samplesort.bench.segments;

import io.samplesort.testkit.KeyType;
import io.samplesort.types.SegmentOffsets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/// What a user of the JDK writes to sort segments on several threads: `Arrays.sort` of each segment, with segments
/// shared by their elements, and `Arrays.parallelSort` of those that are longer than a share.
final class JdkSegments implements AutoCloseable {
    private static final int GRAIN = 1 << 15;
    private static final int SHARES = 4;

    private final Object keys;
    private final SegmentOffsets offsets;
    private final long share;
    private final ForkJoinPool pool;

    /// The first segment of each range of elements, and the number of segments.
    private final int[] starts;

    /// @param keys an array of ints, longs, floats or doubles
    JdkSegments(Object keys, SegmentOffsets offsets, int threads) {
        this.keys = keys;
        this.offsets = offsets;
        long count = offsets.last() - offsets.first();
        this.share = Math.max(GRAIN, count / ((long) SHARES * threads));
        this.pool = new ForkJoinPool(threads);
        this.starts = new int[(int) Math.ceilDiv(count, GRAIN) + 1];
        int segment = 0;
        for (int range = 0; range < starts.length; range++) {
            while (segment < offsets.segmentCount()
                    && offsets.offset(segment) - offsets.first() < (long) range * GRAIN) {
                segment++;
            }
            starts[range] = segment;
        }
        starts[starts.length - 1] = (int) offsets.segmentCount();
    }

    /// Returns an array for keys of a type.
    static Object array(KeyType type, int count) {
        return switch (type) {
            case I32, U32 -> new int[count];
            case I64, U64 -> new long[count];
            case F32 -> new float[count];
            case F64 -> new double[count];
            default -> throw new IllegalArgumentException("type " + type + ": use i32, u32, i64, u64, f32 or f64");
        };
    }

    /// Returns such an array as a segment.
    static MemorySegment segment(Object array) {
        return switch (array) {
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            default -> MemorySegment.ofArray((double[]) array);
        };
    }

    void sort() {
        pool.submit(this::sortInPool).join();
    }

    private void sortInPool() {
        for (long i = 0; i < offsets.segmentCount(); i++) {
            if (offsets.offset(i + 1) - offsets.offset(i) > share) {
                sort((int) offsets.offset(i), (int) offsets.offset(i + 1), true);
            }
        }
        IntStream.range(0, starts.length - 1).parallel().forEach(range -> {
            for (int i = starts[range]; i < starts[range + 1]; i++) {
                if (offsets.offset(i + 1) - offsets.offset(i) <= share) {
                    sort((int) offsets.offset(i), (int) offsets.offset(i + 1), false);
                }
            }
        });
    }

    private void sort(int from, int to, boolean isParallel) {
        if (isParallel) {
            sortByAll(from, to);
        } else if (keys instanceof int[] ints) {
            Arrays.sort(ints, from, to);
        } else if (keys instanceof long[] longs) {
            Arrays.sort(longs, from, to);
        } else if (keys instanceof float[] floats) {
            Arrays.sort(floats, from, to);
        } else {
            Arrays.sort((double[]) keys, from, to);
        }
    }

    private void sortByAll(int from, int to) {
        if (keys instanceof int[] ints) {
            Arrays.parallelSort(ints, from, to);
        } else if (keys instanceof long[] longs) {
            Arrays.parallelSort(longs, from, to);
        } else if (keys instanceof float[] floats) {
            Arrays.parallelSort(floats, from, to);
        } else {
            Arrays.parallelSort((double[]) keys, from, to);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
