package io.samplesort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Devices, which only factories and their names make.
class DeviceTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "cpu", "gpu:0", "gpu:3", "gpus", "gpu:2,gpu:0"})
    void aNameStandsForTheDevice(String name) {
        Device device = Device.parse(name);
        assertThat(device).hasToString(name).isEqualTo(Device.parse(name)).hasSameHashCodeAs(Device.parse(name));
    }

    @Test
    void devicesOfDifferentNamesDiffer() {
        assertThat(List.of(
                        Device.auto(),
                        Device.cpu(),
                        Device.gpu(0),
                        Device.gpu(1),
                        Device.gpus(),
                        Device.gpus(0, 1),
                        Device.gpus(1, 0)))
                .doesNotHaveDuplicates();
        assertThat(Device.gpus(1)).isEqualTo(Device.gpu(1));
    }

    @Test
    void aDeviceTellsItsNumbers() {
        assertThat(Device.gpu(3).ordinal()).isEqualTo(3);
        assertThat(Device.gpu(3).ordinals()).isEmpty();
        assertThat(Device.gpus(2, 0).ordinal()).isZero();
        assertThat(Device.gpus(2, 0).ordinals()).containsExactly(2, 0);
        assertThat(Device.gpus().ordinals()).isEmpty();
        assertThat(Device.cpu().ordinal()).isZero();
    }

    @Test
    void nothingMakesADeviceThatCannotBe() {
        assertThat(Device.class.getConstructors()).isEmpty();
        assertThatThrownBy(() -> Device.gpu(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("device ordinal -1: GPUs are numbered from 0");
        assertThatThrownBy(() -> Device.gpus(1, 1)).hasMessageContaining("name each GPU once");
    }
}
