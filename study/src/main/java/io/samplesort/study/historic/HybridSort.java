package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Optional;

/// Hybrid sort (Sintorn and Assarsson 2008), after its description. It makes a histogram with bins of equal width
/// between the smallest and the greatest key. From it the host makes pivots for buckets of about the same number of
/// elements. Then each bucket is sorted by a merge sort of vectors of four. Only keys of 32 bits without payloads are
/// supported. Each merge is the work of one thread, so buckets that are much larger than the mean, as many equal keys
/// make them, are refused; the original crashes on them.
final class HybridSort implements HistoricSort {
    static final int THREADS = 128;
    private static final long BUCKET_SIZE = 4096;
    /// This many pivots fit in the shared memory that any launch may have.
    private static final long MAX_BUCKETS = 8192;

    private static final int VECTOR = 4;
    /// On random inputs, interpolation within a bin of the histogram makes smaller errors than this.
    private static final long MAX_TIMES_MEAN = 8;

    private final Context context;
    private final HistoricElement element;
    private final HistoricProgram program;
    private final PinnedMail mail;

    HybridSort(Context context, HistoricElement element) {
        this.context = context;
        this.element = element;
        program = new HistoricProgram(context, source(element));
        mail = new PinnedMail(context);
    }

    static HistoricProgram.Source source(HistoricElement element) {
        return new HistoricProgram.Source("hybrid_sort.cu", element, Map.of("kThreads", THREADS));
    }

    @Override
    public Optional<String> sort(Stream stream, long keys, long payloads, long count) {
        TableScan.check(count);
        if (count < 2) {
            return Optional.empty();
        }
        mail.reset();
        int buckets = (int) Math.clamp(count / BUCKET_SIZE, 1, MAX_BUCKETS);
        try (DeviceArrays arrays = new DeviceArrays(context, stream)) {
            KeyRange range = KeyRange.find(context, stream, program, THREADS, mail, arrays, keys, count);
            if (range.isOneKey()) {
                throw new UndefinedInputException("hybrid sort interpolates between the smallest and the greatest key,"
                        + " and all of these keys are equal");
            }
            long pivots = uploadPivots(stream, arrays, range, keys, count, buckets);
            long blocks = KeyRange.blocks(context, THREADS, count);
            int sharedBytes = buckets * Integer.BYTES;
            long ranks = arrays.allocate(count * Integer.BYTES);
            long sizes = arrays.allocateZeros((long) buckets * Integer.BYTES);
            program.launch(
                    stream,
                    "count_buckets",
                    blocks,
                    THREADS,
                    sharedBytes,
                    keys,
                    count,
                    pivots,
                    buckets - 1L,
                    sizes,
                    ranks);
            int[] known = mail.downloadInts(stream, sizes, buckets);
            long largest = check(known, count);
            long[] begins = new long[buckets + 1];
            long[] vectorBegins = new long[buckets + 1];
            for (int bucket = 0; bucket < buckets; bucket++) {
                begins[bucket + 1] = begins[bucket] + known[bucket];
                vectorBegins[bucket + 1] = vectorBegins[bucket] + (known[bucket] + VECTOR - 1) / VECTOR;
            }
            long beginAddress = upload(stream, arrays, begins);
            long vectorAddress = upload(stream, arrays, vectorBegins);
            long paddedBytes = vectorBegins[buckets] * VECTOR * element.keyBytes();
            long from = arrays.allocate(paddedBytes);
            long to = arrays.allocate(paddedBytes);
            program.launch(
                    stream,
                    "fill_buckets",
                    blocks,
                    THREADS,
                    sharedBytes,
                    keys,
                    count,
                    pivots,
                    buckets - 1L,
                    vectorAddress,
                    ranks,
                    from);
            program.launch(
                    stream, "sort_vectors", buckets, THREADS, 0, from, vectorAddress, sizes, element.greatestBits());
            for (long list = 1; list * VECTOR < largest; list *= 2) {
                program.launch(stream, "merge_lists", buckets, THREADS, 0, from, to, vectorAddress, list);
                long merged = to;
                to = from;
                from = merged;
            }
            program.launch(stream, "close_gaps", buckets, THREADS, 0, from, keys, vectorAddress, beginAddress, sizes);
        }
        return Optional.empty();
    }

    /// Returns the size of the largest bucket.
    ///
    /// @throws UndefinedInputException if the bucket is too large for single threads
    private static long check(int[] sizes, long count) {
        long largest = 0;
        for (int size : sizes) {
            largest = Math.max(largest, Integer.toUnsignedLong(size));
        }
        if (largest > MAX_TIMES_MEAN * Math.max(count / sizes.length, VECTOR)) {
            throw new UndefinedInputException("hybrid sort assumes that its pivots cut the input into buckets of about"
                    + " the same size, " + count / sizes.length + " elements here, but one of them has " + largest
                    + ", which single threads would have to merge");
        }
        return largest;
    }

    /// Uploads pivots that would make equal buckets if keys were spread evenly within each bin of the histogram.
    private long uploadPivots(Stream stream, DeviceArrays arrays, KeyRange range, long keys, long count, int buckets) {
        long bins = arrays.allocateZeros((long) buckets * Integer.BYTES);
        program.launch(
                stream,
                "count_bins",
                KeyRange.blocks(context, THREADS, count),
                THREADS,
                buckets * Integer.BYTES,
                keys,
                count,
                range.address(),
                buckets,
                bins);
        int[] histogram = mail.downloadInts(stream, bins, buckets);
        long pivots = arrays.allocate((long) buckets * element.keyBytes());
        if (buckets == 1) {
            return pivots;
        }
        MemorySegment values = mail.take((buckets - 1L) * element.keyBytes());
        int bin = 0;
        long before = 0;
        for (int pivot = 1; pivot < buckets; pivot++) {
            double target = (double) count * pivot / buckets;
            while (bin < buckets - 1 && before + Integer.toUnsignedLong(histogram[bin]) < target) {
                before += Integer.toUnsignedLong(histogram[bin++]);
            }
            double inBin = (target - before) / Math.max(1, Integer.toUnsignedLong(histogram[bin]));
            long key = element.interpolatedKey(
                    range.lowest(), range.greatest(), Math.min(1, (bin + Math.min(1, inBin)) / buckets));
            values.setAtIndex(ValueLayout.JAVA_INT, pivot - 1L, (int) key);
        }
        mail.upload(stream, pivots, values);
        return pivots;
    }

    private long upload(Stream stream, DeviceArrays arrays, long[] values) {
        long address = arrays.allocate((long) values.length * Long.BYTES);
        mail.upload(stream, address, values);
        return address;
    }

    @Override
    public void close() {
        mail.close();
        program.close();
    }
}
