package io.samplesort.cpu.leaf;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/// Buckets among which records are divided in a copy: the kernels count shares of the records, move each record to its
/// bucket, and sort the buckets (`record_buckets.hpp`). Several threads may call them at once.
public final class RecordBuckets {
    public static final int COUNT = 256;

    /// How many records are sampled to choose splitters; there must not be fewer.
    public static final int LEAST_RECORDS = 4096;

    /// The size of a cache line in bytes.
    private static final int LINE_BYTES = 64;

    private final int bytes;
    private final SimdRecords.Packing key;
    private final boolean comparesLongs;
    private final long[] splitters = new long[COUNT - 1];
    /// First how many records of each share go to each bucket, then where the next one of them goes.
    private final long[] table;

    /// The functions are looked up when the first of them is called.
    private static final class Functions {
        private static final MethodHandle CHOOSE = NativeFunctions.link(
                "samplesort_choose_record_splitters",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        private static final MethodHandle FIND = NativeFunctions.link(
                "samplesort_find_record_buckets",
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        private static final MethodHandle SCATTER = NativeFunctions.link(
                "samplesort_scatter_records",
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        private static final MethodHandle SORT = NativeFunctions.link(
                "samplesort_sort_record_bucket",
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG));
    }

    RecordBuckets(int bytes, SimdRecords.Packing key, boolean comparesLongs, int shares) {
        if (!fit(bytes)) {
            throw new IllegalArgumentException("records of " + bytes + " bytes: must be 16 or 32");
        }
        int last =
                key.read() == SimdRecords.Read.INT || key.read() == SimdRecords.Read.FLOAT ? Integer.BYTES : Long.BYTES;
        Objects.checkFromIndexSize(key.offset(), last, bytes);
        this.bytes = bytes;
        this.key = key;
        this.comparesLongs = comparesLongs;
        this.table = new long[shares * COUNT];
    }

    /// Returns whether there are buckets for records of this many bytes: a cache line must hold several whole records.
    public static boolean fit(int bytes) {
        return bytes == LINE_BYTES / 4 || bytes == LINE_BYTES / 2;
    }

    /// Chooses splitters by a sample of the records.
    ///
    /// @return how many distinct splitters there are, of 255
    public int chooseSplitters(MemorySegment records) {
        long count = records.byteSize() / bytes;
        Objects.checkIndex(LEAST_RECORDS - 1, count);
        try {
            return (int) (long) Functions.CHOOSE.invokeExact(
                    records, (long) bytes, count, key.words(), MemorySegment.ofArray(splitters));
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Finds the bucket of each record of a share, and counts them.
    ///
    /// @param numbers a byte for each of these records, which takes the number of its bucket
    public void find(int share, MemorySegment records, MemorySegment numbers) {
        long count = records.byteSize() / bytes;
        Objects.checkFromIndexSize(0, count, numbers.byteSize());
        try {
            Functions.FIND.invokeExact(
                    records,
                    (long) bytes,
                    count,
                    key.words(),
                    MemorySegment.ofArray(splitters),
                    numbers,
                    ofShare(share));
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    private MemorySegment ofShare(int share) {
        return MemorySegment.ofArray(table).asSlice((long) share * COUNT * Long.BYTES, (long) COUNT * Long.BYTES);
    }

    /// Assigns places in the copy to the buckets, and within each bucket to the shares, when all shares have been
    /// counted.
    ///
    /// @return where each bucket begins, and where the last one ends, in records
    public int[] place() {
        int[] starts = new int[COUNT + 1];
        int at = 0;
        for (int bucket = 0; bucket < COUNT; bucket++) {
            starts[bucket] = at;
            for (int i = bucket; i < table.length; i += COUNT) {
                int size = (int) table[i];
                table[i] = at;
                at += size;
            }
        }
        starts[COUNT] = at;
        return starts;
    }

    /// Moves the records of a share to their places in the copy, which must begin at a cache line.
    ///
    /// @param numbers the numbers of their buckets
    public void scatter(int share, MemorySegment records, MemorySegment numbers, MemorySegment copy) {
        long count = records.byteSize() / bytes;
        Objects.checkFromIndexSize(0, count, numbers.byteSize());
        if (copy.address() % LINE_BYTES != 0) {
            throw new IllegalArgumentException("a copy that does not begin with a line of the caches");
        }
        try {
            Functions.SCATTER.invokeExact(copy, records, (long) bytes, count, numbers, ofShare(share));
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }

    /// Writes the records of a bucket in the order of their keys, stably.
    ///
    /// @param longs  room for a long for each record
    /// @param target room for these records
    public void sort(MemorySegment bucket, MemorySegment longs, MemorySegment target) {
        long count = bucket.byteSize() / bytes;
        Objects.checkFromIndexSize(0, count * Long.BYTES, longs.byteSize());
        Objects.checkFromIndexSize(0, count * bytes, target.byteSize());
        try {
            Functions.SORT.invokeExact(
                    target, bucket, longs, (long) bytes, count, key.words(), comparesLongs ? 1L : 0L);
        } catch (Throwable e) {
            throw NativeFunctions.unchecked(e);
        }
    }
}
