package io.samplesort.study.historic;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.Stream;
import io.samplesort.study.historic.DeviceArrays.Elements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/// GPU sample sort as it was published (Leischner, Osipov and Sanders 2009), with its parameters. It distributes one
/// bucket after the other until none has more than M elements. A distribution has four steps: choosing splitters from a
/// random sample (one launch for all buckets of a level), counting by tile, a prefix sum over the table of counts, and
/// a scatter, which finds the buckets once more. Then one block sorts each bucket, the largest one first.
public final class SampleSort2009 implements HistoricSort {
    /// A distribution makes buckets smaller by a factor of about k, so no input needs half of these levels. Should the
    /// random generator fail on an input, single blocks sort what is left, no matter how large it is.
    private static final int MAX_LEVELS = 16;

    private static final long SEED = 2009;
    private static final long COUNT_MASK = Long.MAX_VALUE;

    private final Context context;
    private final HistoricElement element;
    private final SampleSortParameters parameters;
    private final HistoricProgram program;
    private final TableScan scan;
    private final PinnedMail mail;
    private final UniformRandomProvider random = RandomSource.MT.create(SEED);

    private PartClock clock;
    private Course course = new Course(0, 0, 0);

    /// A bucket that is still too large.
    private record Segment(long begin, long count) {}

    /// What happened in a sort.
    ///
    /// @param levels        the greatest number of distributions of an element
    /// @param distributions the number of distributions of all levels
    /// @param largestBucket how many elements the largest bucket had that a block sorted
    public record Course(int levels, int distributions, long largestBucket) {}

    /// Compiles the kernels for the GPU of the context, which must be current for as long as the sort is used.
    ///
    /// @throws IllegalArgumentException if a block of the GPU has too little shared memory for the parameters
    public SampleSort2009(Context context, HistoricElement element, SampleSortParameters parameters) {
        parameters.check(element, context.device());
        this.context = context;
        this.element = element;
        this.parameters = parameters;
        program = new HistoricProgram(context, parameters.source(element));
        scan = new TableScan(program);
        mail = new PinnedMail(context);
    }

    /// Makes a clock measure the parts of each sort from now on.
    ///
    /// @param clock null for no clock
    public void timeParts(PartClock clock) {
        this.clock = clock;
    }

    /// Returns what happened in the last sort.
    public Course course() {
        return course;
    }

    private void mark(Stream stream, PartClock.Part part) {
        if (clock != null) {
            clock.mark(stream, part);
        }
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
            int levels = 0;
            int distributions = 0;
            while (!segments.isEmpty()) {
                levels++;
                distributions += segments.size();
                Elements from = isInResult ? result : auxiliary;
                Elements to = isInResult ? auxiliary : result;
                long begins = pass.distribute(segments, from, to);
                isInResult = !isInResult;
                mark(stream, PartClock.Part.HOST);
                long[] ofAll = mail.downloadLongs(
                        stream, begins, Math.multiplyExact(segments.size(), parameters.bucketCount()));
                List<Segment> next = new ArrayList<>();
                for (int i = 0; i < segments.size(); i++) {
                    addBuckets(segments.get(i), ofAll, i * parameters.bucketCount(), isInResult, levels, next, tasks);
                }
                segments = next;
            }
            course = new Course(levels, distributions, tasks.largestSort());
            mark(stream, PartClock.Part.BUCKETS);
            tasks.launch(stream, program, "sort_buckets", parameters.threads(), mail, arrays, result, auxiliary);
            mark(stream, PartClock.Part.HOST);
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
        for (int bucket = 0; bucket < parameters.bucketCount(); bucket++) {
            long begin = begins[first + bucket] & COUNT_MASK;
            boolean isLast = bucket == parameters.bucketCount() - 1;
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
        if (segment.count > parameters.maxBucketSize() && level < MAX_LEVELS) {
            segments.add(segment);
        } else {
            tasks.addSort(segment.begin, segment.count, isInResult);
        }
    }

    /// Distributes one level after the other.
    private final class Pass {
        private static final int SEGMENT_LONGS = 3;

        private final Stream stream;
        private final DeviceArrays arrays;
        private final long stored;
        private final long table;
        private final long scratch;

        Pass(Stream stream, DeviceArrays arrays, long largest) {
            this.stream = stream;
            this.arrays = arrays;
            stored = parameters.storesBuckets() ? arrays.allocate(largest * parameters.indexBytes()) : 0;
            table = arrays.allocate(tableEntries(largest) * Integer.BYTES);
            scratch = arrays.allocate(TableScan.scratchBytes(tableEntries(largest)));
        }

        private long tiles(long count) {
            long tileSize = (long) parameters.threads() * parameters.items();
            return (count + tileSize - 1) / tileSize;
        }

        private long tableEntries(long count) {
            return tiles(count) * parameters.bucketCount();
        }

        /// Puts the distributions of all segments of a level on the stream.
        ///
        /// @return the device address to which the kernels write where all buckets begin
        long distribute(List<Segment> segments, Elements from, Elements to) {
            int size = segments.size();
            long splitterBytes = 2L * parameters.bucketCount() * element.keyBytes();
            long splitters = arrays.allocate(size * splitterBytes);
            long hasEqual = arrays.allocate((long) size * Integer.BYTES);
            long begins = arrays.allocate((long) size * parameters.bucketCount() * Long.BYTES);
            long descriptions = arrays.allocate((long) size * SEGMENT_LONGS * Long.BYTES);
            mail.upload(
                    stream,
                    descriptions,
                    segments.stream()
                            .flatMapToLong(segment -> LongStream.of(segment.begin, segment.count, random.nextLong()))
                            .toArray());
            mark(stream, PartClock.Part.SPLITTERS);
            program.launch(
                    stream,
                    "select_splitters",
                    size,
                    parameters.threads(),
                    SampleSortParameters.dynamicBytes(parameters.sampleBytes(element)),
                    from.keys(),
                    descriptions,
                    splitters,
                    hasEqual);
            mark(stream, PartClock.Part.DISTRIBUTION);
            for (int i = 0; i < size; i++) {
                distribute(
                        segments.get(i),
                        from,
                        to,
                        splitters + i * splitterBytes,
                        hasEqual + (long) i * Integer.BYTES,
                        begins + (long) i * parameters.bucketCount() * Long.BYTES);
            }
            return begins;
        }

        private void distribute(
                Segment segment, Elements from, Elements to, long splitters, long hasEqual, long begins) {
            long begin = segment.begin;
            long count = segment.count;
            int threads = parameters.threads();
            long tiles = tiles(count);
            program.launch(
                    stream,
                    "count_buckets",
                    tiles,
                    threads,
                    SampleSortParameters.dynamicBytes(parameters.distributionBytes(element)),
                    from.keys(),
                    begin,
                    count,
                    splitters,
                    hasEqual,
                    stored,
                    table);
            scan.enqueue(stream, table, tableEntries(count), scratch);
            program.launch(
                    stream,
                    "scatter",
                    tiles,
                    threads,
                    SampleSortParameters.dynamicBytes(parameters.scatterBytes(element)),
                    from.keys(),
                    from.payloads(),
                    to.keys(),
                    to.payloads(),
                    begin,
                    count,
                    splitters,
                    hasEqual,
                    stored,
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
