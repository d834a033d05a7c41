package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.emulator.Emulator;
import io.samplesort.errors.InsufficientDeviceMemoryException;
import io.samplesort.types.ElementType;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts take no more device memory than they may. On a real GPU this cannot be measured, as the pool keeps more.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuMemoryLimitTest {
    private static final int COUNT = 3000;

    private final Emulator emulator = Emulator.start();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sortsStayWithinTheMemoryThatTheyMayTake(boolean isStable) {
        int sorts = 0;
        // From too little for chunks, over chunks that go through the host, to what the fast layout takes.
        for (long limit = 20_000; limit < 2_000_000; limit += limit / 6) {
            SorterBuilder builder = SampleSort.onGpu()
                    .tuning(GpuContractTest.TINY)
                    .tuning("chunkBytes=6000,transferBytes=4096,transferThreads=1,maxChunkCount=6")
                    .payload(ElementType.INT)
                    .deviceMemory(limit);
            long[] keys = new SplittableRandom(limit).longs(COUNT).toArray();
            try (Sorter sorter = (isStable ? builder.stable() : builder).build(ElementType.LONG)) {
                emulator.peakBytes();
                long before = emulator.peakBytes();
                Throwable failure = catchThrowable(
                        () -> sorter.sort(MemorySegment.ofArray(keys), MemorySegment.ofArray(new int[COUNT])));
                assertThat(emulator.peakBytes() - before)
                        .as("device memory taken where %d bytes are allowed", limit)
                        .isLessThanOrEqualTo(limit);
                if (failure == null) {
                    assertThat(keys).isSorted();
                    sorts++;
                } else {
                    assertThat(failure).isInstanceOf(InsufficientDeviceMemoryException.class);
                }
            }
        }
        assertThat(sorts).isGreaterThan(10);
    }
}
