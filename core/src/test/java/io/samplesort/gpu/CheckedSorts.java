package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Sorts of generated elements in device memory that check order, elements and the number of passes.
final class CheckedSorts {
    private CheckedSorts() {}

    static void sortKeysAndCheck(KeyType type, Tuning tuning, int count, InputDistribution distribution) {
        long bytes = (long) count * type.byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), bytes);
                Sorter sorter = SampleSort.onGpu().tuning(tuning).build(ElementType.of(type.layout()))) {
            MemorySegment keys = arena.allocate(bytes, 8);
            distribution.fill(keys, type, 5);
            Fingerprint before = Fingerprint.of(keys, type);
            deviceKeys.copyFrom(keys);
            sorter.sort(deviceKeys);
            deviceKeys.copyTo(keys);
            String what = count + " " + type + ", " + distribution + ", " + tuning;
            assertThat(ResultCheck.firstViolation(keys, type, false))
                    .as("order of %s", what)
                    .isEmpty();
            assertThat(Fingerprint.of(keys, type)).as("elements of %s", what).isEqualTo(before);
        }
    }

    static SortReport sortAndCheck(Tuning tuning, int count, InputDistribution distribution, int passes) {
        return sortAndCheck(tuning, count, distribution, KeyType.I32, passes);
    }

    static SortReport sortAndCheck(
            Tuning tuning, int count, InputDistribution distribution, KeyType payload, int passes) {
        long payloadBytes = (long) count * payload.byteSize();
        try (Arena arena = Arena.ofShared();
                DeviceMemory deviceKeys = DeviceMemory.allocate(Device.gpu(0), count * 8L);
                DeviceMemory devicePayloads = DeviceMemory.allocate(Device.gpu(0), payloadBytes);
                Sorter sorter = SampleSort.onGpu()
                        .payload(ElementType.of(payload.layout()))
                        .tuning(tuning)
                        .build(ElementType.LONG)) {
            MemorySegment keys = arena.allocate(count * 8L, 8);
            MemorySegment payloads = arena.allocate(payloadBytes, 8);
            distribution.fill(keys, KeyType.I64, 3);
            InputDistribution.UNIFORM.fill(payloads, payload, 4);
            Fingerprint before = Fingerprint.of(keys, KeyType.I64, payloads, payload);
            deviceKeys.copyFrom(keys);
            devicePayloads.copyFrom(payloads);
            SortReport report = sorter.sort(deviceKeys, devicePayloads);
            deviceKeys.copyTo(keys);
            devicePayloads.copyTo(payloads);
            String what = distribution + ", " + count + " elements with " + payload + ", " + tuning;
            assertThat(ResultCheck.firstViolation(keys, KeyType.I64, false))
                    .as("order of %s", what)
                    .isEmpty();
            assertThat(Fingerprint.of(keys, KeyType.I64, payloads, payload))
                    .as("pairs of %s", what)
                    .isEqualTo(before);
            if (passes >= 0) {
                assertThat(report.passes()).as("passes of %s", what).isEqualTo(passes);
            }
            return report;
        }
    }
}
