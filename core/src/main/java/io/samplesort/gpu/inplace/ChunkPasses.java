package io.samplesort.gpu.inplace;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.sort.DeviceSort;
import io.samplesort.gpu.sort.FirstPass;
import io.samplesort.gpu.sort.PhaseTimer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The first pass of a sort in place, chunk by chunk: all chunks are counted by the same splitters, and then divided
/// one after another. Each goes to the memory of the chunk before it, the first one to the work area, and from there to
/// where the last one lay. None of the methods waits.
final class ChunkPasses {
    private final DeviceSort sort;
    private final Stream stream;
    private final long[] columns;
    private final InPlacePlan plan;
    private final InPlaceMemory memory;
    /// What was put on the stream last for each chunk.
    private final List<FirstPass> passes = new ArrayList<>();

    /// @param columns device addresses of the array's columns
    ChunkPasses(DeviceSort sort, Stream stream, long[] columns, InPlacePlan plan, InPlaceMemory memory) {
        this.sort = sort;
        this.stream = stream;
        this.columns = columns;
        this.plan = plan;
        this.memory = memory;
    }

    /// Draws a sample and sorts it.
    void sample(int seed) {
        int[] bytes = sort.columnBytes();
        int count = plan.sampleCount();
        long[] sample = memory.sample();
        sort.kernels().exchange().drawSample(stream, columns[0], bytes[0], plan.count(), sample[0], count, seed);
        if (bytes.length > 1) {
            // Payloads of a sample are moved along and mean nothing.
            stream.fill(sample[1], (byte) 0, (long) count * bytes[1]);
        }
        sort.enqueue(stream, sort.layouts().smallest(count, 0), sample, PhaseTimer.none(), null);
        int[] ranks = plan.ranks();
        MemorySegment.copy(ranks, 0, memory.pinnedRanks(), ValueLayout.JAVA_INT, 0, ranks.length);
        stream.copyToDevice(memory.ranks(), memory.pinnedRanks(), (long) ranks.length * Integer.BYTES);
    }

    /// Counts how many elements of each bucket each chunk has.
    void count() {
        passes.clear();
        for (int chunk = 0; chunk < plan.chunks(); chunk++) {
            try (FirstPass pass = planted(chunk)) {
                pass.countAll();
                passes.add(pass);
            }
        }
    }

    /// Returns the pass of a chunk with the splitters of the sample.
    private FirstPass planted(int chunk) {
        FirstPass pass = new FirstPass(
                sort,
                stream,
                sort.from(columns, chunk * plan.chunkSize()),
                plan.chunkCount(chunk),
                plan.logBuckets(),
                memory.pinnedPass(chunk),
                memory.pass());
        pass.plant(memory.sample()[0], memory.ranks());
        return pass;
    }

    /// Returns how many elements of each bucket each chunk has, once the stream has come past the count.
    long[][] counts() {
        long[][] counts = new long[passes.size()][];
        for (int chunk = 0; chunk < counts.length; chunk++) {
            counts[chunk] = passes.get(chunk).counted();
        }
        return counts;
    }

    /// Returns of each bucket whether all its keys are equal, once the stream has come past the count.
    boolean[] areEqual() {
        return passes.getFirst().areEqual();
    }

    /// Divides the chunks.
    void scatter(long[][] counts) {
        passes.clear();
        for (int chunk = 0; chunk < counts.length; chunk++) {
            long[] begins = new long[plan.bucketCount()];
            long[] ends = new long[plan.bucketCount()];
            long end = 0;
            for (int bucket = 0; bucket < begins.length; bucket++) {
                begins[bucket] = end;
                end += counts[chunk][bucket];
                ends[bucket] = end;
            }
            long[] target = chunk == 0 ? memory.chunk() : sort.from(columns, (chunk - 1) * plan.chunkSize());
            try (FirstPass pass = planted(chunk)) {
                pass.scatter(begins, ends, target);
                passes.add(pass);
            }
        }
        long[] first = memory.chunk();
        long[] last = sort.from(columns, plan.count() - plan.chunkCount(0));
        for (int c = 0; c < columns.length; c++) {
            stream.copyOnDevice(last[c], first[c], plan.chunkCount(0) * sort.columnBytes()[c]);
        }
    }

    /// Returns whether all elements were moved as they had been counted, once the stream has come past that.
    boolean areComplete() {
        for (FirstPass pass : passes) {
            if (pass.sizes() == null) {
                return false;
            }
        }
        return true;
    }
}
