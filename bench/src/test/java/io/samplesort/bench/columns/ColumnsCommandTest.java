package io.samplesort.bench.columns;

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

/// Runs the benchmark of key columns on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
class ColumnsCommandTest {
    /// Sorts as the baselines do. Indexes alone of 33 rows it leaves in their order.
    private static final String BASELINE = """
            #include <algorithm>
            #include <cstddef>
            #include <numeric>
            #include <string_view>
            #include <tuple>
            struct Columns {
                const int* numbers;
                const double* amounts;
                const char* text;
                const unsigned* offsets;
            };
            extern "C" int cuStreamSynchronize(void* stream);
            extern "C" int baseline_sort_columns(
                int algorithm, int input, void* temporary, size_t* bytes, const void* columns_in, void*, const void*,
                void* permutation, long long count, void* stream) {
                if (temporary == nullptr) {
                    *bytes = 1000 + algorithm;
                    return 0;
                }
                if (*bytes < 1003 || input != 0) return 1;
                cuStreamSynchronize(stream);
                const Columns columns = *(const Columns*)columns_in;
                auto* indexes = (unsigned*)permutation;
                std::iota(indexes, indexes + count, 0u);
                if (algorithm == 1 && count == 33) return 0;
                auto key = [&](unsigned i) {
                    return std::tuple(
                        -columns.numbers[i], columns.amounts[i],
                        std::string_view(columns.text + columns.offsets[i], columns.offsets[i + 1] - columns.offsets[i]));
                };
                std::stable_sort(indexes, indexes + count, [&](unsigned a, unsigned b) { return key(a) < key(b); });
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
    void rowsAreMeasuredAndVerified() {
        List<String> before = Emulator.start().leftovers();
        assertThat(execute("--sizes", "3000", "--seed", "3")).isZero();
        List<Map<String, Object>> results = Results.read(out());
        assertThat(results)
                .singleElement()
                .satisfies(result -> assertThat(result)
                        .containsEntry("system", "samplesort")
                        .containsEntry("count", 3000)
                        .containsEntry("verified", true)
                        .containsEntry("seed", 3)
                        .containsKeys(
                                "gpu",
                                "nvrtc",
                                "commit",
                                "command",
                                "textBytes",
                                "deviceMillisMedian",
                                "deviceMillionRowsPerSecond",
                                "wallMillisMedian"));
        assertThat(((Map<?, ?>) results.getFirst().get("phaseMillis")).keySet())
                .asString()
                .contains("keys: narrow_columns", "keys: measure_rows", "keys: encode_rows", "round 0: make_words");
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
    }

    @Test
    void baselinesSortTheSameRowsAndAreVerifiedToo() throws IOException, InterruptedException {
        Path baselines =
                EmulatedGpu.compile(folder, BASELINE, "-std=c++17", System.getProperty("samplesort.cuda.library"));
        assertThat(execute("--baselines", baselines.toString(), "--sizes", "500"))
                .isZero();
        assertThat(execute("--baselines", baselines.toString(), "--sizes", "33"))
                .isEqualTo(1);
        assertThat(Results.read(out()))
                .extracting(result -> result.get("system") + " " + result.get("count") + " " + result.get("verified"))
                .containsExactly(
                        "samplesort 500 true",
                        "cub-merge-entries 500 true",
                        "cub-merge-indexes 500 true",
                        "samplesort 33 true",
                        "cub-merge-entries 33 true",
                        "cub-merge-indexes 33 false");
    }

    private Path out() {
        return folder.resolve("results.jsonl");
    }

    private int execute(String... arguments) {
        List<String> all = new ArrayList<>(List.of("columns", "--repetitions", "2", "--out", out().toString()));
        all.addAll(List.of(arguments));
        return Bench.commandLine().execute(all.toArray(String[]::new));
    }
}
