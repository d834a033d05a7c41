package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.CancelContract;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.reports.CancelledSort;
import io.samplesort.types.ElementType;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Sorts of host memory on a GPU are cancelled, in chunks that stay on the device.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuCancelTest extends CancelContract {
    @Override
    protected SorterBuilder builder() {
        return SampleSort.onGpu()
                .tuning(GpuContractTest.TINY)
                .tuning("chunkBytes=6000,transferBytes=4096,transferThreads=1,maxChunkCount=6");
    }

    @Override
    protected int count() {
        return 3000;
    }

    @Test
    void sortsInChunksThatGoThroughTheHost() {
        long[] source = new SplittableRandom(1).longs(count()).toArray();
        long[] keys = new long[count()];
        try (Sorter sorter = builder().deviceMemory(60_000).build(ElementType.LONG)) {
            int stops = CancelledSort.atManyPlaces(
                    count(),
                    () -> System.arraycopy(source, 0, keys, 0, count()),
                    () -> sorter.sort(keys),
                    isUnchanged -> assertThat(isUnchanged).isEqualTo(Arrays.equals(keys, source)),
                    () -> assertThat(keys).isSorted());
            assertThat(stops).isGreaterThan(3);
        }
    }
}
