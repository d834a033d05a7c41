package io.samplesort.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the benchmarks of host memory on the emulated GPU.
@Tag("emulated")
class HostCommandTest {
    private static final String CHUNKS = "chunkBytes=4096,transferBytes=4096";

    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    @Test
    void sortsArraysAndPinnedMemory() {
        List<String> before = Emulator.start().leftovers();
        List<Map<String, Object>> results = run(
                "host",
                "--device",
                "gpu",
                "--sizes",
                "3000",
                "--repetitions",
                "2",
                "--systems",
                "samplesort-gpu,samplesort-gpu-pinned,Arrays.parallelSort",
                "--tuning",
                CHUNKS);
        assertThat(results)
                .extracting(result -> result.get("system"))
                .containsExactly("samplesort-gpu", "samplesort-gpu-pinned", "Arrays.parallelSort");
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 2)
                        .containsKeys("wallMillisMedian", "linkUpBytesPerSecond", "linkDownBytesPerSecond", "command"));
        for (Map<String, Object> ours : results.subList(0, 2)) {
            assertThat(ours).containsKeys("timesLink", "tuning");
            assertThat(stageBytes(ours)).containsExactly("upload 24000", "sort 48000", "download 24000");
        }
        assertThat(results.getLast()).doesNotContainKey("stages");
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    @Test
    void systemsHaveToBeKnown() {
        assertThat(Bench.commandLine()
                        .execute("host", "--device", "cpu", "--systems", "quick", "--out", folder + "/none.jsonl"))
                .isEqualTo(2);
    }

    @Test
    void sortsMoreThanTheGpuMayHold() {
        List<Map<String, Object>> results =
                run("large", "--counts", "20000", "--device-memory", "300000", "--distributions", "uniform,all-equal");
        assertThat(results).hasSize(2).allSatisfy(result -> {
            assertThat(result).containsEntry("verified", true).containsEntry("deviceMemoryLimit", 300_000);
            assertThat(stageBytes(result)).containsExactly("upload 320000", "sort 320000", "download 320000");
        });
    }

    private static List<String> stageBytes(Map<String, Object> result) {
        return ((List<?>) result.get("stages"))
                .stream()
                        .map(stage -> (Map<?, ?>) stage)
                        .map(stage -> stage.get("name") + " " + stage.get("bytes"))
                        .toList();
    }

    private List<Map<String, Object>> run(String... arguments) {
        Path file = folder.resolve("results.jsonl");
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--out", file.toString()));
        assertThat(Bench.commandLine().execute(all.toArray(String[]::new))).isZero();
        return Results.read(file);
    }
}
