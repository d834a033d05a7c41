package io.samplesort.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.Bench;
import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.DriverVersion;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.types.ElementType;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the benchmark in device memory on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
class GpuCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    @Test
    void everyResultTellsWhereAndHowItWasMade() {
        List<String> before = Emulator.start().leftovers();
        List<Map<String, Object>> results = measure(
                "--types",
                "u32",
                "--sizes",
                "2^10,40000",
                "--distributions",
                "uniform,zipf",
                "--tuning",
                "oversampling=5,rankedSize=0",
                "--seed",
                "3");
        assertThat(results)
                .hasSize(4)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "samplesort")
                        .containsEntry("type", "u32")
                        .containsEntry("verified", true)
                        .containsEntry("seed", 3)
                        .containsEntry("repetitions", 2)
                        .containsEntry("tuning", expectedTuning())
                        .containsKeys(
                                "gpu",
                                "driver",
                                "driverCuda",
                                "nvrtc",
                                "commit",
                                "date",
                                "command",
                                "deviceMillisMedian",
                                "wallMillisMedian",
                                "largestBucket",
                                "extraBytes"));
        assertThat(results)
                .extracting(result -> result.get("count") + " " + result.get("distribution"))
                .containsExactly("1024 uniform", "1024 zipf", "40000 uniform", "40000 zipf");
        assertThat(phases(results.getFirst())).containsKey("small_sort").doesNotContainKey("scatter");
        assertThat(results.getLast()).containsEntry("passes", 1);
        assertThat(phases(results.getLast())).containsKeys("select_splitters", "scatter", "small_sort");
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    /// So few elements are sorted in another way, but by the calls that sorts in place are made with.
    @Test
    void sortsInPlaceAreTimedAsTheirCallerWaits() {
        assertThat(measure("--types", "u32", "--sizes", "2^10", "--tuning", "inPlaceSize=1,extraPercent=0"))
                .hasSize(1)
                .allSatisfy(result -> assertThat(result).containsEntry("verified", true));
    }

    /// The emulated GPU has the architecture `sm_90`.
    private static Map<String, Integer> expectedTuning() {
        return Tuning.defaultFor(ElementType.INT, null, "sm_90")
                .with("oversampling=5,rankedSize=0")
                .parameters();
    }

    @Test
    void allDistributionsAreMeasuredAtTheSizesNamedForThem() {
        List<Map<String, Object>> results =
                measure("--types", "u32", "--sizes", "2^4..2^5", "--distribution-sizes", "2^5");
        assertThat(results).allSatisfy(result -> assertThat(result).containsEntry("verified", true));
        assertThat(results)
                .first()
                .satisfies(result ->
                        assertThat(result).containsEntry("count", 16).containsEntry("distribution", "uniform"));
        assertThat(results.subList(1, results.size()))
                .allSatisfy(result -> assertThat(result).containsEntry("count", 32))
                .extracting(result -> result.get("distribution"))
                .containsExactly(Arrays.stream(InputDistribution.values())
                        .map(InputDistribution::toString)
                        .toArray());
    }

    @Test
    void baselinesSortTheSameElementsAndAreVerifiedToo() throws IOException, InterruptedException {
        Path baselines = EmulatedGpu.baselines(folder);
        List<Map<String, Object>> results =
                measure("--types", "u32", "--sizes", "2000", "--baselines", baselines.toString());
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result).containsEntry("verified", true).containsEntry("cub", "3.1.2"))
                .extracting(result -> result.get("system"))
                .containsExactly("samplesort", "cub-radix", "cub-merge");
        assertThat(results).filteredOn(result -> result.containsKey("tuning")).hasSize(1);

        assertThat(execute("--types", "u32", "--sizes", "33", "--baselines", baselines.toString()))
                .isEqualTo(1);
        assertThat(Results.read(out()).subList(3, 6))
                .extracting(result -> result.get("verified"))
                .containsExactly(true, true, false);
    }

    @Test
    void pairsAndStructs() {
        List<Map<String, Object>> results =
                measure("--types", "u64+u64,struct16", "--sizes", "1000", "--tuning", "smallSortCells=0");
        assertThat(results).hasSize(2).allSatisfy(result -> assertThat(result).containsEntry("verified", true));
        assertThat(results).extracting(result -> result.get("type")).containsExactly("u64+u64", "struct16");
    }

    @Test
    void structsInTheOrderOfTheirFirstFieldAloneAreWrong() throws IOException, InterruptedException {
        // It sorts as the baselines do, from `in` to `out` or in place; in place it sorts the second field descending.
        Path baselines = EmulatedGpu.compile(folder, """
                #include <algorithm>
                #include <cstddef>
                #include <utility>
                extern "C" int cuStreamSynchronize(void* stream);
                using Words = std::pair<unsigned long long, unsigned long long>;
                extern "C" int baseline_sort(
                    int algorithm, int type, void* temporary, size_t* bytes, const void* in, void* out,
                    const void* payloads_in, void* payloads_out, long long count, void* stream) {
                    if (temporary == nullptr) {
                        *bytes = 1000;
                        return 0;
                    }
                    if (*bytes < 1000 || type != 12 || in == out || payloads_in || payloads_out) return 1;
                    cuStreamSynchronize(stream);
                    Words* words = (Words*)out;
                    if (algorithm == 0) std::copy((const Words*)in, (const Words*)in + count, words);
                    std::sort(words, words + count, [=](const Words& a, const Words& b) {
                        const bool is_second_less = algorithm == 0 ? a.second < b.second : a.second > b.second;
                        return a.first < b.first || (a.first == b.first && is_second_less);
                    });
                    return 0;
                }
                extern "C" int baseline_cub_version() { return 300102; }
                """, System.getProperty("samplesort.cuda.library"));
        assertThat(execute(
                        "--types",
                        "struct16",
                        "--sizes",
                        "33",
                        "--distributions",
                        "few-distinct",
                        "--tuning",
                        "smallSortCells=0",
                        "--baselines",
                        baselines.toString()))
                .isEqualTo(1);
        assertThat(Results.read(out()))
                .extracting(result -> result.get("system") + " " + result.get("verified"))
                .containsExactly("samplesort true", "cub-radix true", "cub-merge false");
    }

    @Test
    void whatTheGpuHasNoMemoryForIsLeftOut() {
        List<String> before = Emulator.start().leftovers();
        assertThat(execute("--types", "u32", "--sizes", "2^10,2^40")).isEqualTo(1);
        assertThat(Results.read(out())).hasSize(1);
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    @Test
    void theDriversVersionIsWhatItsManagementLibrarySays() throws IOException, InterruptedException {
        Path library = EmulatedGpu.compile(folder, """
                #include <cstring>
                static bool is_open = false;
                extern "C" int nvmlInit_v2() { is_open = true; return 0; }
                extern "C" int nvmlSystemGetDriverVersion(char* version, unsigned length) {
                    if (!is_open || length < 80) return 7;
                    strcpy(version, "580.159.04");
                    return 0;
                }
                extern "C" int nvmlShutdown() { is_open = false; return 0; }
                """);
        assertThat(DriverVersion.read(library.toString())).contains("580.159.04");
        assertThat(DriverVersion.read(folder.resolve("none.so").toString())).isEmpty();
    }

    private List<Map<String, Object>> measure(String... options) {
        assertThat(execute(options)).isZero();
        return Results.read(out());
    }

    private int execute(String... options) {
        List<String> arguments = new ArrayList<>(List.of("gpu", "--repetitions", "2", "--out", out().toString()));
        arguments.addAll(List.of(options));
        return Bench.commandLine().execute(arguments.toArray(String[]::new));
    }

    private Path out() {
        return folder.resolve("r.jsonl");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> phases(Map<String, Object> result) {
        return (Map<String, Object>) result.get("phaseMillis");
    }
}
