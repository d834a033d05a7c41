package io.samplesort.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the benchmark of waiting callers on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
class WaitCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    @Test
    void eachWindowAndABurstHaveAResultOfEachContender() throws IOException, InterruptedException {
        List<String> before = Emulator.start().leftovers();
        Path out = folder.resolve("r.jsonl");
        int exit = Bench.commandLine()
                .execute(
                        "wait",
                        "--types",
                        "u32",
                        "--sizes",
                        "200",
                        "--sorts",
                        "30",
                        "--baselines",
                        EmulatedGpu.baselines(folder).toString(),
                        "--out",
                        out.toString());
        assertThat(exit).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("type", "u32")
                        .containsEntry("count", 200)
                        .containsKeys("gpu", "commit", "command", "cub"));
        assertThat(results)
                .extracting(result -> result.get("system") + " "
                        + (result.containsKey("enqueuedMillisMedian")
                                ? "burst"
                                : result.get("fromSort") + " " + result.get("repetitions")))
                .containsExactly(
                        "samplesort 1 9",
                        "samplesort 10 20",
                        "samplesort burst",
                        "cub-radix 1 9",
                        "cub-radix 10 20",
                        "cub-radix burst",
                        "cub-merge 1 9",
                        "cub-merge 10 20",
                        "cub-merge burst");
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }
}
