package io.samplesort.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TuningTest {
    private static final Tuning DEFAULT = Tuning.defaultFor(ElementType.LONG, null);

    @Test
    void overridesReplaceByName() {
        Tuning tuning = DEFAULT.with("distributionItems=5, oversampling=30");
        assertThat(tuning.distributionItems()).isEqualTo(5);
        assertThat(tuning.oversampling()).isEqualTo(30);
        assertThat(tuning.smallSortItems()).isEqualTo(DEFAULT.smallSortItems());
        assertThat(DEFAULT.with("")).isEqualTo(DEFAULT);
    }

    @Test
    void parametersReadBack() {
        Tuning changed = DEFAULT.with("distributionItems=5,bucketTarget=99");
        assertThat(changed.parameters())
                .hasSameSizeAs(Tuning.class.getRecordComponents())
                .containsEntry("distributionItems", 5)
                .containsEntry("bucketTarget", 99)
                .containsEntry("oversampling", DEFAULT.oversampling());
        String text = changed.parameters().entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining(","));
        assertThat(Tuning.defaultFor(ElementType.INT, ElementType.INT).with(text))
                .isEqualTo(changed);
    }

    @Test
    void sortersOnTheCpuHaveNoTuning() {
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.INT)) {
            sorter.sort(new int[] {2, 1});
            assertThat(sorter.tuning()).isEmpty();
        }
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> DEFAULT.with("items=5"))
                .hasMessageContaining("items=5")
                .hasMessageContaining("oversampling");
        assertThatThrownBy(() -> DEFAULT.with("oversampling")).hasMessageContaining("name=value");
        assertThatThrownBy(() -> DEFAULT.with("oversampling=many")).hasMessageContaining("no whole number");
        assertThatThrownBy(() -> DEFAULT.with("maxBucketCount=100")).hasMessageContaining("power of two");
        assertThatThrownBy(() -> DEFAULT.with("smallSortItems=17")).hasMessageContaining("power of two");
        assertThatThrownBy(() -> DEFAULT.with("distributionThreads=33")).hasMessageContaining("multiple of 32");
        assertThatThrownBy(() -> DEFAULT.with("bucketTarget=0")).hasMessageContaining("bucketTarget=0");
        assertThatThrownBy(() -> DEFAULT.with("transferBytes=5000")).hasMessageContaining("multiple of 4096");
        assertThatThrownBy(() -> DEFAULT.with("transferBlocks=0")).hasMessageContaining("from 1 to 64");
        assertThatThrownBy(() -> DEFAULT.with("transferBlocks=65")).hasMessageContaining("transferBlocks=65");
    }

    @Test
    void devicesReadBack() {
        assertThat(Device.parse("gpu:3")).isEqualTo(Device.gpu(3));
        assertThat(Device.parse("gpu")).isEqualTo(Device.gpu(0));
        assertThat(Device.parse("auto")).isEqualTo(Device.auto());
        assertThatThrownBy(() -> Device.parse("gpu:x")).hasMessageContaining("gpu:x");
        assertThatThrownBy(() -> Device.gpu(-1)).hasMessageContaining("-1");
    }
}
