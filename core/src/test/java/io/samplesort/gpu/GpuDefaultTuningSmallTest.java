package io.samplesort.gpu;

import io.samplesort.testkit.KeyType;
import io.samplesort.types.Tuning;
import java.util.List;
import org.junit.jupiter.api.Tag;

/// The contract on a GPU as users get it, on inputs that the emulated one sorts in seconds.
@Tag("gpu")
@Tag("contract")
class GpuDefaultTuningSmallTest extends GpuContractTest {
    @Override
    Tuning tuning() {
        return null;
    }

    /// Keys that are moved by value, alone, and with a payload of their size. Other tests sort some of them as well, so
    /// that their kernels are compiled once.
    @Override
    protected List<Case> cases() {
        return List.of(
                representative(KeyType.I16, KeyType.I64, false, 0),
                representative(KeyType.I32, null, false, 1),
                representative(KeyType.I64, KeyType.I64, false, 2));
    }

    /// The default tuning follows from the sizes of key and payload, so there is one case for each pair of sizes. What
    /// else types and directions differ in has nothing to do with the tuning.
    @Override
    protected List<Case> everyCase() {
        return List.of(
                ascending(KeyType.U8, null, 0),
                ascending(KeyType.I8, KeyType.U32, 1),
                ascending(KeyType.U8, KeyType.I64, 0),
                ascending(KeyType.I16, null, 1),
                ascending(KeyType.U16, KeyType.U32, 0),
                ascending(KeyType.I16, KeyType.I64, 1),
                ascending(KeyType.I32, null, 0),
                ascending(KeyType.I32, KeyType.U32, 1),
                ascending(KeyType.U32, KeyType.I64, 0),
                ascending(KeyType.F64, null, 1),
                ascending(KeyType.I64, KeyType.U32, 0),
                ascending(KeyType.I64, KeyType.I64, 1));
    }

    private static Case ascending(KeyType key, KeyType payload, int firstDistribution) {
        return new Case(key, payload, false, everyOtherDistribution(firstDistribution));
    }

    @Override
    protected int[] edgeSizes() {
        return new int[] {0, 1, 1087, 1088, 1089, 4352, 4353, 8703, 8704, 8705};
    }

    @Override
    protected int largeSize() {
        return 40_000;
    }
}
