package io.samplesort.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.testkit.InputDistribution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Checks how the command line is read, and the statistics of results.
class OptionsAndStatisticsTest {
    @Test
    void sizesAreRangesOfPowersAndLists() {
        assertThat(Sizes.parse("2^3..2^6,1000")).containsExactly(8L, 16L, 32L, 64L, 1000L);
        assertThatThrownBy(() -> Sizes.parse("2^6..2^3")).hasMessageContaining("2^6..2^3");
        assertThatThrownBy(() -> Sizes.parse("many")).hasMessageContaining("many");
    }

    @Test
    void sizesAreWrittenAsTheyAreRead() {
        assertThat(Sizes.text(1L << 30)).isEqualTo("2^30");
        assertThat(Sizes.text(1_000_000)).isEqualTo("1000000");
    }

    @Test
    void distributionsAreNamesOrAll() {
        assertThat(DistributionOption.parse(List.of("all"))).containsExactly(InputDistribution.values());
        assertThat(DistributionOption.parse(List.of("zipf", "uniform")))
                .containsExactly(InputDistribution.ZIPF, InputDistribution.UNIFORM);
        assertThatThrownBy(() -> DistributionOption.parse(List.of("zipf", "all")))
                .hasMessageContaining("'all'");
    }

    @Test
    void mediansOfOddAndEvenCounts() {
        assertThat(Statistics.median(new double[] {5, 1, 3})).isEqualTo(3);
        assertThat(Statistics.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        Map<String, Object> result = new LinkedHashMap<>();
        Statistics.put(result, "device", new double[] {2, 1, 4}, 2e6);
        assertThat(result).containsEntry("deviceMillisMedian", 2.0).containsEntry("deviceGigaKeysPerSecond", 1.0);
    }
}
