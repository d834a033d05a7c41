package io.samplesort.study.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.EmulatedGpu;
import io.samplesort.bench.results.Results;
import io.samplesort.emulator.Emulator;
import io.samplesort.study.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/// Runs the study with all its sorts on the emulated GPU.
@Tag("emulated")
@EnabledIf("io.samplesort.bench.plot.Pictures#canBeDrawn")
class StudyCommandTest {
    @TempDir
    private Path folder;

    @BeforeAll
    static void emulate() {
        EmulatedGpu.start();
    }

    /// For keys of 32 bits there are all systems.
    @Test
    void everySystemIsRightAndNoneIsTimedOnTheEmulatedGpu() throws Exception {
        checkSystems("u32");
    }

    @Tag("exhaustive")
    @Test
    void everySystemIsRightForEveryType() throws Exception {
        List<Map<String, Object>> results = checkSystems("u32+u32,u64,u32,f32");
        assertThat(systems(results, "f32", "device")).contains("hybrid-sort");
        assertThat(systems(results, "u64", "device")).contains("bbsort").doesNotContain("hybrid-sort");
        assertThat(systems(results, "u32+u32", "device"))
                .containsExactly("samplesort", "sample-sort-2009", "gpu-quicksort", "bbsort");
    }

    private List<Map<String, Object>> checkSystems(String types) throws Exception {
        List<String> before = Emulator.start().leftovers();
        assertThat(study("--types", types)).isZero();
        assertThat(Emulator.start().leftovers()).isEqualTo(before);
        List<Map<String, Object>> results = Results.read(folder.resolve("results.jsonl"));
        assertThat(results)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsKeys("seed", "command", "commit", "date"))
                .filteredOn(result -> result.containsKey("device"))
                .allSatisfy(result -> assertThat(result)
                        .doesNotContainKey("deviceMillisMedian")
                        .containsKeys("gpu", "nvrtc"));
        assertThat(systems(results, "u32", "device"))
                .containsExactly("samplesort", "sample-sort-2009", "gpu-quicksort", "hybrid-sort", "bbsort");
        Document page = StudyPage.parse(folder);
        assertThat(page.getDocumentElement().getTextContent())
                .contains("The GPU was emulated")
                .contains("CUB's merge and radix sort were not measured")
                .contains("no GPU was timed here")
                .contains("GPU 0")
                .contains("u32 hybrid-sort");
        return results;
    }

    @Test
    void cubTakesItsTurnWhereItsLibraryIsNamed() throws Exception {
        Path baselines = EmulatedGpu.baselines(folder);
        assertThat(study("--types", "u32", "--systems", "cub-radix,cub-merge", "--baselines", baselines.toString()))
                .isZero();
        List<Map<String, Object>> results = Results.read(folder.resolve("results.jsonl"));
        assertThat(systems(results, "u32", "device")).contains("cub-radix", "cub-merge");
        assertThat(results)
                .filteredOn(result -> result.containsKey("device"))
                .allSatisfy(result -> assertThat(result).containsEntry("cub", "3.1.2"));
    }

    @Test
    void someSystemsCanBeAskedFor() throws Exception {
        assertThat(study("--types", "u32", "--systems", "bbsort,Arrays.parallelSort"))
                .isZero();
        assertThat(Results.read(folder.resolve("results.jsonl")))
                .extracting(result -> result.get("system"))
                .containsOnly("bbsort", "Arrays.parallelSort");
    }

    @Test
    void aWrongResultFailsTheStudyAndStandsInTheReport() throws Exception {
        // The merge sort of this library leaves 33 elements as they were.
        Path baselines = EmulatedGpu.baselines(folder);
        String[] wrong = {"--types", "u32", "--sizes", "33", "--systems", "cub-merge", "--baselines"};
        assertThat(run(Stream.concat(Stream.of(wrong), Stream.of(baselines.toString()))
                        .toArray(String[]::new)))
                .isEqualTo(1);
        assertThat(StudyPage.parse(folder).getDocumentElement().getTextContent())
                .contains("1 WRONG");
    }

    private int study(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--sizes", "1500"));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private int run(String... options) {
        List<String> arguments = new ArrayList<>(List.of("study", "--quick", "--emulated", "--out", folder.toString()));
        arguments.addAll(List.of(options));
        return Study.commandLine().execute(arguments.toArray(String[]::new));
    }

    private static List<Object> systems(List<Map<String, Object>> results, String type, String key) {
        return results.stream()
                .filter(result -> result.containsKey(key) && type.equals(result.get("type")))
                .map(result -> result.get("system"))
                .distinct()
                .toList();
    }
}
