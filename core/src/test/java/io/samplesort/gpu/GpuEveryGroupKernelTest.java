package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Few sorts that run the kernels of groups of buckets, of segments without room, of runs, and of counted values.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEveryGroupKernelTest {
    /// A group has room for as many elements as its part of the sample suggests. Frequent keys take none of it,
    /// wherever they come in the order.
    @Test
    void groupsOfBuckets() {
        for (String buckets : List.of("maxBucketCount=8", "maxBucketCount=32", "maxBucketCount=512")) {
            Tuning tuning = GpuContractTest.TINY.with(buckets);
            for (InputDistribution distribution : List.of(
                    InputDistribution.UNIFORM,
                    InputDistribution.ZIPF,
                    InputDistribution.ROOT_DUPLICATES,
                    InputDistribution.ALL_EQUAL)) {
                CheckedSorts.sortAndCheck(tuning, 30_000, distribution, -1);
            }
        }
    }

    /// With room for one and a half keys more than were sampled, one bucket in twelve needs more. Its segment stays
    /// where it lies and is merged: the whole input in the first pass, a bucket of the pass before in others.
    @Test
    void bucketsWithoutEnoughRoom() {
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        for (int count : new int[] {50_000, 70_000}) {
            SortReport report = CheckedSorts.sortAndCheck(
                    tight.with("maxBucketCount=1024,sampleThreads=256"), count, InputDistribution.UNIFORM, 1);
            assertThat(report.largestBucket()).as("whole input").isEqualTo(count);
            // What the later passes sample depends on the order in which blocks happened to run.
            for (String groups : List.of("extraPercent=130", "extraPercent=0")) {
                report = CheckedSorts.sortAndCheck(tight.with(groups), count, InputDistribution.UNIFORM, 4);
                assertThat(report.largestBucket())
                        .as("%s: the largest segment that stayed where it lay", groups)
                        .isGreaterThan(tight.smallSortLimit());
            }
        }
    }

    /// Sorted runs of the input that are merged, and runs of small inputs whose elements are placed by ranks.
    @Test
    void mergedAndRankedRuns() {
        Tuning tuning = GpuContractTest.TINY.with("orderCheckSize=1,mergedRuns=64,rankedSize=3000");
        for (int count : new int[] {3000, 20_000}) {
            for (InputDistribution distribution : List.of(
                    InputDistribution.UNIFORM, InputDistribution.FOUR_RUNS, InputDistribution.SIXTY_FOUR_RUNS)) {
                CheckedSorts.sortAndCheck(tuning, count, distribution, -1);
            }
        }
    }

    /// Keys of 8 and 16 bits are counted, and those that fit the small sort are moved.
    @Test
    void countedValues() {
        for (KeyType type : new KeyType[] {KeyType.I8, KeyType.I16}) {
            // Few are sorted, many are counted.
            CheckedSorts.sortKeysAndCheck(type, GpuContractTest.TINY, 700, InputDistribution.UNIFORM);
            int many = 17 << Byte.SIZE * type.byteSize();
            CheckedSorts.sortKeysAndCheck(type, GpuContractTest.TINY, many + 1, InputDistribution.UNIFORM);
            CheckedSorts.sortKeysAndCheck(type, GpuContractTest.TINY, many, InputDistribution.ALL_EQUAL);
            // With this many elements, the sort looks for frequent values.
            CheckedSorts.sortKeysAndCheck(
                    type, GpuContractTest.TINY, Math.max(many, 140_000), InputDistribution.FEW_DISTINCT);
        }
    }
}
