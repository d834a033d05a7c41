package io.samplesort.bench.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs the benchmark of records on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
class RecordsCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"RECORD100", "STABLE_U32_U32"})
    void everyOtherJobIsMeasuredAndVerified(RecordJob job) {
        everyJobIsMeasuredAndVerified(job);
    }

    /// One is also copied, and the other sorts keys with their indexes, as in the next test.
    @ParameterizedTest
    @EnumSource(names = {"RECORD100", "STABLE_U32_U32"})
    void everyJobIsMeasuredAndVerified(RecordJob job) {
        List<String> before = Emulator.start().leftovers();
        String cache = System.getProperty("samplesort.cache");
        assertThat(execute("--jobs", job.toString(), "--sizes", "300,2000", "--seed", "3"))
                .isZero();
        List<Map<String, Object>> results = new ArrayList<>(Results.read(out()));
        List<Map<String, Object>> copies = new ArrayList<>(results);
        copies.removeIf(result -> !result.get("system").equals("samplesort-copy"));
        assertThat(copies)
                .hasSize(job.hasCopy() ? 4 : 0)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsKeys("deviceMillisMedian", "deviceGigaElementsPerSecond"));
        results.removeAll(copies);
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "samplesort")
                        .containsEntry("job", job.toString())
                        .containsEntry("verified", true)
                        .containsEntry("seed", 3)
                        .containsEntry("repetitions", 2)
                        .containsKeys(
                                "gpu",
                                "driver",
                                "nvrtc",
                                "commit",
                                "date",
                                "command",
                                "order",
                                "elementBytes",
                                "deviceMillisMedian",
                                "deviceMillisMin",
                                "deviceMillisMax",
                                "deviceGigaElementsPerSecond",
                                "wallMillisMedian",
                                "phaseMillis",
                                "compileMillisCold",
                                "compileMillisWarm",
                                "tuning"))
                .extracting(result -> result.get("count") + " " + result.get("input"))
                .containsExactly("300 uniform", "300 duplicates", "2000 uniform", "2000 duplicates");
        assertThat(System.getProperty("samplesort.cache")).isEqualTo(cache);
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    @Test
    void baselinesSortTheSameElementsAndAreVerifiedToo() throws IOException, InterruptedException {
        // It sorts as the baselines do, from `in` to `out` or in place, but its sort of 33 elements in place is not
        // stable.
        Path baselines = EmulatedGpu.compile(folder, """
                #include <algorithm>
                #include <cstddef>
                #include <utility>
                #include <vector>
                extern "C" int cuStreamSynchronize(void* stream);
                extern "C" int baseline_sort_records(
                    int algorithm, int job, void* temporary, size_t* bytes, const void* in, void* out,
                    const void* indexes_in, void* indexes_out, long long count, void* stream) {
                    if (temporary == nullptr) {
                        *bytes = 1000;
                        return 0;
                    }
                    if (*bytes < 1000 || job != 5 || in == out) return 1;
                    cuStreamSynchronize(stream);
                    const unsigned* keys = (const unsigned*)(algorithm == 0 ? in : out);
                    const unsigned* indexes = (const unsigned*)(algorithm == 0 ? indexes_in : indexes_out);
                    std::vector<std::pair<unsigned, unsigned>> pairs;
                    for (long long i = 0; i < count; i++) pairs.push_back({keys[i], indexes[i]});
                    std::sort(pairs.begin(), pairs.end());
                    if (algorithm == 1 && count == 33) std::swap(pairs[7].second, pairs[8].second);
                    for (long long i = 0; i < count; i++) {
                        ((unsigned*)out)[i] = pairs[i].first;
                        ((unsigned*)indexes_out)[i] = pairs[i].second;
                    }
                    return 0;
                }
                extern "C" int baseline_cub_version() { return 300102; }
                """, System.getProperty("samplesort.cuda.library"));
        assertThat(execute(
                        "--jobs",
                        "stable-u32+u32",
                        "--sizes",
                        "2000,33",
                        "--inputs",
                        "uniform",
                        "--baselines",
                        baselines.toString()))
                .isEqualTo(1);
        assertThat(Results.read(out()))
                .allSatisfy(result -> assertThat(result).containsEntry("cub", "3.1.2"))
                .extracting(result -> result.get("system") + " " + result.get("count") + " " + result.get("verified"))
                .containsExactly(
                        "samplesort 2000 true",
                        "cub-merge 2000 true",
                        "cub-radix 2000 true",
                        "samplesort 33 true",
                        "cub-merge 33 false",
                        "cub-radix 33 true");
    }

    @Test
    void whatTheGpuHasNoMemoryForIsLeftOut() {
        List<String> before = Emulator.start().leftovers();
        assertThat(execute("--jobs", "stable-u32+u32", "--sizes", "2^10,2^30", "--inputs", "uniform"))
                .isEqualTo(1);
        assertThat(Results.read(out())).hasSize(1);
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    private int execute(String... options) {
        List<String> arguments = new ArrayList<>(List.of("records", "--repetitions", "2", "--out", out().toString()));
        arguments.addAll(List.of(options));
        return Bench.commandLine().execute(arguments.toArray(String[]::new));
    }

    private Path out() {
        return folder.resolve("r.jsonl");
    }
}
