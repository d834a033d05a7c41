package io.samplesort.gpu;

import io.samplesort.ContractTypes;
import io.samplesort.OneShotArraysTest;
import io.samplesort.SampleSort;
import io.samplesort.SortContract;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The contract on a GPU, with buckets so small that ten thousand elements take three passes.
///
/// Each sorter has kernels of its own, and to compile them takes longer than to run them. So the cases are not the
/// whole product of what they differ in. All together they have every pair of two such things: each type is sorted in
/// both directions, alone and with a payload, and on every input distribution. Keys of each size have no payload, one
/// of four bytes and one of eight. No payload and each of the two go with both directions and with every distribution.
@Tag("gpu")
@Tag("contract")
@ExtendWith(GpuEnvironment.class)
public class GpuContractTest extends SortContract {
    public static final Tuning TINY = Tuning.defaultFor(ElementType.LONG, null)
            .with("distributionThreads=64,distributionItems=3,distributionBlocks=1,maxBucketCount=8,bucketTarget=96")
            .with("oversampling=4,bucketSlack=6,extraPercent=0,sampleThreads=64,sampleItems=4")
            .with("smallSortThreads=32,smallSortItems=4,smallSortResidentThreads=32")
            .with("mergedRuns=0,rankedSize=0,oneGpuBytes=0");

    @Override
    protected Engine engine(KeyType key, KeyType payload, boolean isDescending) {
        SorterBuilder builder = SampleSort.onGpu().order(ContractTypes.order(key, isDescending));
        Tuning tuning = tuning();
        if (tuning != null) {
            builder.tuning(tuning);
        }
        if (payload != null) {
            builder.payload(ContractTypes.elementType(payload));
        }
        Sorter sorter = builder.build(ContractTypes.elementType(key));
        return new Engine() {
            @Override
            public void sort(MemorySegment keys, MemorySegment payloads) {
                if (payloads == null) {
                    sorter.sort(keys);
                } else {
                    sorter.sort(keys, payloads);
                }
            }

            @Override
            public void close() {
                sorter.close();
            }
        };
    }

    /// Arrays of one type stand for all: they are handed on as segments.
    @Test
    void findsTheOrderOfArrays() throws Exception {
        OneShotArraysTest.checkSorter(SampleSort.onGpu().tuning(TINY), long.class, 3000);
    }

    /// Null for the defaults.
    Tuning tuning() {
        return TINY;
    }

    /// In which direction the keys of a type have a payload here; without one they are sorted in the other. Tests of
    /// several GPUs do the same, so that many kernels are compiled once for both.
    public static boolean isDescendingWithPayload(KeyType key) {
        int turn = key.ordinal() % 4;
        return turn == 0 || turn == 3;
    }

    /// Keys that are counted, and such that are moved by value, alone, with a payload of their size and of another; in
    /// both directions, signed, unsigned and floating point. Most are also sorted by other tests, which saves their
    /// kernels.
    @Override
    protected List<Case> cases() {
        return List.of(
                representative(KeyType.I8, null, false, 0),
                representative(KeyType.U16, KeyType.I64, true, 1),
                representative(KeyType.I32, KeyType.U32, false, 2),
                representative(KeyType.F32, null, false, 0),
                representative(KeyType.I64, null, false, 1),
                representative(KeyType.I32, KeyType.I64, false, 2),
                representative(KeyType.U64, KeyType.I64, true, 0),
                representative(KeyType.F64, null, false, 1));
    }

    @Override
    protected List<Case> everyCase() {
        List<Case> cases = new ArrayList<>();
        for (KeyType key : KeyType.values()) {
            // In turn: which payload it is.
            int turn = key.ordinal() % 4;
            boolean isDescendingWithPayload = isDescendingWithPayload(key);
            KeyType payload = turn % 2 == 0 ? KeyType.U32 : KeyType.I64;
            cases.add(new Case(key, null, !isDescendingWithPayload, everyOtherDistribution(turn / 2)));
            cases.add(new Case(key, payload, isDescendingWithPayload, everyOtherDistribution(1 - turn / 2)));
        }
        return cases;
    }

    /// Every second input distribution, from the first or the second on.
    static List<InputDistribution> everyOtherDistribution(int first) {
        return Arrays.stream(InputDistribution.values())
                .filter(distribution -> distribution.ordinal() % 2 == first)
                .toList();
    }

    @Override
    protected int[] edgeSizes() {
        // Tiles have 192 elements; the small sort takes 96, 192, 384 and 768.
        return new int[] {
            0, 1, 2, 31, 32, 33, 95, 96, 97, 191, 192, 193, 200, 255, 256, 300, 383, 384, 385, 767, 768, 769, 1000,
            1535, 1536, 1537
        };
    }

    @Override
    protected int largeSize() {
        return 12_000;
    }
}
