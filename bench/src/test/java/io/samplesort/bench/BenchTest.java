package io.samplesort.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {
    @TempDir
    private Path folder;

    @Test
    void hostBenchmark() {
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
                        .containsKeys("wallMillisMedian", "commit", "date", "seed", "command"));
    }

    @Test
    void linesBesideGnuSort() throws IOException {
        Path results = folder.resolve("lines.jsonl");
        // The command is not on this module's class path, so a script stands for it that sorts, too.
        Path command = Files.writeString(folder.resolve("command"), """
                #!/bin/sh
                for word in "$@"; do
                    case $word in lines | --quiet | --device=*) ;; *) set -- "$@" "$word" ;; esac
                    shift
                done
                exec sort "$@"
                """);
        assertThat(command.toFile().setExecutable(true)).isTrue();
        int exitCode = Bench.commandLine()
                .execute(
                        "lines",
                        "--command",
                        command.toString(),
                        "--folder",
                        folder.toString(),
                        "--device",
                        "cpu",
                        "--bytes",
                        "300000",
                        "--repetitions",
                        "1",
                        "--out",
                        results.toString());
        assertThat(exitCode).isZero();
        List<Map<String, Object>> lines = Results.read(results);
        assertThat(lines)
                .extracting(line -> line.get("input") + " " + line.get("system"))
                .contains("random samplesort-cpu", "random gnu-sort", "urls gnu-sort", "words gnu-sort")
                .hasSize(8);
        assertThat(lines)
                .allSatisfy(line -> assertThat(line)
                        .containsEntry("verified", true)
                        .containsKeys("wallMillisMedian", "bytes", "threads", "command"));
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(results, command);
        }
    }

    @Test
    void filesBesideProgramsThatCanDoTheSame() throws IOException {
        Path results = folder.resolve("files.jsonl");
        int exitCode = Bench.commandLine()
                .execute(
                        "files",
                        "--folder",
                        folder.toString(),
                        "--device",
                        "cpu",
                        "--bytes",
                        "300000",
                        "--memory",
                        "200000",
                        "--repetitions",
                        "1",
                        "--out",
                        results.toString());
        assertThat(exitCode).isZero();
        List<Map<String, Object>> lines = Results.read(results);
        // Every Linux has GNU sort, but not NumPy.
        assertThat(lines)
                .extracting(line -> line.get("job") + " " + line.get("system"))
                .contains("u64 samplesort-cpu", "lines samplesort-cpu", "lines gnu-sort");
        assertThat(lines)
                .allSatisfy(line -> assertThat(line)
                        .containsEntry("verified", true)
                        .containsKeys("wallMillisMedian", "bytes", "commit", "command"));
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(results);
        }
    }
}
