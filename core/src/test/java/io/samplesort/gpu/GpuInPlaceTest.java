package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ContractTypes;
import io.samplesort.Device;
import io.samplesort.DeviceMemory;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.testkit.ResultCheck;
import io.samplesort.testkit.StabilityCheck;
import io.samplesort.testkit.StabilityCheck.Column;
import io.samplesort.types.SortReport;
import io.samplesort.types.Tuning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Sorts in place of arrays so small that they take it only because there is no memory for another way.
@Tag("gpu")
@ExtendWith(GpuEnvironment.class)
class GpuInPlaceTest {
    private static final Device GPU = Device.gpu(0);

    /// Many buckets in the first pass, and small ones in the end.
    static final Tuning TUNING = GpuContractTest.TINY.with("maxBucketCount=64,oversampling=16");

    private static final String MOVES = "gather_pieces";

    @ParameterizedTest
    @EnumSource(InputDistribution.class)
    void everyDistribution(InputDistribution distribution) {
        assertThat(sort(KeyType.I64, null, false, false, distribution, 20_011))
                .contains(MOVES);
    }

    /// Pairs of equal sizes lie in two arrays here and as whole elements in other sorts, and floating-point keys are
    /// mapped on their way. Stable pairs keep their order wherever their pieces go.
    @ParameterizedTest
    @CsvSource({
        "U32,,false,false",
        "F32,,true,false",
        "F64,,false,false",
        "I32,U32,false,false",
        "I64,I64,true,false",
        "F64,U64,false,true",
        "U32,I32,false,true",
        "I64,U8,false,false",
        "F32,U64,true,false",
        "U16,U32,false,false",
    })
    void everyKindOfElement(KeyType key, KeyType payload, boolean isDescending, boolean isStable) {
        for (InputDistribution distribution : List.of(InputDistribution.UNIFORM, InputDistribution.ROOT_DUPLICATES)) {
            assertThat(sort(key, payload, isDescending, isStable, distribution, 16_007))
                    .as("%s", distribution)
                    .contains(MOVES);
        }
    }

    private static List<String> sort(
            KeyType key,
            KeyType payload,
            boolean isDescending,
            boolean isStable,
            InputDistribution distribution,
            int count) {
        long keyBytes = (long) count * key.byteSize();
        long payloadBytes = payload == null ? 8 : (long) count * payload.byteSize();
        long inputBytes = keyBytes + (payload == null ? 0 : payloadBytes);
        // Too little for any other layout, which takes as much as the input and a good part of it again.
        long limit = inputBytes * 9 / 10;
        SorterBuilder builder = SampleSort.onGpu()
                .tuning(TUNING)
                .deviceMemory(limit)
                .order(ContractTypes.order(key, isDescending))
                .timesPhases(true);
        if (payload != null) {
            builder.payload(ContractTypes.elementType(payload));
        }
        if (isStable) {
            builder.stable();
        }
        try (Arena arena = Arena.ofShared();
                DeviceMemory keys = DeviceMemory.allocate(GPU, Math.max(1, keyBytes));
                DeviceMemory payloads = DeviceMemory.allocate(GPU, payloadBytes);
                Sorter sorter = builder.build(ContractTypes.elementType(key))) {
            MemorySegment hostKeys = arena.allocate(keyBytes, 8);
            MemorySegment hostPayloads = arena.allocate(payloadBytes, 8);
            MemorySegment keysBefore = arena.allocate(keyBytes, 8);
            MemorySegment payloadsBefore = arena.allocate(payloadBytes, 8);
            distribution.fill(hostKeys, key, 3);
            InputDistribution.UNIFORM.fill(hostPayloads, payload == null ? KeyType.I64 : payload, 4);
            Fingerprint before = fingerprint(hostKeys, key, hostPayloads, payload);
            keysBefore.copyFrom(hostKeys);
            payloadsBefore.copyFrom(hostPayloads);
            keys.copyFrom(hostKeys);
            payloads.copyFrom(hostPayloads);
            SortReport report = payload == null ? sorter.sort(keys) : sorter.sort(keys, payloads);
            keys.copyTo(hostKeys);
            payloads.copyTo(hostPayloads);
            String what = count + " " + key + " with " + payload + ", " + distribution;
            assertThat(ResultCheck.firstViolation(hostKeys, key, isDescending))
                    .as(what)
                    .isEmpty();
            assertThat(fingerprint(hostKeys, key, hostPayloads, payload))
                    .as(what)
                    .isEqualTo(before);
            if (isStable) {
                assertThat(StabilityCheck.violation(
                                new Column(keysBefore, hostKeys, key.byteSize()),
                                List.of(new Column(payloadsBefore, hostPayloads, payload.byteSize())),
                                ContractTypes.order(key, isDescending).toComparator(ContractTypes.elementType(key))))
                        .as(what)
                        .isEmpty();
            }
            assertThat(report.extraBytes()).as(what).isLessThanOrEqualTo(limit);
            return report.phases().stream().map(SortReport.Phase::name).toList();
        }
    }

    private static Fingerprint fingerprint(MemorySegment keys, KeyType key, MemorySegment payloads, KeyType payload) {
        return payload == null ? Fingerprint.of(keys, key) : Fingerprint.of(keys, key, payloads, payload);
    }
}
