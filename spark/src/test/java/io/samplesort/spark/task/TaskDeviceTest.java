package io.samplesort.spark.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import org.junit.jupiter.api.Test;

/// Which device a task sorts on.
class TaskDeviceTest {
    private static final String[] NONE = {};

    @Test
    void theGpuThatSparkGives() {
        assertThat(TaskDevice.of("auto", new String[] {"3", "1"}, 2).device()).isEqualTo(Device.gpu(3));
        assertThat(TaskDevice.of("gpu", new String[] {"0"}, 2).device()).isEqualTo(Device.gpu(0));
    }

    @Test
    void theCpuOtherwise() {
        assertThat(TaskDevice.of("auto", NONE, 2).device()).isEqualTo(Device.cpu());
        assertThat(TaskDevice.of("cpu", new String[] {"0"}, 2).device()).isEqualTo(Device.cpu());
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> TaskDevice.of("cuda", NONE, 1)).hasMessageContaining("use auto, cpu or gpu");
        assertThatThrownBy(() -> TaskDevice.of("gpu", NONE, 1)).hasMessageContaining("spark.task.resource.gpu.amount");
        assertThatThrownBy(() -> TaskDevice.of("auto", new String[] {"MIG-7"}, 1))
                .hasMessageContaining("MIG-7")
                .hasMessageContaining("the numbers that nvidia-smi counts");
    }
}
