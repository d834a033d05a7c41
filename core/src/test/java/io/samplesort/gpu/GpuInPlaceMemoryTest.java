package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.emulator.Emulator;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What sorts in place take in addition to the input, measured by the emulated GPU. Tiles are small, since a page has
/// at least one and each bucket a page that is not full.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuInPlaceMemoryTest {
    /// With this many elements, a page has several tiles, which different blocks read.
    private static final int COUNT = GpuInPlaceTest.PAGES_OF_SEVERAL_TILES;

    private static final int PART = 10;

    private final Emulator emulator = Emulator.start();

    @Test
    void takesATenthOfTheInput() {
        long bytes = COUNT * 8L;
        long limit = 2 * bytes / PART;
        try (Arena arena = Arena.ofShared();
                DeviceMemory keys = DeviceMemory.allocate(Device.gpu(0), bytes);
                DeviceMemory payloads = DeviceMemory.allocate(Device.gpu(0), bytes);
                Sorter sorter = SampleSort.onGpu()
                        .tuning("inPlaceSize=1,distributionThreads=64,distributionItems=1")
                        .payload(ElementType.LONG)
                        .build(ElementType.LONG)) {
            MemorySegment hostKeys = arena.allocate(bytes, 8);
            MemorySegment hostPayloads = arena.allocate(bytes, 8);
            InputDistribution.ZIPF.fill(hostKeys, KeyType.I64, 3);
            InputDistribution.UNIFORM.fill(hostPayloads, KeyType.I64, 4);
            Fingerprint before = Fingerprint.of(hostKeys, KeyType.I64, hostPayloads, KeyType.I64);
            keys.copyFrom(hostKeys);
            payloads.copyFrom(hostPayloads);
            emulator.peakBytes();
            long taken = emulator.peakBytes();
            SortReport report = sorter.sort(keys, payloads);
            taken = emulator.peakBytes() - taken;
            keys.copyTo(hostKeys);
            payloads.copyTo(hostPayloads);
            assertThat(ResultCheck.firstViolation(hostKeys, KeyType.I64, false)).isEmpty();
            assertThat(Fingerprint.of(hostKeys, KeyType.I64, hostPayloads, KeyType.I64))
                    .isEqualTo(before);
            assertThat(taken).as("peak").isBetween(limit / 2, limit);
            assertThat(report.extraBytes()).as("report").isBetween(taken, limit);
        }
    }
}
