package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.emulator.Emulator;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The one-shot methods sort large arrays on the GPU, and give it back.
@Tag("emulated")
@ExtendWith(GpuEnvironment.class)
class GpuOneShotTest {
    private final Emulator emulator = Emulator.start();

    @Test
    @Timeout(300)
    void releasedSortersHoldNothingOfTheGpuAndSortOn() {
        SampleSort.release();
        List<String> before = emulator.leftovers();
        for (int sort = 0; sort < 2; sort++) {
            long[] unsorted = new SplittableRandom(sort).longs(1 << 18).toArray();
            long[] expected = unsorted.clone();
            Arrays.sort(expected);
            String device = "";
            // The CPU sorts until the kernels are there.
            while (!device.startsWith("gpu:0")) {
                long[] keys = unsorted.clone();
                device = SampleSort.sort(keys).device();
                assertThat(keys).isEqualTo(expected);
            }
            assertThat(emulator.leftovers()).hasSizeGreaterThan(before.size());
            SampleSort.release();
            assertThat(emulator.leftovers()).isEqualTo(before);
        }
    }
}
