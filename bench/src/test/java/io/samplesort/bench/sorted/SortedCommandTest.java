package io.samplesort.bench.sorted;

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

class SortedCommandTest {
    @TempDir
    private Path folder;

    @Test
    void onTheCpuNextToPlainJavaAndCopies() {
        Path out = folder.resolve("results.jsonl");
        int code = Bench.commandLine()
                .execute("sorted", "--sizes=20000", "--values=3000", "--repetitions=2", "--out=" + out);
        assertThat(code).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results).hasSize(3 * 9 * 3);
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsKeys("gigabytesPerSecond", "wallMillisMedian", "command"));
    }

    @Test
    @Tag("emulated")
    void inDeviceMemory() {
        EmulatedGpu.start();
        Path out = folder.resolve("results.jsonl");
        int code = Bench.commandLine()
                .execute("sorted", "--on=gpu", "--sizes=5000", "--repetitions=1", "--types=u32", "--out=" + out);
        assertThat(code).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results).hasSize(7);
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result).containsEntry("verified", true).containsKeys("gpu", "deviceMillisMedian"));
    }

    @Test
    void otherTypesAreRefused() {
        assertThat(Bench.commandLine().execute("sorted", "--types=u8", "--sizes=10"))
                .isEqualTo(2);
    }
}
