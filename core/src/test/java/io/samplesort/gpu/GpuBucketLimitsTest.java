package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Inputs that fill what buckets and queues have room for to the last element, and inputs with one element more.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuBucketLimitsTest {
    /// A bucket of some 128 elements has room for about 25 more, and deviates by about 20. So some of the inputs have
    /// one bucket that needs exactly one element more than it has room for, which another bucket would overwrite.
    @Test
    void bucketsThatAreFullToTheLastElement() {
        Tuning tuning = GpuContractTest.TINY.with("bucketSlack=1,oversampling=32,bucketTarget=192");
        int count = tuning.smallSortLimit() + 1;
        int overflows = 0;
        try (Sorter sorter = sorter(tuning)) {
            for (int seed = 0; seed < 60; seed++) {
                SortReport report = sortAndCheck(
                        sorter, new SplittableRandom(seed).longs(count).toArray());
                assertThat(report.passes()).isEqualTo(1);
                overflows += report.largestBucket() == count ? 1 : 0;
            }
        }
        assertThat(overflows).as("sorts in which a bucket had too little room").isBetween(16, 44);
    }

    /// A bucket of one element more than the small-sort limit stands in its queue twice, so the queue takes more
    /// entries than there are buckets.
    @Test
    void queuesWithMoreEntriesThanBuckets() {
        Tuning tuning = GpuEveryKernelTest.HOPELESS.with("bucketTarget=1024,smallSortCells=0");
        int repetitions = tuning.smallSortLimit() + 1;
        SplittableRandom random = new SplittableRandom(6);
        long[] distinct = random.longs(63).toArray();
        long[] keys = IntStream.range(0, distinct.length * repetitions)
                .mapToObj(i -> new long[] {random.nextLong(), distinct[i / repetitions]})
                .sorted((a, b) -> Long.compare(a[0], b[0]))
                .mapToLong(pair -> pair[1])
                .toArray();
        try (Sorter sorter = sorter(tuning)) {
            assertThat(sortAndCheck(sorter, keys).passes()).isEqualTo(1);
        }
    }

    /// A key that fills a third of the input gets a bucket of its own, which needs no sorting, wherever it stands among
    /// the eight buckets: also as the last but one, with few greater keys.
    @Test
    void aRepeatedKeyHasItsOwnBucketWhereverItStands() {
        Tuning tuning = GpuContractTest.TINY.with("bucketTarget=500,oversampling=32");
        int count = 4000;
        int repetitions = 1400;
        try (Sorter sorter = sorter(tuning)) {
            for (int smaller = 0; smaller <= count - repetitions; smaller += 130) {
                int smallest = smaller;
                SplittableRandom random = new SplittableRandom(smaller);
                long[] keys = IntStream.range(0, count)
                        .mapToObj(i -> new long[] {
                            random.nextLong(), i < smallest ? -1 - i : i < smallest + repetitions ? 0 : i
                        })
                        .sorted((a, b) -> Long.compare(a[0], b[0]))
                        .mapToLong(pair -> pair[1])
                        .toArray();
                SortReport report = sortAndCheck(sorter, keys);
                assertThat(report.passes()).isEqualTo(1);
                assertThat(report.largestBucket())
                        .as("the largest bucket that needs sorting, with %d smaller keys", smaller)
                        .isLessThan(repetitions);
            }
        }
    }

    private static Sorter sorter(Tuning tuning) {
        return SampleSort.onGpu().tuning(tuning).build(ElementType.LONG);
    }

    private static SortReport sortAndCheck(Sorter sorter, long[] keys) {
        long[] sorted = keys.clone();
        SortReport report = sorter.sort(MemorySegment.ofArray(sorted));
        long[] expected = keys.clone();
        Arrays.sort(expected);
        assertThat(sorted).isEqualTo(expected);
        return report;
    }
}
