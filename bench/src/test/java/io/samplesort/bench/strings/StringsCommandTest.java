package io.samplesort.bench.strings;

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

/// Runs the benchmark of strings on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
class StringsCommandTest {
    /// Sorts as the baselines do. Indexes alone of 33 strings it leaves in their order.
    private static final String BASELINE = """
            #include <algorithm>
            #include <cstddef>
            #include <numeric>
            #include <string_view>
            extern "C" int cuStreamSynchronize(void* stream);
            extern "C" int baseline_sort_strings(
                int algorithm, int offset_bytes, void* temporary, size_t* bytes, const void* text, void*,
                const void* offsets_in, void* permutation, long long count, void* stream) {
                if (temporary == nullptr) {
                    *bytes = 1000 + algorithm;
                    return 0;
                }
                if (*bytes < 1003 || offset_bytes != 8) return 1;
                cuStreamSynchronize(stream);
                const auto* offsets = (const unsigned long long*)offsets_in;
                auto* indexes = (unsigned*)permutation;
                std::iota(indexes, indexes + count, 0u);
                if (algorithm == 1 && count == 33) return 0;
                auto string = [&](unsigned i) {
                    return std::string_view((const char*)text + offsets[i], offsets[i + 1] - offsets[i]);
                };
                std::stable_sort(
                    indexes, indexes + count, [&](unsigned a, unsigned b) { return string(a) < string(b); });
                return 0;
            }
            extern "C" int baseline_cub_version() { return 300102; }
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    @Test
    void everyInputIsMeasuredAndVerified() {
        List<String> before = Emulator.start().leftovers();
        assertThat(execute("--sizes", "1000", "--seed", "3")).isZero();
        List<Map<String, Object>> results = Results.read(out());
        assertThat(results)
                .hasSize(4)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "samplesort")
                        .containsEntry("count", 1000)
                        .containsEntry("offsets", "int")
                        .containsEntry("verified", true)
                        .containsEntry("seed", 3)
                        .containsKeys(
                                "gpu",
                                "nvrtc",
                                "commit",
                                "command",
                                "textBytes",
                                "deviceMillisMedian",
                                "deviceMillionStringsPerSecond",
                                "wallMillisMedian",
                                "copyMillis",
                                "plainCopyMillis",
                                "shareOfCopySpeed",
                                "distinct",
                                "distinctWallMillisMedian"));
        assertThat(phases(results.getFirst(), "phaseMillis"))
                .contains("round 0: make_words", "round 0: small_sort", "round 0: mark_ties");
        assertThat(phases(results.getFirst(), "copyPhaseMillis"))
                .containsExactly("copy: measure_strings", "copy: place_strings", "copy: copy_strings");
        assertThat(results).extracting(result -> result.get("input")).doesNotHaveDuplicates();
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    @Test
    void baselinesSortTheSameStringsAndAreVerifiedToo() throws IOException, InterruptedException {
        Path baselines =
                EmulatedGpu.compile(folder, BASELINE, "-std=c++17", System.getProperty("samplesort.cuda.library"));
        String[] options = {"--inputs", "words", "--offsets", "i64", "--baselines", baselines.toString()};
        assertThat(execute(with(options, "--sizes", "500"))).isZero();
        assertThat(execute(with(options, "--sizes", "33"))).isEqualTo(1);
        assertThat(Results.read(out()))
                .extracting(result -> result.get("system") + " " + result.get("count") + " " + result.get("verified"))
                .containsExactly(
                        "samplesort 500 true",
                        "cub-merge-prefixes 500 true",
                        "cub-merge-indexes 500 true",
                        "samplesort 33 true",
                        "cub-merge-prefixes 33 true",
                        "cub-merge-indexes 33 false");
    }

    @Test
    void unknownNamesAreRefused() {
        assertThat(execute("--inputs", "poems")).isNotZero();
        assertThat(execute("--offsets", "i16")).isNotZero();
    }

    private static List<String> phases(Map<String, Object> result, String key) {
        return ((Map<?, ?>) result.get(key))
                .keySet().stream().map(String.class::cast).toList();
    }

    private static String[] with(String[] options, String... more) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private Path out() {
        return folder.resolve("results.jsonl");
    }

    private int execute(String... arguments) {
        List<String> all = new ArrayList<>(List.of("strings", "--repetitions", "2", "--out", out().toString()));
        all.addAll(List.of(arguments));
        return Bench.commandLine().execute(all.toArray(String[]::new));
    }
}
