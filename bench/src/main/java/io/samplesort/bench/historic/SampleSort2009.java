package io.samplesort.bench.historic;

import io.samplesort.bench.historic.DeviceArrays.Elements;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/// GPU sample sort as it was published (Leischner, Osipov and Sanders 2009), with its parameters: one bucket after the
/// other is distributed until none has more than M elements, in four steps each: splitters from a random sample, counts
/// by tile, a prefix sum over the table of counts, and a scatter that finds the buckets once more. Then one block sorts
/// each bucket, the largest one first.
final class SampleSort2009 implements HistoricSort {
    /// A distribution makes buckets smaller by a factor of about k, so no input takes half as many; should the random
    /// generator fail it on one, single blocks sort what is left, however large.
    private static final int MAX_LEVELS = 16;

    private static final long SEED = 2009;
    private static final long COUNT_MASK = Long.MAX_VALUE;

    private final Context context;
    private final HistoricElement element;
    private final Parameters parameters;
    private final HistoricProgram program;
    private final TableScan scan;
    private final PinnedMail mail;
    private final UniformRandomProvider random = RandomSource.MT.create(SEED);

    /// @param bucketCount    k, a power of two
    /// @param maxBucketSize  M, above which a bucket is distributed
    /// @param threads        of a tile
    /// @param items          of a thread
    /// @param oversampling   of the sample, for each splitter
    /// @param counterArrays  of a tile, which share the counting
    /// @param smallElements  what a block sorts by a network in shared memory
    record Parameters(
            int bucketCount,
            long maxBucketSize,
            int threads,
            int items,
            int oversampling,
            int counterArrays,
            int smallElements) {
        /// Shared memory of 2009.
        private static final int SMALL_BYTES = 8192;

        static Parameters published(HistoricElement element) {
            return new Parameters(
                    128,
                    1 << 17,
                    256,
                    8,
                    element.elementBytes() > Integer.BYTES ? 15 : 30,
                    8,
                    SMALL_BYTES / element.elementBytes());
        }

        HistoricProgram.Source source(HistoricElement element) {
            return new HistoricProgram.Source(
                    "sample_sort_2009.cu",
                    element,
                    Map.of(
                            "kLogBucketCount",
                            Integer.numberOfTrailingZeros(bucketCount),
                            "kThreads",
                            threads,
                            "kItems",
                            items,
                            "kOversampling",
                            oversampling,
                            "kCounterArrays",
                            counterArrays,
                            "kSmallElements",
                            smallElements));
        }
    }

    /// A bucket that is still too large.
    private record Segment(long begin, long count) {}

    SampleSort2009(Context context, HistoricElement element, Parameters parameters) {
        this.context = context;
        this.element = element;
        this.parameters = parameters;
        program = new HistoricProgram(context, parameters.source(element));
        scan = new TableScan(program);
        mail = new PinnedMail(context);
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
            Elements auxiliary = arrays.elements(element, count);
            TaskList tasks = new TaskList();
            boolean isInResult = true;
            List<Segment> segments = new ArrayList<>();
            add(new Segment(0, count), isInResult, 0, segments, tasks);
            Pass pass = segments.isEmpty() ? null : new Pass(stream, arrays, count);
            for (int level = 1; !segments.isEmpty(); level++) {
                long begins = arrays.allocate((long) segments.size() * parameters.bucketCount * Long.BYTES);
                for (int i = 0; i < segments.size(); i++) {
                    pass.distribute(
                            segments.get(i),
                            isInResult ? result : auxiliary,
                            isInResult ? auxiliary : result,
                            begins + (long) i * parameters.bucketCount * Long.BYTES);
                }
                isInResult = !isInResult;
                long[] ofAll = mail.downloadLongs(stream, begins, segments.size() * parameters.bucketCount);
                List<Segment> next = new ArrayList<>();
                for (int i = 0; i < segments.size(); i++) {
                    addBuckets(segments.get(i), ofAll, i * parameters.bucketCount, isInResult, level, next, tasks);
                }
                segments = next;
            }
            tasks.launch(stream, program, "sort_buckets", parameters.threads, mail, arrays, result, auxiliary);
        }
        return Optional.empty();
    }

    private void addBuckets(
            Segment segment,
            long[] begins,
            int first,
            boolean isInResult,
            int level,
            List<Segment> segments,
            TaskList tasks) {
        for (int bucket = 0; bucket < parameters.bucketCount; bucket++) {
            long begin = begins[first + bucket] & COUNT_MASK;
            boolean isLast = bucket == parameters.bucketCount - 1;
            long end = isLast ? segment.count : begins[first + bucket + 1] & COUNT_MASK;
            Segment part = new Segment(segment.begin + begin, end - begin);
            if (begins[first + bucket] < 0) {
                tasks.addSorted(part.begin, part.count, isInResult);
            } else {
                add(part, isInResult, level, segments, tasks);
            }
        }
    }

    private void add(Segment segment, boolean isInResult, int level, List<Segment> segments, TaskList tasks) {
        if (segment.count > parameters.maxBucketSize && level < MAX_LEVELS) {
            segments.add(segment);
        } else {
            tasks.addSort(segment.begin, segment.count, isInResult);
        }
    }

    /// The device memory of one distribution after the other.
    private final class Pass {
        private final Stream stream;
        private final long splitters;
        private final long hasEqual;
        private final long table;
        private final long scratch;

        Pass(Stream stream, DeviceArrays arrays, long largest) {
            this.stream = stream;
            splitters = arrays.allocate(2L * parameters.bucketCount * element.keyBytes());
            hasEqual = arrays.allocate(Integer.BYTES);
            table = arrays.allocate(tableEntries(largest) * Integer.BYTES);
            scratch = arrays.allocate(TableScan.scratchBytes(tableEntries(largest)));
        }

        private long tiles(long count) {
            long tileSize = (long) parameters.threads * parameters.items;
            return (count + tileSize - 1) / tileSize;
        }

        private long tableEntries(long count) {
            return tiles(count) * parameters.bucketCount;
        }

        void distribute(Segment segment, Elements from, Elements to, long begins) {
            long begin = segment.begin;
            long count = segment.count;
            int threads = parameters.threads;
            long tiles = tiles(count);
            program.launch(
                    stream,
                    "select_splitters",
                    1,
                    threads,
                    0,
                    from.keys(),
                    begin,
                    count,
                    random.nextLong(),
                    splitters,
                    hasEqual);
            program.launch(
                    stream, "count_buckets", tiles, threads, 0, from.keys(), begin, count, splitters, hasEqual, table);
            scan.enqueue(stream, table, tableEntries(count), scratch);
            program.launch(
                    stream,
                    "scatter",
                    tiles,
                    threads,
                    0,
                    from.keys(),
                    from.payloads(),
                    to.keys(),
                    to.payloads(),
                    begin,
                    count,
                    splitters,
                    hasEqual,
                    table,
                    begins);
        }
    }

    @Override
    public void close() {
        mail.close();
        program.close();
    }
}
