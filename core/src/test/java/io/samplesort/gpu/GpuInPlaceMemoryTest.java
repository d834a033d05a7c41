package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
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
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What sorts in place take beside the input with the default tuning, measured by the emulated GPU.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuInPlaceMemoryTest {
    private static final int COUNT = (1 << 19) + (1 << 16) + 3;
    private static final int PART = 10;

    private final Emulator emulator = Emulator.start();

    @ParameterizedTest
    @CsvSource({"I64,,UNIFORM", "I64,I64,UNIFORM", "F64,,ZIPF"})
    void takesATenthOfTheInput(KeyType key, KeyType payload, InputDistribution distribution) {
        long keyBytes = (long) COUNT * key.byteSize();
        long payloadBytes = payload == null ? 8 : (long) COUNT * payload.byteSize();
        long limit = (keyBytes + (payload == null ? 0 : payloadBytes)) / PART;
        SorterBuilder builder = SampleSort.onGpu().tuning("inPlaceSize=1");
        if (payload != null) {
            builder.payload(ElementType.of(payload.layout()));
        }
        try (Arena arena = Arena.ofShared();
                DeviceMemory keys = DeviceMemory.allocate(Device.gpu(0), keyBytes);
                DeviceMemory payloads = DeviceMemory.allocate(Device.gpu(0), payloadBytes);
                Sorter sorter = builder.build(ElementType.of(key.layout()))) {
            MemorySegment hostKeys = arena.allocate(keyBytes, 8);
            MemorySegment hostPayloads = arena.allocate(payloadBytes, 8);
            distribution.fill(hostKeys, key, 3);
            InputDistribution.UNIFORM.fill(hostPayloads, KeyType.I64, 4);
            Fingerprint before = fingerprint(hostKeys, key, hostPayloads, payload);
            keys.copyFrom(hostKeys);
            payloads.copyFrom(hostPayloads);
            emulator.peakBytes();
            long taken = emulator.peakBytes();
            SortReport report = payload == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
            taken = emulator.peakBytes() - taken;
            keys.copyTo(hostKeys);
            payloads.copyTo(hostPayloads);
            assertThat(ResultCheck.firstViolation(hostKeys, key, false)).isEmpty();
            assertThat(fingerprint(hostKeys, key, hostPayloads, payload)).isEqualTo(before);
            assertThat(taken).as("peak").isBetween(limit / 2, limit);
            assertThat(report.extraBytes()).as("report").isBetween(taken, limit);
        }
    }

    private static Fingerprint fingerprint(MemorySegment keys, KeyType key, MemorySegment payloads, KeyType payload) {
        return payload == null ? Fingerprint.of(keys, key) : Fingerprint.of(keys, key, payloads, payload);
    }
}
