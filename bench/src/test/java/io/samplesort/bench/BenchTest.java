package io.samplesort.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
    @TempDir
    private Path folder;

    @Test
    void sizesAreRangesOfPowersAndLists() {
        assertThat(Sizes.parse("2^3..2^6,1000")).containsExactly(8L, 16L, 32L, 64L, 1000L);
        assertThatThrownBy(() -> Sizes.parse("2^6..2^3")).hasMessageContaining("2^6..2^3");
        assertThatThrownBy(() -> Sizes.parse("many")).hasMessageContaining("many");
    }

    @Test
    void mediansOfOddAndEvenCounts() {
        assertThat(Statistics.median(new double[] {5, 1, 3})).isEqualTo(3);
        assertThat(Statistics.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        Map<String, Object> result = new LinkedHashMap<>();
        Statistics.put(result, "device", new double[] {2, 1, 4}, 2e6);
        assertThat(result).containsEntry("deviceMillisMedian", 2.0).containsEntry("deviceGigaKeysPerSecond", 1.0);
    }

    @Test
    void subjectsReadBack() {
        for (Subject subject : Subject.WITH_BASELINE) {
            assertThat(Subject.parse(subject.toString())).isEqualTo(subject);
        }
        assertThat(Subject.parse("u32+u32").code()).isEqualTo(10);
        assertThatThrownBy(() -> Subject.parse("u128"))
                .hasMessageContaining("u128")
                .hasMessageContaining("f64");
    }

    @Test
    void hostBenchmarkAndPlots() throws IOException {
        Path results = folder.resolve("r.jsonl");
        int exitCode = Bench.commandLine()
                .execute(
                        "host",
                        "--device",
                        "cpu",
                        "--sizes",
                        "2^12",
                        "--repetitions",
                        "3",
                        "--out",
                        results.toString());
        assertThat(exitCode).isZero();
        List<Map<String, Object>> lines = Results.read(results);
        assertThat(lines)
                .hasSize(4)
                .allSatisfy(line -> assertThat(line)
                        .containsEntry("verified", true)
                        .containsKeys("wallMillisMedian", "commit", "date", "command"));
        Results device = new Results(folder.resolve("d.jsonl"), Map.of());
        for (long n = 1 << 16; n <= 1 << 20; n *= 2) {
            device.add(Map.of(
                    "system",
                    "a",
                    "type",
                    "u32+u32",
                    "distribution",
                    "uniform",
                    "count",
                    n,
                    "deviceGigaKeysPerSecond",
                    n * 1e-6));
        }
        assertThat(Bench.commandLine()
                        .execute("plot", folder.resolve("d.jsonl").toString(), "--out", folder.toString()))
                .isZero();
        assertThat(Files.size(folder.resolve("rate-u32-u32.svg"))).isGreaterThan(1000);
        assertThat(Files.size(folder.resolve("rate-u32-u32.png"))).isGreaterThan(1000);
    }
}
