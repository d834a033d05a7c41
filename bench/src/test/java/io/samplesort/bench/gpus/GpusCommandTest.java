package io.samplesort.bench.gpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the benchmark of several GPUs on two emulated ones.
@Tag("emulated")
class GpusCommandTest {
    private static final long ONE_GPU = 2L << 30;

    @TempDir
    private Path folder;

    @BeforeEach
    void twoGpus() {
        EmulatedGpu.start();
        Emulator.start().setDevices(ONE_GPU, ONE_GPU);
    }

    @AfterEach
    void oneGpu() {
        // Also called where a test was skipped, as the emulator cannot be built.
        if (Emulator.unavailableReason().isEmpty()) {
            Emulator.start().setDevices(ONE_GPU);
        }
    }

    @Test
    void measuresOneAndTwoGpusInBothPlaces() throws Exception {
        measure("u32+u32", "20000", 1);
        try (var pictures = Files.list(folder.resolve("plots"))) {
            assertThat(pictures.map(file -> file.getFileName().toString()))
                    .contains("gpus-device-u32-u32.svg", "gpus-host-u32-u32.png");
        }
    }

    @Tag("exhaustive")
    @Test
    void measuresRecordsInBothPlaces() throws Exception {
        measure("record100", "20000", 1);
        try (var pictures = Files.list(folder.resolve("plots"))) {
            assertThat(pictures.map(file -> file.getFileName().toString()))
                    .contains("gpus-device-record100.svg", "gpus-host-record100.png");
        }
    }

    /// Measures in both places on one GPU and on two, checks what is told, and draws it.
    ///
    /// @param inputs how many types and sizes these are
    private void measure(String types, String sizes, int inputs) {
        List<Map<String, Object>> results = run("--types", types, "--sizes", sizes, "--tuning", "oneGpuBytes=0");
        assertThat(results).hasSize(2 * 2 * inputs);
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsKeys("wallMillisMedian", "wallGigaKeysPerSecond", "peers", "tuning"));
        assertThat(results.subList(0, 2))
                .extracting(result -> result.get("system"))
                .containsExactly("samplesort on 1 GPU", "samplesort on 2 GPUs");
        assertThat(results.getFirst()).doesNotContainKey("balance");
        assertThat(results)
                .filteredOn(result -> "host".equals(result.get("place")))
                .hasSize(2 * inputs)
                .allSatisfy(result ->
                        assertThat((double) result.get("timesArrayTransfers")).isPositive())
                .allSatisfy(
                        result -> assertThat((double) result.get("timesLink")).isPositive());
        assertThat(results)
                .filteredOn(result ->
                        "host".equals(result.get("place")) && result.get("gpus").equals(2))
                .allSatisfy(result -> assertThat(result).containsKey("stages"));
        assertThat((double) results.get(1).get("balance")).isBetween(1.0, 1.1);
        assertThat(((Number) results.get(1).get("copiedElements")).longValue()).isPositive();
        assertThat(Bench.commandLine()
                        .execute("plot", folder.resolve("results.jsonl").toString(), "--out", folder + "/plots"))
                .isZero();
    }

    /// Pairs, since the test above has their kernels.
    @Test
    void tuningsTakeTurns() {
        List<Map<String, Object>> results = run(
                "--types",
                "u32+u32",
                "--places",
                "device",
                "--sizes",
                "20000",
                "--shares",
                "1,3",
                "--tuning",
                "",
                "--tuning",
                "oneGpuBytes=0",
                "--tuning",
                "oneGpuBytes=0,bucketExchangeSize=" + Integer.MAX_VALUE);
        assertThat(results)
                .hasSize(4)
                .allSatisfy(result ->
                        assertThat(result).containsEntry("verified", true).containsEntry("untimed", 1));
        assertThat(results)
                .extracting(result -> result.get("way"))
                .containsExactly(null, "one of the GPUs", "buckets", "pieces");
        assertThat(results.get(2).get("sizes")).hasToString("[5000, 15000]");
        assertThat(((Number) results.get(2).get("storedElements")).longValue()).isZero();
        assertThat(((Number) results.get(3).get("copiedElements")).longValue()).isPositive();
    }

    @Test
    void teamsThatAreNamed() {
        assertThat(run("--types", "u32+u32", "--places", "device", "--sizes", "2000", "--teams", "all"))
                .singleElement()
                .satisfies(result -> assertThat(result).containsEntry("gpus", 2));
        for (String teams : List.of("0", "3", "both")) {
            assertThat(Bench.commandLine()
                            .execute("gpus", "--teams", teams, "--sizes", "2000", "--out", folder + "/none.jsonl"))
                    .isEqualTo(2);
        }
    }

    @Test
    void oneGpuIsNotEnough() {
        assertThat(Bench.commandLine().execute("gpus", "--device", "gpu:0", "--out", folder + "/none.jsonl"))
                .isEqualTo(2);
        assertThat(Bench.commandLine().execute("gpus", "--shares", "1,0", "--out", folder + "/none.jsonl"))
                .isEqualTo(2);
        assertThat(Bench.commandLine().execute("gpus", "--places", "disk", "--out", folder + "/none.jsonl"))
                .isEqualTo(2);
    }

    private List<Map<String, Object>> run(String... arguments) {
        Path file = folder.resolve("results.jsonl");
        List<String> all =
                new ArrayList<>(List.of("gpus", "--repetitions", "1", "--untimed", "1", "--out", file.toString()));
        all.addAll(Arrays.asList(arguments));
        assertThat(Bench.commandLine().execute(all.toArray(String[]::new))).isZero();
        return Results.read(file);
    }
}
