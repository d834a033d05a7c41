package io.samplesort.bench.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelectCommandTest {
    @TempDir
    private Path folder;

    @Test
    void onTheCpuNextToReadingAndSorting() {
        List<Map<String, Object>> results =
                measure("--on=cpu", "--types=i32,u64,f32,f64", "--sizes=20000", "--k=1,100", "--threads=2");
        assertThat(results).hasSize(4 * 5);
        assertThat(results)
                .extracting(result -> result.get("what"))
                .containsOnly("all", "first 1", "first 100", "middle");
    }

    @Test
    @Tag("emulated")
    void inDeviceMemoryWithItsPhases() {
        EmulatedGpu.start();
        List<Map<String, Object>> results = measure("--on=gpu", "--types=i64", "--sizes=20000", "--k=1,100");
        assertThat(results)
                .extracting(result -> result.get("what"))
                .containsExactly("all", "first 1", "argfirst 1", "first 100", "argfirst 100", "middle");
        assertThat(results.getLast()).containsKeys("gpu", "phaseMillis", "extraBytes");
    }

    private List<Map<String, Object>> measure(String... arguments) {
        Path out = folder.resolve("results.jsonl");
        String[] all = new String[arguments.length + 3];
        all[0] = "select";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 2] = "--repetitions=2";
        all[all.length - 1] = "--out=" + out;
        assertThat(Bench.commandLine().execute(all)).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsKeys("inputGigabytesPerSecond", "command"));
        return results;
    }
}
