package io.samplesort.bench.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Environment;
import io.samplesort.bench.results.Results;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the benchmark of first sorts on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
class StartCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
        // This process must load its driver before a test makes new processes look for another one.
        Environment.gpu(0);
    }

    @Test
    void everyProcessTakesItsKernelsFromTheCache() {
        assertThat(execute("--types", "u32", "--sizes", "3000", "--repetitions", "2", "--seed", "5"))
                .isZero();
        List<Map<String, Object>> results = Results.read(out());
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "samplesort")
                        .containsEntry("count", 3000)
                        .containsEntry("repetitions", 2)
                        .containsEntry("cached", true)
                        .containsEntry("verified", true)
                        .containsKeys("gpu", "driver", "nvrtc", "commit", "date", "command", "seed"))
                .extracting(result -> result.get("type"))
                .containsExactly("u32");
        for (StartStep step : EnumSet.complementOf(EnumSet.of(StartStep.OURS))) {
            assertThat(results)
                    .allSatisfy(result -> assertThat(
                                    ((Number) result.get(step.prefix() + "MillisMedian")).doubleValue())
                            .isPositive());
        }
    }

    @Tag("exhaustive")
    @Test
    void aCacheOfClassesThatJavaDoesNotMakeIsNoResult() {
        // Java makes no cache, because the class path of these tests has folders.
        assertThat(execute("--types", "u32", "--sizes", "3000", "--repetitions", "1", "--aot-cache"))
                .isEqualTo(1);
        assertThat(out()).doesNotExist();
    }

    @Test
    void aProcessThatFailsIsNoResult() {
        String before = System.setProperty(
                "samplesort.cuda.library", folder.resolve("missing.so").toString());
        try {
            assertThat(execute("--types", "u32", "--sizes", "3000", "--repetitions", "1"))
                    .isEqualTo(1);
            assertThat(out()).doesNotExist();
        } finally {
            System.setProperty("samplesort.cuda.library", before);
        }
    }

    private int execute(String... options) {
        List<String> arguments = new ArrayList<>(List.of("start", "--out", out().toString()));
        arguments.addAll(List.of(options));
        return Bench.commandLine().execute(arguments.toArray(String[]::new));
    }

    private Path out() {
        return folder.resolve("r.jsonl");
    }
}
