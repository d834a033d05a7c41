package io.samplesort.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.Device;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                .hasSameSizeAs(TuningParameter.ALL)
                .containsEntry("distributionItems", 5)
                .containsEntry("bucketTarget", 99)
                .containsEntry("oversampling", DEFAULT.oversampling());
        String text = changed.parameters().entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining(","));
        assertThat(Tuning.defaultFor(ElementType.INT, ElementType.INT).with(text))
                .isEqualTo(changed);
        assertThat(changed).hasToString(text);
    }

    /// The parameters by which the columns of the table of defaults differ, at both ends of each column.
    @ParameterizedTest
    @CsvSource({
        "1, 0, 12, 64, 640",
        "3, 0, 12, 64, 640",
        "4, 0, 16, 128, 1024",
        "5, 0, 12, 128, 1024",
        "8, 0, 12, 128, 1024",
        "9, 0, 8, 64, 768",
        "12, 0, 8, 64, 768",
        "13, 0, 12, 128, 896",
        "16, 0, 12, 128, 896",
        "17, 0, 8, 64, 512",
        "32, 0, 8, 64, 512",
        "33, 0, 6, 64, 384",
        "64, 0, 6, 64, 384",
        "65, 0, 2, 32, 256",
        "300, 0, 2, 32, 256",
        "4, 4, 12, 128, 1024",
        "8, 8, 8, 64, 640",
        "5, 5, 8, 64, 640",
        "1, 1, 16, 64, 640",
        "4, 2, 16, 64, 640",
        "2, 6, 16, 64, 640",
        "8, 1, 12, 128, 1024",
        "4, 8, 12, 128, 1024"
    })
    void defaultsDependOnWhatIsMoved(int keyBytes, int payloadBytes, int items, int smallThreads, int residentThreads) {
        Tuning tuning = Tuning.defaultFor(keyBytes, payloadBytes, false, "sm_90");
        assertThat(tuning.distributionItems()).isEqualTo(items);
        assertThat(tuning.smallSortThreads()).isEqualTo(smallThreads);
        assertThat(tuning.smallSortResidentThreads()).isEqualTo(residentThreads);
        boolean isMeasured = payloadBytes == 0
                ? keyBytes >= 4 && keyBytes <= 8 || keyBytes > 12 && keyBytes <= 16
                : keyBytes >= 4 && keyBytes <= 8 && payloadBytes == keyBytes;
        assertThat(tuning.mergedRuns()).isEqualTo(isMeasured ? 64 : 0);
        assertThat(tuning.transferBytes()).isEqualTo(512 << 10);
        Tuning other = tuning.with(payloadBytes > 0 ? "mergedRuns=0,gridCells=0" : "mergedRuns=0");
        Tuning stable = Tuning.defaultFor(keyBytes, payloadBytes, true, "sm_90");
        assertThat(stable).isEqualTo(other.with("smallSortResidentThreads=" + (keyBytes == 4 ? 768 : 384)));
        Tuning elsewhere = Tuning.defaultFor(keyBytes, payloadBytes, true, "sm_80");
        assertThat(elsewhere).isEqualTo(other.with("smallSortResidentThreads=32,distributionBlocks=1"));
    }

    @ParameterizedTest
    @CsvSource({
        "8, 0, sm_86, 2, 1024",
        "8, 8, sm_80, 2, 512",
        "4, 0, sm_103, 2, 768",
        "8, 0, sm_120, 2, 512",
        "8, 0, sm_75, 1, 32",
        "16, 0, sm_80, 1, 32",
        "4, 0, compute_100, 1, 32"
    })
    void registersElsewhereAreLimitedWhereTheCompilerDoesNotSpill(
            int keyBytes, int payloadBytes, String architecture, int blocks, int residentThreads) {
        Tuning tuning = Tuning.defaultFor(keyBytes, payloadBytes, false, architecture);
        assertThat(tuning.distributionBlocks()).isEqualTo(blocks);
        assertThat(tuning.smallSortResidentThreads()).isEqualTo(residentThreads);
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
        assertThatThrownBy(() -> DEFAULT.with("oversampling=many")).hasMessageContaining("not a whole number");
        assertThatThrownBy(() -> DEFAULT.with("maxBucketCount=100")).hasMessageContaining("power of two");
        assertThatThrownBy(() -> DEFAULT.with("smallSortItems=17")).hasMessageContaining("power of two");
        assertThatThrownBy(() -> DEFAULT.with("distributionThreads=33")).hasMessageContaining("multiple of 32");
        assertThatThrownBy(() -> DEFAULT.with("bucketTarget=0")).hasMessageContaining("bucketTarget=0");
        String aboveLimit = "bucketTarget=" + (DEFAULT.smallSortLimit() + 1);
        assertThatThrownBy(() -> DEFAULT.with(aboveLimit)).hasMessageContaining("to " + DEFAULT.smallSortLimit());
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
