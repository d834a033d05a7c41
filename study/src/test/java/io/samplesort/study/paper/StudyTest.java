package io.samplesort.study.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.bench.BareProcess;
import io.samplesort.bench.results.Results;
import io.samplesort.study.Study;
import io.samplesort.testkit.InputDistribution;
import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/// Runs the study on the CPU alone, and checks what its report makes of rates.
@EnabledIf("io.samplesort.bench.plot.Pictures#canBeDrawn")
class StudyTest {
    @TempDir
    private Path folder;

    @Test
    void withoutAGpuTheCpusSortsAreDrawnAndTheReportSaysSo() throws Exception {
        // 6 distributions.
        draws("u64", 6 * 4);
    }

    @Tag("exhaustive")
    @Test
    void everyTypeIsDrawn() throws Exception {
        // 6 distributions; pairs have no Arrays.parallelSort.
        draws("u32+u32,u64,u32,f32", 6 * (3 * 4 + 3));
    }

    private void draws(String types, int count) throws Exception {
        assertThat(study("--device", "cpu", "--sizes", "2^10", "--types", types))
                .isZero();
        List<Map<String, Object>> results = Results.read(folder.resolve("results.jsonl"));
        assertThat(results)
                .hasSize(count)
                .allSatisfy(result -> assertThat(result)
                        .containsEntry("verified", true)
                        .containsKeys("wallGigaKeysPerSecond", "java"));
        assertThat(results)
                .extracting(result -> result.get("distribution"))
                .contains("uniform", "gaussian", "bucket-sorted", "staggered", "deterministic-duplicates", "sorted");
        Document page = StudyPage.parse(folder);
        assertThat(page.getDocumentElement().getTextContent())
                .contains("The GPU was left out, as asked for")
                .contains("Figure " + (types.contains("f32") ? 3 : 4))
                .doesNotContain("Figure 6")
                .contains("1 right");
        assertThat(StudyPage.elements(page, "svg")).hasSize(types.split(",").length * 6);
        assertThat(Files.size(folder.resolve("u64-sorted.png"))).isGreaterThan(1000);
    }

