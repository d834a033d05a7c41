package io.samplesort.bench.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.results.Results;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ObjectsCommandTest {
    @TempDir
    private Path folder;

    @Test
    void sortsObjectsByEachJobAndChecksThem() {
        // Four systems for each of nine jobs.
        measure("--sizes=1000", "--threads=2", 36);
    }

    private void measure(String sizes, String threads, int count) {
        Path out = folder.resolve("results.jsonl");
        int code = Bench.commandLine()
                .execute("objects", sizes, threads, "--repetitions=2", "--warm-ups=0", "--out=" + out);
        assertThat(code).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results)
                .hasSize(count)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 2)
                        .containsKeys("wallMillisMedian", "wallGigaElementsPerSecond", "command"));
        assertThat(results)
                .extracting(result -> result.get("system"))
                .containsOnly("samplesort", "samplesort-comparator", "Arrays.sort", "Arrays.parallelSort");
    }

    @Test
    void whatIsUnknownIsNamed() {
        StringWriter errors = new StringWriter();
        CommandLine command = Bench.commandLine().setErr(new PrintWriter(errors));
        assertThat(command.execute("objects", "--jobs=color")).isEqualTo(2);
        assertThat(errors.toString()).contains("no job 'color': use double, two-keys, string, number-and-string, long");
    }
}
