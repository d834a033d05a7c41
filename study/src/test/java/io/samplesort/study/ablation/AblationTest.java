package io.samplesort.study.ablation;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.bench.results.Results;
import io.samplesort.study.Study;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// Checks the pictures of measured parameters.
@EnabledIf("io.samplesort.bench.plot.Pictures#canBeDrawn")
class AblationTest {
    @TempDir
    private Path folder;

    private Results file;

    @BeforeEach
    void openResults() {
        file = new Results(folder.resolve("r.jsonl"), Map.of("gpu", "Test GPU"));
    }

    @Test
    void aCurveForEachTypeWithTheDefaultOfEachMarked() throws IOException {
        for (long a : List.of(1, 15, 30, 60)) {
            add(Knob.A, a, a == 30, "u32", "uniform", a * 10);
            add(Knob.A, a, a == 15, "u64", "uniform", a * 5);
        }
        AblationFigures figures =
                AblationFigures.of(Results.read(folder.resolve("r.jsonl"))).get("sample-sort-2009-a");
        assertThat(figures.place()).isEqualTo("2^20 elements, Test GPU");
        assertThat(figures.defaults()).isEqualTo(Map.of("u32", 30L, "u64", 15L));
        assertThat(figures.rates().get("u64"))
                .isEqualTo(Map.of(1L, 5000.0, 15L, 75_000.0, 30L, 150_000.0, 60L, 300_000.0));
        assertThat(draw(0))
                .containsExactlyInAnyOrder(
                        "sample-sort-2009-a.svg",
                        "sample-sort-2009-a.png",
                        "sample-sort-2009-a-parts.svg",
                        "sample-sort-2009-a-parts.png");
        BufferedImage png = png("sample-sort-2009-a");
        assertThat(png.getWidth()).isEqualTo(2 * 480);
        // There are two diamonds and one in the legend, each half as large as a square of 16 pixels.
        assertThat(pixels(png, Color.BLACK)).isGreaterThan(3 * 16 * 16 / 2);
        assertThat(pixels(png, new Color(0x1f77b4))).isGreaterThan(1000);
        assertThat(pixels(png, new Color(0xd62728))).isGreaterThan(1000);
    }

    @Test
    void thePhasesOfBothSortsAreTheSameParts() throws IOException {
        Map<String, Object> published = result(Knob.K, 128, true, "u32", "uniform", 1);
        published.put("phaseMillis", Map.of("splitters", 1, "distribution", 2, "buckets", 3, "host", 4));
        file.add(published);
        Map<String, Object> ours = result(Knob.MAX_BUCKET_COUNT, 512, true, "u32", "uniform", 1);
        ours.put(
                "phaseMillis",
                Map.of("select_splitters", 1, "scan_counts", 0.5, "scatter", 1.5, "small_sort", 3, "prepare", 4));
        file.add(ours);
        assertThat(AblationFigures.of(Results.read(folder.resolve("r.jsonl"))).values())
                .hasSize(2)
                .allSatisfy(figures -> assertThat(figures.parts())
                        .isEqualTo(Map.of(
                                "u32",
                                Map.of(
                                        figures.knob() == Knob.K ? 128L : 512L,
                                        Map.of(
                                                "splitters",
                                                1.0,
                                                "distribution",
                                                2.0,
                                                "sorting buckets",
                                                3.0,
                                                "rest",
                                                4.0)))));
        assertThat(draw(0)).contains("sample-sort-2009-k-parts.png", "samplesort-maxBucketCount-parts.png");
        BufferedImage png = png("samplesort-maxBucketCount-parts");
        double distribution = pixels(png, new Color(0xd62728));
        assertThat(pixels(png, new Color(0x2ca02c)) / distribution).isBetween(1.4, 1.6);
        assertThat(pixels(png, new Color(0x1f77b4)) / distribution).isBetween(0.4, 0.6);
    }

