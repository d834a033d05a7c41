package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.cuda.Context;
import io.samplesort.cuda.PinnedMemory;
import io.samplesort.cuda.Stream;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// An array that takes nearly all memory of the GPU. The host never has all of it: what an element is follows from its
/// index, and sums tell whether all elements are still there.
@Tag("gpu")
@Tag("alone")
@Tag("large")
@ExtendWith(GpuEnvironment.class)
class GpuInPlaceLargeTest {
    /// The part of the free memory that the array takes.
    private static final double SHARE = 0.87;

    /// The emulated GPU sorts fewer elements, in smaller tiles, with a little more memory.
    private static final int EMULATED_COUNT = 1 << 19;

    private static final String EMULATED_TUNING = ",distributionThreads=64,distributionItems=2";
    private static final long MOST_EXTRA_BYTES = EMULATED_COUNT * 8L * 3 / 20;
    private static final int PIECE = 1 << 22;

    @Test
    void anArrayOfNearlyAllMemory() {
        try (Context context = Context.retainPrimary(0);
                Context.Scope scope = context.enter();
                Stream stream = Stream.create(context);
                PinnedMemory pinned = PinnedMemory.allocate(context, PIECE * 8L);
                Sorter sorter = SampleSort.onGpu()
                        .timesPhases()
                        .deviceMemory(GpuEnvironment.IS_EMULATED ? MOST_EXTRA_BYTES : Long.MAX_VALUE)
                        .tuning("inPlaceSize=1,extraPercent=0" + (GpuEnvironment.IS_EMULATED ? EMULATED_TUNING : ""))
                        .build(ElementType.LONG)) {
            long count = GpuEnvironment.IS_EMULATED ? EMULATED_COUNT : (long) (SHARE * context.freeBytes() / 8);
            try (DeviceMemory memory = DeviceMemory.allocate(Device.gpu(0), count * 8)) {
                MemorySegment piece = pinned.segment();
                long sum = 0;
                long xor = 0;
                for (long begin = 0; begin < count; begin += PIECE) {
                    long first = begin;
                    long size = Math.min(PIECE, count - begin);
                    LongStream.range(0, size)
                            .parallel()
                            .forEach(i -> piece.setAtIndex(ValueLayout.JAVA_LONG, i, element(first + i)));
                    sum += sum(piece, size);
                    xor ^= xor(piece, size);
                    stream.copyToDevice(memory.address() + begin * 8, piece, size * 8);
                    stream.synchronize();
                }
                SortReport report = sorter.sort(memory);
                System.out.println(count + " longs in place: " + report);
                assertThat(report.extraBytes())
                        .isLessThanOrEqualTo(GpuEnvironment.IS_EMULATED ? MOST_EXTRA_BYTES : count * 8 / 10);
                long last = Long.MIN_VALUE;
                for (long begin = 0; begin < count; begin += PIECE) {
                    long size = Math.min(PIECE, count - begin);
                    stream.copyToHost(piece, memory.address() + begin * 8, size * 8);
                    stream.synchronize();
                    assertThat(piece.getAtIndex(ValueLayout.JAVA_LONG, 0))
                            .as("element %d", begin)
                            .isGreaterThanOrEqualTo(last);
                    assertThat(LongStream.range(1, size)
                                    .parallel()
                                    .allMatch(i -> piece.getAtIndex(ValueLayout.JAVA_LONG, i - 1)
                                            <= piece.getAtIndex(ValueLayout.JAVA_LONG, i)))
                            .as("order from element %d on", begin)
                            .isTrue();
                    last = piece.getAtIndex(ValueLayout.JAVA_LONG, size - 1);
                    sum -= sum(piece, size);
                    xor ^= xor(piece, size);
                }
                assertThat(sum).isZero();
                assertThat(xor).isZero();
            }
        }
    }

    /// The last steps of MurmurHash3 (Appleby 2011): another number for each index.
    private static long element(long index) {
        long bits = (index ^ index >>> 33) * 0xff51afd7ed558ccdL;
        bits = (bits ^ bits >>> 33) * 0xc4ceb9fe1a85ec53L;
        return bits ^ bits >>> 33;
    }

    /// Adds up what does not follow from the sum of the elements alone.
    private static long sum(MemorySegment piece, long size) {
        return LongStream.range(0, size)
                .parallel()
                .map(i -> element(piece.getAtIndex(ValueLayout.JAVA_LONG, i)))
                .sum();
    }

    private static long xor(MemorySegment piece, long size) {
        return LongStream.range(0, size)
                .parallel()
                .map(i -> piece.getAtIndex(ValueLayout.JAVA_LONG, i))
                .reduce(0, (a, b) -> a ^ b);
    }
}
