package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Few sorts that run every kernel, every size class and every kind of bucket. compute-sanitizer is run on these and on
/// the other classes named `GpuEvery…KernelTest`, as the whole contract would take hours under it.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuEveryKernelTest {
    /// Samples so small that some buckets are several times the small-sort limit.
    static final Tuning HOPELESS = GpuContractTest.TINY.with(
            "oversampling=1,bucketTarget=768,maxBucketCount=64,sampleThreads=32,sampleItems=2");

    @Test
    void sizeClassesAndPasses() {
        CheckedSorts.sortAndCheck(GpuContractTest.TINY, 60, InputDistribution.UNIFORM, 0);
        CheckedSorts.sortAndCheck(GpuContractTest.TINY, 20_000, InputDistribution.UNIFORM, 3);
        CheckedSorts.sortAndCheck(
                Tuning.defaultFor(ElementType.LONG, ElementType.INT).with("rankedSize=0"),
                60_000,
                InputDistribution.UNIFORM,
                1);
        // As many buckets as a pass can have: several a thread, and one more for what is past the end of a tile. With
        // 64 threads the compiler would take more than a minute to unroll their loops.
        Tuning mostBuckets = GpuContractTest.TINY.with(
                "distributionThreads=128,maxBucketCount=4096,bucketTarget=2,sampleThreads=256");
        CheckedSorts.sortAndCheck(mostBuckets, 8_000, InputDistribution.UNIFORM, 1);
        // So few buckets that any GPU works on all at once, and one launch does for all sizes but the largest.
        CheckedSorts.sortAndCheck(GpuContractTest.TINY.with("bucketTarget=384"), 1_500, InputDistribution.UNIFORM, 1);
        CheckedSorts.sortAndCheck(
                GpuContractTest.TINY.with("bucketTarget=384"), 1_500, InputDistribution.FEW_DISTINCT, 1);
        // Where two buffers do not fit a block.
        CheckedSorts.sortAndCheck(GpuContractTest.TINY.with("mergeBuffers=1"), 20_000, InputDistribution.UNIFORM, 3);
    }

    @Test
    void equalityBuckets() {
        // One pass leaves them in the scratch array, two or three in various segments.
        Tuning onePass = GpuContractTest.TINY.with("maxBucketCount=256");
        CheckedSorts.sortAndCheck(onePass, 10_000, InputDistribution.ALL_EQUAL, 1);
        CheckedSorts.sortAndCheck(onePass, 10_000, InputDistribution.FEW_DISTINCT, 1);
        CheckedSorts.sortAndCheck(GpuContractTest.TINY, 20_000, InputDistribution.ROOT_DUPLICATES, 3);
        // Copied in many parts.
        SortReport report = CheckedSorts.sortAndCheck(GpuContractTest.TINY, 40_000, InputDistribution.ALL_EQUAL, 3);
        assertThat(report.largestBucket())
                .as("the largest bucket that needs sorting")
                .isLessThanOrEqualTo(GpuContractTest.TINY.smallSortLimit());
        // Each bucket has more than a block sorts: 1024 parts of 768 elements are fewer.
        CheckedSorts.sortAndCheck(onePass.with("bucketTarget=768"), 790_000, InputDistribution.ALL_EQUAL, 2);
    }

    @Test
    void bucketsLargerThanTheSmallSort() {
        // With one sampled key a splitter, buckets of a mean of half the limit often exceed it.
        Tuning careless = GpuContractTest.TINY.with("oversampling=1,bucketTarget=768");
        for (int count : new int[] {3000, 30_000}) {
            CheckedSorts.sortAndCheck(careless, count, InputDistribution.UNIFORM, -1);
        }
        // Some twice and some four times the limit: they need different numbers of merge rounds.
        SortReport report = CheckedSorts.sortAndCheck(HOPELESS, 49_000, InputDistribution.UNIFORM, 1);
        assertThat(report.largestBucket()).isGreaterThan(2L * HOPELESS.smallSortLimit());
    }

    /// The blocks of a merge sort wait for each other. If they waited too briefly, few launches would show it, so there
    /// are many, of few tiles each. The kernels are compiled once.
    @Test
    void roundsOfMerges() {
        for (int repetition = 0; repetition < 100; repetition++) {
            CheckedSorts.sortAndCheck(HOPELESS, 6000 + repetition, InputDistribution.UNIFORM, 1);
        }
    }

    @Test
    void keysAlone() {
        // Merged in other ways than pairs: what compares equal is equal.
        Tuning byDefault = Tuning.defaultFor(ElementType.LONG, null);
        CheckedSorts.sortKeysAndCheck(KeyType.I64, byDefault, 30_000, InputDistribution.UNIFORM);
        for (KeyType type : new KeyType[] {KeyType.F32, KeyType.I64}) {
            CheckedSorts.sortKeysAndCheck(type, GpuContractTest.TINY, 20_000, InputDistribution.UNIFORM);
            CheckedSorts.sortKeysAndCheck(type, GpuContractTest.TINY, 20_000, InputDistribution.ROOT_DUPLICATES);
        }
        // Floating-point keys are other bits while they are sorted: mapped back wherever they end.
        Tuning few = GpuContractTest.TINY.with("maxBucketCount=16");
        for (int count : new int[] {1, 2, 100, 20_000}) {
            CheckedSorts.sortKeysAndCheck(KeyType.F64, few, count, InputDistribution.FEW_DISTINCT);
            CheckedSorts.sortKeysAndCheck(KeyType.F64, few, count, InputDistribution.ROOT_DUPLICATES);
            CheckedSorts.sortKeysAndCheck(
                    KeyType.F64, few.with("bucketSlack=1,oversampling=1"), count, InputDistribution.UNIFORM);
        }
    }

    @Test
    void cutsOfSortedRuns() {
        Tuning chunks = GpuContractTest.TINY.with("chunkBytes=4096,transferBytes=4096");
        for (boolean isStable : new boolean[] {false, true}) {
            SorterBuilder builder = SampleSort.onGpu().tuning(chunks);
            try (Sorter sorter = (isStable ? builder.stable() : builder).build(ElementType.LONG)) {
                for (InputDistribution distribution :
                        List.of(InputDistribution.UNIFORM, InputDistribution.FEW_DISTINCT, InputDistribution.REVERSE)) {
                    long[] keys = new long[5003];
                    distribution.fill(MemorySegment.ofArray(keys), KeyType.I64, 5);
                    long[] expected = keys.clone();
                    Arrays.sort(expected);
                    sorter.sort(keys);
                    assertThat(keys).as(distribution.toString()).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void withoutGroups() {
        Tuning plenty = GpuContractTest.TINY.with("extraPercent=130");
        CheckedSorts.sortAndCheck(plenty, 20_000, InputDistribution.UNIFORM, 3);
        CheckedSorts.sortAndCheck(plenty, 20_000, InputDistribution.ROOT_DUPLICATES, 3);
        CheckedSorts.sortAndCheck(plenty.with("maxBucketCount=256"), 10_000, InputDistribution.FEW_DISTINCT, 1);
        Tuning hopeless =
                plenty.with("oversampling=1,bucketTarget=768,maxBucketCount=64,sampleThreads=32,sampleItems=2");
        SortReport report = CheckedSorts.sortAndCheck(hopeless, 49_000, InputDistribution.UNIFORM, 1);
        assertThat(report.largestBucket()).isBetween((long) hopeless.smallSortLimit() + 1, 48_999L);
    }

    @Test
    void orderThatIsThereAlready() {
        for (String layout : List.of("extraPercent=130", "extraPercent=0")) {
            Tuning checked = GpuContractTest.TINY.with("orderCheckSize=1").with(layout);
            for (InputDistribution distribution :
                    List.of(InputDistribution.SORTED, InputDistribution.REVERSE, InputDistribution.UNIFORM)) {
                CheckedSorts.sortAndCheck(checked, 20_001, distribution, -1);
            }
        }
    }

    @Test
    void pairsMovedWhole() {
        // Payloads as large as their keys: the passes hand them on as one element each.
        Tuning tight = GpuContractTest.TINY.with("bucketSlack=1,oversampling=1");
        CheckedSorts.sortAndCheck(GpuContractTest.TINY, 20_000, InputDistribution.UNIFORM, KeyType.I64, 3);
        CheckedSorts.sortAndCheck(GpuContractTest.TINY, 40_000, InputDistribution.ALL_EQUAL, KeyType.I64, 3);
        CheckedSorts.sortAndCheck(
                GpuContractTest.TINY.with("extraPercent=130"), 20_000, InputDistribution.UNIFORM, KeyType.I64, 3);
        CheckedSorts.sortAndCheck(HOPELESS, 49_000, InputDistribution.UNIFORM, KeyType.I64, 1);
        CheckedSorts.sortAndCheck(tight, 20_000, InputDistribution.UNIFORM, KeyType.I64, -1);
    }

    @Test
    void keysEqualToThePadsKeepTheirPayloads() {
        // Blocks fill up what they sort with the greatest key and payload 0: here are such keys, with other payloads.
        try (Sorter sorter = SampleSort.onGpu()
                .payload(ElementType.INT)
                .tuning(GpuContractTest.TINY)
                .build(ElementType.INT)) {
            for (int count : new int[] {2, 33, 127, 129, 500, 700, 767}) {
                Random random = new Random(count);
                int[] keys = random.ints(count, 0, 3)
                        .map(kind -> kind == 0 ? random.nextInt() : Integer.MAX_VALUE)
                        .toArray();
                int[] payloads = random.ints(count, 0, count).toArray();
                long[] expected = pairs(keys, payloads);
                sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(payloads));
                assertThat(keys).as("keys of %d", count).isSorted();
                assertThat(pairs(keys, payloads)).as("pairs of %d", count).isEqualTo(expected);
            }
        }
    }

    private static long[] pairs(int[] keys, int[] payloads) {
        return IntStream.range(0, keys.length)
                .mapToLong(i -> (long) keys[i] << Integer.SIZE | payloads[i])
                .sorted()
                .toArray();
    }
}
