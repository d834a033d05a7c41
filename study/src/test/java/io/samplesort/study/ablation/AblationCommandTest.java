package io.samplesort.study.ablation;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import io.samplesort.study.Study;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Measures the effect of parameters on the emulated GPU, where only the times mean nothing.
@Tag("emulated")
@EnabledIf("io.samplesort.bench.plot.Pictures#canBeDrawn")
class AblationCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    @Test
    void everyVariantIsCheckedAndTellsItsParametersAndParts() {
        List<String> before = Emulator.start().leftovers();
        assertThat(ablation("--types", "u32", "--size", "9000", "--parameters", "M,choices"))
                .isZero();
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
        List<Map<String, Object>> results = Results.read(folder.resolve("results.jsonl"));
        assertThat(results)
                .hasSize(9 + 4)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "sample-sort-2009")
                        .containsEntry("type", "u32")
                        .containsEntry("distribution", "uniform")
                        .containsEntry("count", 9000)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 1)
                        .containsEntry("seed", 3)
                        .containsKeys("deviceMillisMedian", "gpu", "command", "commit"));
        // Only M = 2^12 and 2^13 are below 9000.
        assertThat(results.subList(0, 9))
                .extracting(result -> result.get("passes"))
                .containsExactly(1, 1, 0, 0, 0, 0, 0, 0, 0);
        assertThat(results.getFirst())
                .containsEntry("parameter", "M")
                .containsEntry("value", 4096)
                .containsEntry("isDefault", false)
                .containsEntry("distributions", 1);
        assertThat(map(results.getFirst(), "parameters"))
                .containsEntry("M", 4096)
                .containsEntry("k", 128);
        assertThat(map(results.getFirst(), "phaseMillis")).containsKeys("splitters", "distribution", "buckets");
        assertThat((int) results.getFirst().get("largestBucket")).isBetween(70, 1000);
        assertThat(results)
                .filteredOn(result -> Boolean.TRUE.equals(result.get("isDefault")))
                .extracting(result -> result.get("value"))
                .containsExactly(1 << 17, 0);
        assertThat(results.subList(9, 13))
                .extracting(result -> map(result, "parameters").get("stored") + ""
                        + map(result, "parameters").get("reordered"))
                .containsExactly("00", "10", "01", "11");
        assertThat(folder.resolve("sample-sort-2009-M.png")).isNotEmptyFile();
        assertThat(folder.resolve("sample-sort-2009-choices-parts.svg")).isNotEmptyFile();
    }

    @Test
    void oursIsVariedAroundTheDefaultAndWhatDoesNotFitIsRefusedInWords() {
        assertThat(ablation("--types", "u64", "--size", "20000", "--parameters", "smallSortItems"))
                .isZero();
        List<Map<String, Object>> results = Results.read(folder.resolve("results.jsonl"));
        assertThat(results).extracting(result -> result.get("value")).containsExactly(8, 16, 32);
        assertThat(results.subList(0, 2))
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("system", "samplesort")
                        .containsEntry("verified", true)
                        .containsKeys("deviceMillisMedian", "phaseMillis", "passes"));
        assertThat(results.get(1)).containsEntry("isDefault", true);
        assertThat(map(results.getFirst(), "parameters")).containsEntry("smallSortItems", 8);
        assertThat(results.getLast())
                .doesNotContainKey("verified")
                .hasEntrySatisfying(
                        "refused",
                        reason -> assertThat(reason)
                                .asString()
                                .contains("the small sort (smallSortThreads × smallSortItems × 8) needs"));
        assertThat(folder.resolve("samplesort-smallSortItems.svg")).isNotEmptyFile();
    }

    @Tag("exhaustive")
    @Test
    void countersAreAlsoMeasuredWhereNeighboursMeet() {
        assertThat(ablation("--types", "u32+u32", "--size", "5000", "--parameters", "counterArrays"))
                .isZero();
        assertThat(Results.read(folder.resolve("results.jsonl")))
                .hasSize(10)
                .extracting(result -> result.get("distribution"))
                .startsWith("uniform")
                .endsWith("deterministic-duplicates");
    }

    @Test
    void aVariantThatTakesTooLongIsRunOnceAndNotForItsParts() {
        assertThat(ablation("--types", "u32", "--size", "500", "--parameters", "choices", "--once-from", "0"))
                .isZero();
        assertThat(Results.read(folder.resolve("results.jsonl")))
                .hasSize(4)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsEntry("repetitions", 1)
                        .containsKey("deviceMillisMedian")
                        .doesNotContainKeys("phaseMillis", "passes"));
    }

    private int ablation(String... options) {
        List<String> arguments =
                new ArrayList<>(List.of("ablation", "--repetitions", "1", "--seed", "3", "--out", folder.toString()));
        if (!List.of(options).contains("--once-from")) {
            // The time of an emulated sort says nothing about the sort.
            arguments.addAll(List.of("--once-from", "1e9"));
        }
        arguments.addAll(Arrays.asList(options));
        return Study.commandLine().execute(arguments.toArray(String[]::new));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Map<String, Object> result, String key) {
        return (Map<String, Object>) result.get(key);
    }
}
