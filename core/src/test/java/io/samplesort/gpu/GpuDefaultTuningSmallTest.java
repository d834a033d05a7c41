package io.samplesort.gpu;

import io.samplesort.types.Tuning;
import org.junit.jupiter.api.Tag;

/// The contract on a GPU as users get it, on inputs that the emulated one sorts in seconds.
@Tag("gpu")
@Tag("contract")
class GpuDefaultTuningSmallTest extends GpuContractTest {
    @Override
    Tuning tuning() {
        return null;
    }

    /// The other order has kernels of its own, which differ in what is compared and not by the tuning.
    @Override
    protected boolean[] directions() {
        return new boolean[] {false};
    }

    @Override
    protected int[] edgeSizes() {
        return new int[] {0, 1, 1087, 1088, 1089, 4352, 4353, 8703, 8704, 8705, 20_000};
    }

    @Override
    protected int largeSize() {
        return 40_000;
    }
}
