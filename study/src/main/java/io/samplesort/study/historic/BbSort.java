package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.DeviceArrays.Elements;
import java.util.Map;
import java.util.Optional;

/// bbsort (Chen et al. 2009), after its description. It divides the range between the smallest and the greatest key
/// into buckets of equal width, and sorts each bucket by bitonic sort. It is made for keys that are spread evenly. With
/// other keys a single bucket may get most of the input; one block then sorts it in device memory, and the remark of
/// the sort says so. If all keys are equal, there is no range to divide.
final class BbSort implements HistoricSort {
    static final int THREADS = 256;
    /// The shared memory that one bucket may take.
    private static final int CAPACITY_BYTES = 8192;

    /// The capacity of a bucket is this many times its mean size, so that the densest buckets of normally distributed
    /// keys fit.
    private static final int CAPACITY_PER_MEAN = 4;

    private final Context context;
    private final HistoricElement element;
    private final HistoricProgram program;
    private final TableScan scan;
    private final PinnedMail mail;

    BbSort(Context context, HistoricElement element) {
        this.context = context;
        this.element = element;
        program = new HistoricProgram(context, source(element));
        scan = new TableScan(program);
        mail = new PinnedMail(context);
    }

    static HistoricProgram.Source source(HistoricElement element) {
        return new HistoricProgram.Source(
                "bbsort.cu", element, Map.of("kThreads", THREADS, "kBucketCapacity", capacity(element)));
    }

    private static int capacity(HistoricElement element) {
        return CAPACITY_BYTES / element.elementBytes();
    }

    @Override
    public Optional<String> sort(Stream stream, long keys, long payloads, long count) {
        TableScan.check(count);
        if (count < 2) {
            return Optional.empty();
        }
        mail.reset();
        try (DeviceArrays arrays = new DeviceArrays(context, stream)) {
            Elements result = new Elements(keys, payloads);
            KeyRange range = KeyRange.find(context, stream, program, THREADS, mail, arrays, keys, count);
            if (range.isOneKey()) {
                throw new UndefinedInputException("bbsort interpolates between the smallest and the greatest key, and"
                        + " all of these keys are equal");
            }
            long mean = capacity(element) / CAPACITY_PER_MEAN;
            long buckets = (count + mean - 1) / mean;
            long blocks = (count + THREADS - 1) / THREADS;
            Elements filled = arrays.elements(element, count);
            long ranks = arrays.allocate(count * Integer.BYTES);
            // There is one more entry than buckets, so that each bucket has an end.
            long sizes = arrays.allocateZeros((buckets + 1) * Integer.BYTES);
            long oversize = arrays.allocateZeros(2 * Long.BYTES);
            program.launch(
                    stream, "count_buckets", blocks, THREADS, 0, keys, count, range.address(), buckets, sizes, ranks);
            scan.enqueue(stream, sizes, buckets + 1, arrays.allocate(TableScan.scratchBytes(buckets + 1)));
            program.launch(
                    stream,
                    "fill_buckets",
                    blocks,
                    THREADS,
                    0,
                    keys,
                    payloads,
                    filled.keys(),
                    filled.payloads(),
                    count,
                    range.address(),
                    buckets,
                    sizes,
                    ranks);
            program.launch(
                    stream,
                    "sort_buckets",
                    buckets,
                    THREADS,
                    0,
                    filled.keys(),
                    filled.payloads(),
                    result.keys(),
                    result.payloads(),
                    sizes,
                    oversize);
            return remark(mail.downloadLongs(stream, oversize, 2), count);
        }
    }

    private Optional<String> remark(long[] oversize, long count) {
        return oversize[0] == 0
                ? Optional.empty()
                : Optional.of(oversize[0] + " of its buckets have more than the " + capacity(element)
                        + " elements that fit in shared memory, and the largest has " + oversize[1] + " of " + count
                        + " elements: single blocks sorted these buckets in device memory");
    }

    @Override
    public void close() {
        mail.close();
        program.close();
    }
}