    @Test
    void everyInputHasAPictureAndWrongOrRefusedResultsHaveNone() throws IOException {
        add(Knob.COUNTER_ARRAYS, 8, true, "u32", "uniform", 5);
        add(Knob.COUNTER_ARRAYS, 8, true, "u32", "deterministic-duplicates", 5);
        add(Knob.MAX_BUCKET_COUNT, 512, true, "u32", "uniform", 5);
        Map<String, Object> wrong = result(Knob.MAX_BUCKET_COUNT, 256, false, "u32", "uniform", 6);
        wrong.put("verified", false);
        file.add(wrong);
        Map<String, Object> refused = result(Knob.SAMPLE_ITEMS, 32, false, "u32", "uniform", 6);
        refused.keySet().removeAll(List.of("verified", "deviceGigaKeysPerSecond", "phaseMillis"));
        refused.put("refused", "too much shared memory");
        file.add(refused);
        assertThat(draw(1))
                .filteredOn(name -> name.endsWith(".svg") && !name.endsWith("-parts.svg"))
                .containsExactlyInAnyOrder(
                        "sample-sort-2009-counterArrays.svg",
                        "sample-sort-2009-counterArrays-deterministic-duplicates.svg",
                        "samplesort-maxBucketCount.svg");
        assertThat(AblationFigures.of(Results.read(folder.resolve("r.jsonl")))
                        .get("samplesort-maxBucketCount")
                        .rates())
                .isEqualTo(Map.of("u32", Map.of(512L, 5000.0)));
    }

    @Test
    void choicesAreBars() throws IOException {
        for (long choices = 0; choices < 4; choices++) {
            add(Knob.CHOICES, choices, choices == 0, "u32", "uniform", 5);
        }
        draw(0);
        // There are four bars over most of the height of the plot, and no mark.
        BufferedImage png = png("sample-sort-2009-choices");
        assertThat(pixels(png, new Color(0x1f77b4))).isGreaterThan(100_000);
        assertThat(LongStream.range(0, 4).mapToObj(Knob.CHOICES::text))
                .containsExactly("as published", "stored", "reordered", "both");
    }

    @Test
    void titlesFitThePicture() {
        assertThat(Knob.values())
                .allSatisfy(
                        knob -> assertThat(knob.system() + ": " + knob.title()).hasSizeLessThanOrEqualTo(56));
    }

    @Test
    void wrongCommandLinesSayWhatToDo() {
        assertThat(ablation("--device", "cpu")).isEqualTo(2);
        assertThat(ablation("--types", "i8")).isEqualTo(2);
        assertThat(ablation("--once-from", "-1")).isEqualTo(2);
        assertThat(ablation("--once-from", "NaN")).isEqualTo(2);
        assertThat(ablation("--parameters", "speed")).isEqualTo(1);
        assertThat(folder).isEmptyDirectory();
    }

    /// Draws the results and names the pictures.
    ///
    /// @param exitCode 1 if there are wrong results
    private List<String> draw(int exitCode) throws IOException {
        assertThat(ablation("--from", folder.resolve("r.jsonl").toString())).isEqualTo(exitCode);
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString())
                    .filter(name -> !name.equals("r.jsonl"))
                    .toList();
        }
    }

    private int ablation(String... options) {
        List<String> arguments = new ArrayList<>(List.of("ablation", "--out", folder.toString()));
        arguments.addAll(Arrays.asList(options));
        return Study.commandLine().execute(arguments.toArray(String[]::new));
    }

    private BufferedImage png(String name) throws IOException {
        return ImageIO.read(folder.resolve(name + ".png").toFile());
    }

    private static long pixels(BufferedImage image, Color colour) {
        return Arrays.stream(image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth()))
                .filter(pixel -> pixel == colour.getRGB())
                .count();
    }

    private void add(Knob knob, long value, boolean isDefault, String type, String input, double rate) {
        file.add(result(knob, value, isDefault, type, input, rate));
    }

    private static Map<String, Object> result(
            Knob knob, long value, boolean isDefault, String type, String input, double rate) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", knob.system());
        result.put("parameter", knob.toString());
        result.put("value", value);
        result.put("isDefault", isDefault);
        result.put("type", type);
        result.put("distribution", input);
        result.put("count", 1 << 20);
        result.put("deviceGigaKeysPerSecond", rate);
        result.put("phaseMillis", Map.of("splitters", 0.1, "small_sort", 1 / rate));
        result.put("verified", true);
        return result;
    }
}
