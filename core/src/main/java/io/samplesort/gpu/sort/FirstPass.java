package io.samplesort.gpu.sort;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.code.KernelConstants;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.DividingLayout;
import io.samplesort.gpu.launch.DividingMemory;
import io.samplesort.gpu.launch.Regions;
import io.samplesort.gpu.launch.SortPlan;
import io.samplesort.gpu.launch.Workspace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The first pass of a sort over the elements of one of several GPUs. All GPUs make the same buckets, and the host says
/// where each bucket has its room. The context of the GPU must be current, and no method waits.
public final class FirstPass implements AutoCloseable {
    /// Buckets get their room from a sample that has one of this many elements; small and large samples are limited.
    private static final int ELEMENTS_PER_COUNTED_KEY = 4;

    private static final int LEAST_COUNTED_A_BUCKET = 64;
    private static final long MOST_COUNTED = 1 << 20;

    private final DeviceSort sort;
    private final DividingMemory memory;
    private final DeviceElements input;
    private final long count;
    private final int bucketCount;
    private final MemorySegment pinned;

    /// Takes the memory of the pass, except the array that it writes.
    ///
    /// @param columns device addresses of `count` elements
    /// @param pinned  memory for [#pinnedBytes], which only this pass may use until it has ended
    public FirstPass(DeviceSort sort, Stream stream, long[] columns, long count, int logBuckets, MemorySegment pinned) {
        this.sort = sort;
        this.count = count;
        this.pinned = pinned;
        bucketCount = 1 << logBuckets;
        input = DeviceElements.of(columns);
        DividingLayout layout = layout(sort, count, logBuckets);
        memory = new DividingMemory(new Workspace(sort.context(), stream, layout.memory, 0), layout, input);
    }

    private static DividingLayout layout(DeviceSort sort, long count, int logBuckets) {
        return DividingLayout.ofExchange(SortPlan.ofFirstPass(count, logBuckets), sort.element(), sort.tuning());
    }

    /// Returns the bytes of pinned memory that a pass takes.
    public static long pinnedBytes(int bucketCount) {
        return (3L * bucketCount + 1) * Long.BYTES + Math.ceilDiv(bucketCount, Long.BYTES) * (long) Long.BYTES;
    }

    /// Takes the splitters from a sorted sample, and counts how many keys of a random sample each bucket gets.
    ///
    /// @param sample device address of sorted keys in the user's form
    /// @param ranks  the rank of each splitter in the sample
    /// @param room   device address of room for the same number of ints
    public void count(long sample, int[] ranks, long room, long seed) {
        MemorySegment.copy(ranks, 0, pinned, ValueLayout.JAVA_INT, 0, ranks.length);
        stream().copyToDevice(room, pinned, (long) ranks.length * Integer.BYTES);
        sort.kernels().dividing().plantTree(memory, sample, room);
        if (count > 0) {
            sort.kernels().dividing().countSample(memory, input, seed, countedCount());
        }
        long counts = memory.layout().counters[0].writePositions();
        stream().copyToHost(longs(0, bucketCount), memory.address(counts), (long) bucketCount * Long.BYTES);
        stream().copyToHost(marks(), memory.address(memory.layout().segments[1].marks()), bucketCount);
    }

    /// Returns how many keys are counted to give buckets room.
    public long countedCount() {
        long least = Math.min(count, (long) LEAST_COUNTED_A_BUCKET * bucketCount);
        return Math.clamp(count / ELEMENTS_PER_COUNTED_KEY, least, Math.max(least, MOST_COUNTED));
    }

    /// Returns how many keys of each bucket have been counted, once the stream has come this far.
    public long[] counted() {
        return longs(0, bucketCount).toArray(ValueLayout.JAVA_LONG);
    }

    /// Returns for each bucket whether all its keys are equal, once the stream has come this far.
    public boolean[] areEqual() {
        boolean[] areEqual = new boolean[bucketCount];
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            areEqual[bucket] = (marks().get(ValueLayout.JAVA_BYTE, bucket) & KernelConstants.IS_EQUALITY) != 0;
        }
        return areEqual;
    }

    /// Moves the elements to their buckets.
    ///
    /// @param begins where the room of each bucket begins in the target, in elements, and `ends` where it ends
    /// @param target device addresses of the arrays that this writes
    public void scatter(long[] begins, long[] ends, long[] target) {
        MemorySegment.copy(begins, 0, pinned, ValueLayout.JAVA_LONG, 0, bucketCount);
        MemorySegment.copy(ends, 0, pinned, ValueLayout.JAVA_LONG, (long) bucketCount * Long.BYTES, bucketCount);
        Regions.Segments buckets = memory.layout().segments[1];
        Regions.Counters counters = memory.layout().counters[0];
        long bytes = (long) bucketCount * Long.BYTES;
        // The ends follow the begins.
        stream().copyToDevice(memory.address(buckets.begins()), longs(0, 2 * bucketCount), 2 * bytes);
        stream().copyToDevice(memory.address(counters.writePositions()), longs(0, bucketCount), bytes);
        if (count > 0) {
            DeviceElements out = DeviceElements.of(target);
            sort.kernels().dividing().scatter(memory, 0, memory.layout().all(), input, out);
        }
        stream().copyToHost(longs(2 * bucketCount, bucketCount), memory.address(counters.writePositions()), bytes);
        MemorySegment overflow = longs(3 * bucketCount, 1);
        stream().copyToHost(overflow, memory.address(counters.overflows()), Integer.BYTES);
    }

    /// Returns how many elements each bucket has, once the stream has come this far; null if a bucket had too little
    /// room.
    public long[] sizes() {
        if (longs(3 * bucketCount, 1).get(ValueLayout.JAVA_INT, 0) != 0) {
            return null;
        }
        long[] sizes = new long[bucketCount];
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            sizes[bucket] = longs(2 * bucketCount + bucket, 1).get(ValueLayout.JAVA_LONG, 0)
                    - longs(bucket, 1).get(ValueLayout.JAVA_LONG, 0);
        }
        return sizes;
    }

    private Stream stream() {
        return memory.stream();
    }

    private MemorySegment longs(int first, int longs) {
        return pinned.asSlice((long) first * Long.BYTES, (long) longs * Long.BYTES);
    }

    private MemorySegment marks() {
        return pinned.asSlice((3L * bucketCount + 1) * Long.BYTES, bucketCount);
    }

    /// Gives the memory of the pass back once the stream has come this far.
    @Override
    public void close() {
        memory.close();
    }
}
