package io.samplesort.bench.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.results.Results;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CpuCommandTest {
    @TempDir
    private Path folder;

    private static final String TYPES =
            "--types=i32,i64,f64,i64+i32,i32+i32,i32+i64,f32+i32,records16,records32,records100";

    @Test
    void sortsNumbersPairsAndRecordsAndChecksThem() {
        // Two systems for each of ten types and two numbers of threads.
        measure("--sizes=500", "--distributions=zipf", "--threads=1,2", 40);
    }

    private void measure(String sizes, String distributions, String threads, int count) {
        Path out = folder.resolve("results.jsonl");
        int code = Bench.commandLine()
                .execute(
                        "cpu",
                        sizes,
                        TYPES,
                        distributions,
                        threads,
                        "--repetitions=2",
                        "--warm-ups=1",
                        "--systems=samplesort,samplesort-stable,Arrays.sort,Arrays.parallelSort",
                        "--out=" + out);
        assertThat(code).isZero();
        List<Map<String, Object>> results = Results.read(out);
        assertThat(results)
                .hasSize(count)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 2)
                        .containsKeys("wallMillisMedian", "wallGigaKeysPerSecond", "command"));
        assertThat(results)
                .extracting(result -> result.get("system"))
                .containsOnly("samplesort", "samplesort-stable", "Arrays.sort", "Arrays.parallelSort");
        assertThat(results)
                .anySatisfy(result -> assertThat(result)
                        .containsEntry("system", "samplesort-stable")
                        .containsEntry("type", "records16")
                        .containsKey("phaseMillis"));
    }

    @Test
    void systemsCanBeChosen() {
        Path out = folder.resolve("chosen.jsonl");
        Bench.commandLine()
                .execute(
                        "cpu",
                        "--sizes=100",
                        "--systems=Arrays.sort",
                        "--threads=1",
                        "--repetitions=1",
                        "--out=" + out);
        assertThat(Results.read(out))
                .hasSize(3)
                .allSatisfy(result -> assertThat(result).containsEntry("system", "Arrays.sort"));
    }

    @Test
    void numPySortsOnOneThreadWhereItIsInstalled() {
        Path out = folder.resolve("numpy.jsonl");
        String[] arguments = {
            "cpu",
            "--sizes=3000",
            "--types=i32,i64+i32,f32+i32,records16,records100",
            "--distributions=uniform",
            "--systems=numpy",
            "--threads=1,2",
            "--repetitions=2",
            "--warm-ups=1",
            "--out=" + out
        };
        Optional<String> version = NumPySort.installedVersion();
        if (version.isEmpty()) {
            assertThat(errorOf(arguments)).contains("python3-numpy");
            return;
        }
        assertThat(Bench.commandLine().execute(arguments)).isZero();
        assertThat(Results.read(out))
                .hasSize(5)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "numpy")
                        .containsEntry("version", version.orElseThrow())
                        .containsEntry("verified", true)
                        .containsEntry("threads", 1));
    }

    @Test
    void whatIsUnknownIsNamed() {
        assertThat(errorOf("cpu", "--types=i128")).contains("no type 'i128': use i32, i64, f64, i64+i32, records16");
        assertThat(errorOf("cpu", "--baselines=" + folder.resolve("none.so"))).contains("none.so");
        assertThat(errorOf("cpu", "--threads=0")).contains("0 threads");
    }

    private static String errorOf(String... arguments) {
        StringWriter errors = new StringWriter();
        CommandLine command = Bench.commandLine().setErr(new PrintWriter(errors));
        assertThat(command.execute(arguments)).isEqualTo(2);
        return errors.toString();
    }
}