    @Test
    void wrongCommandLinesSayWhatToDo() {
        assertThat(study("--device", "cpu", "--types", "i8")).isEqualTo(2);
        assertThat(study("--device", "cpu", "--emulated")).isEqualTo(2);
        assertThat(study("--device", "cpu", "--systems", "bubble-sort")).isEqualTo(2);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aStudyInPartsIsOneReport() throws Exception {
        for (String part : List.of("10", "11")) {
            assertThat(study(
                            "--device",
                            "cpu",
                            "--sizes",
                            "2^" + part,
                            "--types",
                            "u64",
                            "--systems",
                            "samplesort-cpu",
                            "--out",
                            part(part)))
                    .isZero();
        }
        assertThat(study("--from", part("10") + "/results.jsonl," + part("11") + "/results.jsonl"))
                .isZero();
        Document page = StudyPage.parse(folder);
        assertThat(page.getDocumentElement().getTextContent())
                .contains("2 right", "CPU, part 1", "CPU, part 2", "--sizes 2^10", "--sizes 2^11");
        assertThat(StudyPage.elements(page, "figure")).hasSize(6);
    }

    @Test
    void theCpusSortsCanBeLeftOut() throws Exception {
        assertThat(study("--device", "cpu", "--without-cpu")).isZero();
        assertThat(StudyPage.elements(StudyPage.parse(folder), "figure")).isEmpty();
    }

    @Test
    void someSystemsCanBeAskedFor() throws Exception {
        assertThat(study("--device", "cpu", "--sizes", "2^10", "--types", "u64", "--systems", "samplesort-cpu"))
                .isZero();
        assertThat(Results.read(folder.resolve("results.jsonl")))
                .hasSize(6)
                .allSatisfy(result -> assertThat(result).containsEntry("system", "samplesort-cpu"));
    }

    private String part(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void headlinesAreRatiosOverCommonSizes() {
        List<Map<String, Object>> results = new ArrayList<>();
        for (long n = 1 << 20; n <= 1 << 22; n *= 2) {
            results.add(result(0, "samplesort", "u64", "uniform", n, 4));
            results.add(result(0, "sample-sort-2009", "u64", "uniform", n, n == 1 << 20 ? 1 : 3));
            results.add(result(0, "cub-radix", "u64", "uniform", n, 2));
            results.add(result(0, "samplesort", "u32", "uniform", n, n == 1 << 21 ? 5 : 4));
            results.add(result(0, "samplesort", "u32", "staggered", n, 3));
            // Rates of another GPU and of another size do not count.
            results.add(result(1, "cub-radix", "u64", "uniform", n, 100));
        }
        results.add(result(0, "cub-radix", "u64", "uniform", 1 << 10, 100));
        results.add(result(0, "samplesort", "u32", "uniform", 1 << 23, 4));
        results.add(result(0, "hybrid-sort", "f32", "uniform", 1 << 20, 4));
        results.add(result(0, "hybrid-sort", "f32", "staggered", 1 << 20, 2));
        for (String distribution : List.of("staggered", "deterministic-duplicates")) {
            Map<String, Object> refused = result(0, "hybrid-sort", "f32", distribution, 1 << 21, 9);
            refused.keySet().removeAll(List.of("verified", "deviceGigaKeysPerSecond"));
            refused.put("undefined", "too large a bucket");
            results.add(refused);
        }
        List<StudyHeadlines.Headline> headlines = new StudyHeadlines(StudyRates.of(results)).all();
        StudyHeadlines.Headline radix = named(headlines, "u64, uniform: rate as a multiple of radix sort's");
        assertThat(radix.paper()).isEqualTo("at least 1.63, on average 2");
        assertThat(radix.then()).isEqualTo("0.50 to 1.50, on average 1.17");
        assertThat(radix.today()).isEqualTo("2.00 to 2.00, on average 2.00");
        assertThat(named(headlines, "u32, slowest input: rate as a multiple of uniform, at the largest n")
                        .today())
                .isEqualTo("0.75 (staggered, 2^22)");
        assertThat(named(headlines, "u32, uniform: least rate as a multiple of the greatest, from 2^20 on")
                        .today())
                .isEqualTo("0.80 (2^20 to 2^23)");
        assertThat(named(headlines, "hybrid-sort on f32, staggered: rate as a multiple of uniform")
                        .then())
                .isEqualTo("0.50 to 0.50, on average 0.50; refused at 1 size");
        assertThat(named(headlines, "hybrid-sort on f32, deterministic-duplicates: rate as a multiple of uniform")
                        .then())
                .isEqualTo("refused at 1 size");
        assertThat(named(headlines, "u32, uniform: rate as a multiple of GPU quicksort's")
                        .today())
                .isEqualTo("not measured");
    }

    @Test
    void wrongResultsHaveNoRateAndRefusalsAreQuoted() throws Exception {
        List<Map<String, Object>> results = new ArrayList<>();
        Map<String, Object> wrong = result(0, "bbsort", "u32", "uniform", 1 << 20, 9);
        wrong.put("verified", false);
        results.add(wrong);
        Map<String, Object> refused = result(0, "hybrid-sort", "u32", "deterministic-duplicates", 1 << 20, 9);
        refused.remove("verified");
        refused.put("undefined", "buckets > assumed & so on");
        results.add(refused);
        results.add(result(0, "samplesort", "u32", "uniform", 1 << 20, 5));
        results.add(result(1, "samplesort", "u32", "uniform", 1 << 20, 6));
        StudyRates rates = StudyRates.of(results);
        assertThat(rates.onFirstGpu("bbsort", StudyPlan.U32, InputDistribution.UNIFORM))
                .isEmpty();
        assertThat(rates.onFirstGpu("samplesort", StudyPlan.U32, InputDistribution.UNIFORM))
                .isEqualTo(new TreeMap<>(Map.of(1L << 20, 5000.0)));
        Document page = StudyPage.parse(
                new StudyReport(results, Map.of("GPU 0", Map.of("gpu", "Test GPU <1>")), List.of("a note")).html());
        assertThat(page.getDocumentElement().getTextContent())
                .contains("1 WRONG", "1 refused", "buckets > assumed & so on", "Test GPU <1>", "a note", "Figure 6");
        assertThat(StudyPage.elements(page, "figure"))
                .extracting(figure -> figure.getAttribute("id"))
                .containsExactly("u32-uniform", "devices-u32-samplesort");
    }

    /// Pictures without fonts are what `PictureFontTest` of the benchmarks is about.
    @Tag("exhaustive")
    @Test
    @EnabledOnOs(OS.LINUX)
    void aHostNeedsNoFonts() throws Exception {
        BareProcess process = new BareProcess(folder);
        Path out = folder.resolve("study");
        List<String> arguments =
                new ArrayList<>(List.of("study --quick --device cpu --types u64 --sizes 2^10".split(" ")));
        arguments.addAll(List.of("--out", out.toString()));
        assertThat(process.runBare(Study.class, arguments.toArray(String[]::new)))
                .as(process.log())
                .isZero();
        assertThat(StudyPage.elements(StudyPage.parse(out), "figure")).hasSize(6);
    }

    @Test
    void aBrowserDrawsTheCurves() throws Exception {
        Optional<Path> browser = browser();
        assumeTrue(browser.isPresent(), "there is no chromium and no google-chrome on the PATH");
        List<Map<String, Object>> results = new ArrayList<>();
        for (long n = 1 << 16; n <= 1 << 20; n *= 2) {
            results.add(result(0, "samplesort", "u32+u32", "uniform", n, n * 1e-5));
        }
        Path page = folder.resolve("study.html");
        Path picture = folder.resolve("picture.png");
        Files.writeString(page, new StudyReport(results, Map.of(), List.of()).html());
        Process process = new ProcessBuilder(
                        browser.orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--window-size=1300,2400",
                        "--screenshot=" + picture,
                        page.toUri().toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("browser.log").toFile())
                .start();
        assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        BufferedImage image = ImageIO.read(picture.toFile());
        int ofSamplesort = 0;
        for (int x = 0; x < image.getWidth(); x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                ofSamplesort += (image.getRGB(x, y) & 0xffffff) == 0xd62728 ? 1 : 0;
            }
        }
        // A line crosses most of a panel and has five markers.
        assertThat(ofSamplesort).isGreaterThan(500);
    }

    private static Optional<Path> browser() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(path -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(path).resolve(name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private int study(String... options) {
        List<String> arguments = new ArrayList<>(List.of("study", "--quick"));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--out")) {
            arguments.addAll(List.of("--out", folder.toString()));
        }
        return Study.commandLine().execute(arguments.toArray(String[]::new));
    }

    private static StudyHeadlines.Headline named(List<StudyHeadlines.Headline> headlines, String claim) {
        return headlines.stream()
                .filter(headline -> headline.claim().equals(claim))
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Object> result(
            int device, String system, String type, String distribution, long count, double rate) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("device", device);
        result.put("system", system);
        result.put("type", type);
        result.put("distribution", distribution);
        result.put("count", count);
        result.put("deviceGigaKeysPerSecond", rate);
        result.put("verified", true);
        return result;
    }
}
