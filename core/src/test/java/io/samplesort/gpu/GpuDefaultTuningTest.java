package io.samplesort.gpu;

import io.samplesort.types.Tuning;
import java.util.List;
import org.junit.jupiter.api.Tag;

/// The contract on a GPU as users get it, on inputs too large for the emulated one.
@Tag("gpu")
@Tag("large")
class GpuDefaultTuningTest extends GpuContractTest {
    /// A GPU has the time for all of them.
    @Override
    protected List<Case> everyCase() {
        return allCases();
    }

    @Override
    Tuning tuning() {
        return null;
    }

    @Override
    protected int[] edgeSizes() {
        return new int[] {0, 1, 1087, 1088, 1089, 4352, 4353, 8703, 8704, 8705, 100_000, (1 << 20) - 1, (1 << 20) + 1};
    }

    @Override
    protected int largeSize() {
        return 3_000_000;
    }
}
