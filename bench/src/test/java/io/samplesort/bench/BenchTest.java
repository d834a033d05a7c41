package io.samplesort.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.testkit.InputDistribution;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
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
    void sizesAreWrittenAsTheyAreRead() {
        assertThat(Sizes.text(1L << 30)).isEqualTo("2^30");
        assertThat(Sizes.text(1_000_000)).isEqualTo("1000000");
    }

    @Test
    void distributionsAreNamesOrAll() {
        assertThat(Distributions.parse(List.of("all"))).containsExactly(InputDistribution.values());
        assertThat(Distributions.parse(List.of("zipf", "uniform")))
                .containsExactly(InputDistribution.ZIPF, InputDistribution.UNIFORM);
        assertThatThrownBy(() -> Distributions.parse(List.of("zipf", "all"))).hasMessageContaining("'all'");
    }

    @Test
    void commandsOfTheDocumentsAreUnderstood() throws IOException {
        int commands = 0;
        for (String document : List.of("README.md", "CONTRIBUTING.md")) {
            for (String line : Files.readAllLines(Path.of("..", document))) {
                if (line.startsWith("./samplesort study") || line.startsWith("bin/bench ")) {
                    // Throws where a subcommand or an option is unknown or a value is wrong.
                    Bench.commandLine()
                            .parseArgs(line.substring(line.indexOf(' ') + 1).split(" "));
                    commands++;
                }
            }
        }
        assertThat(commands).isGreaterThanOrEqualTo(6);
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
        // GNU sort is part of every Linux; NumPy is not.
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

    @Test
    void hostMemoryGrowsAndKeepsKeysAndPayloadsApart() {
        try (HostMemory memory = new HostMemory()) {
            HostMemory.Pair small = memory.pair(100, 0);
            assertThat(small.keys().byteSize()).isEqualTo(100);
            assertThat(small.payloads().byteSize()).isZero();
            HostMemory.Pair large = memory.pair(1001, 77);
            large.keys().fill((byte) 1);
            large.payloads().fill((byte) 2);
            assertThat(large.keys().toArray(ValueLayout.JAVA_BYTE))
                    .hasSize(1001)
                    .containsOnly(1);
            assertThat(large.payloads().toArray(ValueLayout.JAVA_BYTE))
                    .hasSize(77)
                    .containsOnly(2);
            assertThat(memory.pair(1001, 77).keys().address())
                    .isEqualTo(large.keys().address());
        }
    }
}
