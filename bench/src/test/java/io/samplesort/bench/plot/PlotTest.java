package io.samplesort.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.samplesort.bench.Bench;
import io.samplesort.bench.results.Results;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

@EnabledIf("io.samplesort.bench.plot.Pictures#canBeDrawn")
class PlotTest {
    private static final Pattern TEXT = Pattern.compile("<text [^>]*>([^<]*)</text>");
    private static final Pattern SIZE = Pattern.compile("<svg [^>]*height=\"(\\d+)px\"[^>]* width=\"(\\d+)px\"");
    /// A cell. Only cells are rectangles of this height.
    private static final Pattern CELL =
            Pattern.compile("<rect height=\"23\" style=\"fill:rgb\\((\\d+),(\\d+),(\\d+)\\);[^\"]*\""
                    + " width=\"(\\d+)\" x=\"(\\d+)\" y=\"(\\d+)\"");

    /// The top and the foot of a bar. Only bars are paths of four corners that let the grid show through.
    private static final Pattern BAR = Pattern.compile(
            "<path d=\"M[^,]*,([0-9.]+) L[^,]*,[0-9.]+ L[^,]*,([0-9.]+) L[^,]*,[0-9.]+ Z\"[^>]*fill-opacity");

    @TempDir
    private Path folder;

    @Test
    void ratesOverSizesWhereSeveralWereMeasured() throws IOException {
        for (long n = 1 << 16; n <= 1 << 20; n *= 2) {
            add("a", "u32+u32", "uniform", n, n * 1e-6);
        }
        add("a", "u64", "uniform", 1 << 20, 1);
        assertThat(plot()).containsExactlyInAnyOrder("r.jsonl", "rate-u32-u32.svg", "rate-u32-u32.png");
        assertThat(Files.size(folder.resolve("rate-u32-u32.svg"))).isGreaterThan(1000);
        BufferedImage png = png("rate-u32-u32");
        assertThat(png.getWidth()).isEqualTo(2 * 760);
        assertThat(png.getHeight()).isEqualTo(2 * 460);
    }

    @Test
    void heatMapNamesRowsColumnsAndRates() throws IOException {
        measureFour();
        assertThat(plot()).containsExactlyInAnyOrder("r.jsonl", "distributions-2-20.svg", "distributions-2-20.png");
        assertThat(texts("distributions-2-20"))
                .contains("uniform", "zipf", "samplesort", "cub-radix", "u32", "u64", "+u64")
                .contains("20.3", "40.7", "10.0", "9.98", "123", "61.7", "2.35", "1.18")
                .contains("Rate by input distribution, 2^20 elements")
                .contains("10^9 elements a second, device memory, Test GPU")
                .contains("≤ 0.5", "≥ 2");
    }

    @Test
    void heatMapIsTheSameInBothFormats() throws IOException {
        measureFour();
        plot();
        String svg = svg("distributions-2-20");
        BufferedImage png = png("distributions-2-20");
        MatchResult size = SIZE.matcher(svg).results().findFirst().orElseThrow();
        assertThat(png.getHeight()).isEqualTo(2 * Integer.parseInt(size.group(1)));
        assertThat(png.getWidth()).isEqualTo(2 * Integer.parseInt(size.group(2)));
        List<MatchResult> cells = CELL.matcher(svg).results().toList();
        assertThat(cells).hasSize(8);
        for (MatchResult cell : cells) {
            int x = 2 * Integer.parseInt(cell.group(5)) + 4;
            int y = 2 * Integer.parseInt(cell.group(6)) + 4;
            assertThat(new Color(png.getRGB(x, y))).isEqualTo(colour(cell));
        }
    }

    @Test
    void coloursAreRelativeToTheUniformRateOfTheSameColumn() throws IOException {
        measureFour();
        plot();
        List<Color> colours = CELL.matcher(svg("distributions-2-20"))
                .results()
                .map(PlotTest::colour)
                .toList();
        Color equal = HeatMap.colour(1);
        Color twice = HeatMap.colour(2);
        Color half = HeatMap.colour(0.5);
        // Columns: samplesort u32 and u64+u64, then cub-radix. In each column: uniform, then zipf.
        assertThat(colours)
                .containsExactly(equal, twice, equal, HeatMap.colour(9.984 / 9.996), equal, half, equal, half);
    }

    @Test
    void whatWasNotMeasuredIsADashWithoutColour() throws IOException {
        add("samplesort", "u32", "uniform", 1 << 20, 20);
        add("samplesort", "u32", "zipf", 1 << 20, 20);
        add("samplesort", "u32", "sorted", 1 << 20, 20);
        add("cub-radix", "u32", "zipf", 1 << 20, 30);
        add("cub-radix", "u32", "uniform", 1 << 20, 30);
        plot();
        List<Color> colours = CELL.matcher(svg("distributions-2-20"))
                .results()
                .map(PlotTest::colour)
                .toList();
        assertThat(colours).hasSize(6);
        assertThat(colours.subList(0, 5)).containsOnly(HeatMap.colour(1));
        assertThat(colours.get(5)).isNotEqualTo(HeatMap.colour(1));
        assertThat(texts("distributions-2-20")).containsOnlyOnce("–");
    }

    @Test
    void coloursHaveEqualStepsForEqualRatiosAndEndAtHalfAndDouble() {
        assertThat(HeatMap.colour(0.1)).isEqualTo(HeatMap.colour(0.5));
        assertThat(HeatMap.colour(17)).isEqualTo(HeatMap.colour(2));
        Color half = HeatMap.colour(0.5);
        Color between = HeatMap.colour(Math.sqrt(0.5));
        Color equal = HeatMap.colour(1);
        assertThat(2 * between.getBlue()).isCloseTo(half.getBlue() + equal.getBlue(), within(1));
        assertThat(half.getRed()).isGreaterThan(half.getBlue());
        assertThat(HeatMap.colour(2).getBlue()).isGreaterThan(HeatMap.colour(2).getRed());
    }

    @Test
    void oneHeatMapForEachCountAndNoneOfOneDistribution() throws IOException {
        for (long count : new long[] {1 << 20, 1_000_000}) {
            add("samplesort", "u32", "uniform", count, 20);
            add("samplesort", "u32", "zipf", count, 30);
            add("samplesort", "i8", "uniform", count, 77.7);
        }
        add("samplesort", "u32", "uniform", 1 << 21, 20);
        assertThat(plot())
                .contains("distributions-2-20.svg", "distributions-1000000.svg")
                .doesNotContain("distributions-2-21.svg");
        assertThat(texts("distributions-1000000")).contains("20.0", "30.0").doesNotContain("i8", "77.7");
    }

    @Test
    void wrongResultsAreLeftOutAndTheLastOfRepeatedOnesCounts() throws IOException {
        add("samplesort", "u32", "uniform", 1 << 20, 11.1);
        add("samplesort", "u32", "uniform", 1 << 20, 22.2);
        add("samplesort", "u32", "zipf", 1 << 20, 33.3);
        Map<String, Object> wrong = result("samplesort", "u32", "zipf", 1 << 20, 44.4);
        wrong.put("verified", false);
        new Results(folder.resolve("r.jsonl"), Map.of()).add(wrong);
        plot();
        assertThat(texts("distributions-2-20")).contains("22.2", "33.3").doesNotContain("11.1", "44.4");
    }

    @Test
    void barsOfRecordsAtTheLargestSizeOfEachJob() throws IOException {
        addRecords("samplesort", "struct16", "uniform", 1 << 20, 7.77, true);
        addRecords("samplesort", "struct16", "uniform", 1 << 24, 3.25, true);
        addRecords("cub-merge", "struct16", "uniform", 1 << 24, 1.5, true);
        addRecords("samplesort", "record100", "uniform", 1 << 20, 0.625, true);
        addRecords("cub-radix-gather", "record100", "uniform", 1 << 20, 0.875, true);
        addRecords("cub-merge", "record100", "uniform", 1 << 20, 9.5, false);
        assertThat(plot()).containsExactlyInAnyOrder("r.jsonl", "records-uniform.svg", "records-uniform.png");
        BufferedImage png = png("records-uniform");
        assertThat(png.getWidth()).isEqualTo(2 * 1000);
        assertThat(png.getHeight()).isEqualTo(2 * 460);
        RecordRates rates =
                RecordRates.of(Results.read(folder.resolve("r.jsonl"))).getFirst();
        assertThat(rates.rates().systems()).containsExactly("samplesort", "cub-merge", "cub-radix-gather");
        assertThat(rates.rates().counts()).containsExactly(1L << 20, 1L << 24);
        assertThat(rates.largestCount("struct16")).isEqualTo(1 << 24);
        assertThat(rates.largestCount("record100")).isEqualTo(1 << 20);
        double[] heights = BAR.matcher(svg("records-uniform"))
                .results()
                .mapToDouble(bar -> Double.parseDouble(bar.group(2)) - Double.parseDouble(bar.group(1)))
                .toArray();
        // The bars come by system: first ours of both jobs, then those of CUB.
        assertThat(heights).hasSize(4);
        assertThat(heights[1] / heights[0]).isCloseTo(0.625 / 3.25, within(0.01));
        assertThat(heights[2] / heights[0]).isCloseTo(1.5 / 3.25, within(0.01));
        assertThat(heights[3] / heights[0]).isCloseTo(0.875 / 3.25, within(0.01));
    }

    @Test
    void recordsArePlottedApartFromKeysAndByInput() throws IOException {
        addRecords("samplesort", "struct16", "uniform", 1 << 20, 3, true);
        addRecords("samplesort", "struct16", "duplicates", 1 << 20, 4, true);
        add("samplesort", "u32", "uniform", 1 << 20, 20);
        add("samplesort", "u32", "zipf", 1 << 20, 30);
        assertThat(plot())
                .contains("records-uniform.svg", "records-duplicates.svg", "distributions-2-20.svg")
                .hasSize(7);
        assertThat(texts("distributions-2-20")).doesNotContain("struct16");
    }

    private void addRecords(String system, String job, String input, long count, double rate, boolean isRight) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("system", system);
        result.put("job", job);
        result.put("input", input);
        result.put("count", count);
        result.put("deviceGigaElementsPerSecond", rate);
        result.put("verified", isRight);
        new Results(folder.resolve("r.jsonl"), Map.of("gpu", "Test GPU")).add(result);
    }

    private void measureFour() {
        add("samplesort", "u32", "uniform", 1 << 20, 20.34);
        add("cub-radix", "u32", "uniform", 1 << 20, 123.4);
        add("samplesort", "u32", "zipf", 1 << 20, 40.68);
        add("cub-radix", "u32", "zipf", 1 << 20, 61.7);
        add("samplesort", "u64+u64", "uniform", 1 << 20, 9.996);
        add("samplesort", "u64+u64", "zipf", 1 << 20, 9.984);
        add("cub-radix", "u64+u64", "uniform", 1 << 20, 2.35);
        add("cub-radix", "u64+u64", "zipf", 1 << 20, 1.175);
    }

    private void add(String system, String type, String distribution, long count, double rate) {
        new Results(folder.resolve("r.jsonl"), Map.of("gpu", "Test GPU"))
                .add(result(system, type, distribution, count, rate));
    }

    private static Map<String, Object> result(
            String system, String type, String distribution, long count, double rate) {
        return new LinkedHashMap<>(Map.of(
                "system",
                system,
                "type",
                type,
                "distribution",
                distribution,
                "count",
                count,
                "deviceGigaKeysPerSecond",
                rate,
                "verified",
                true));
    }

    @Test
    void resultsOfBenchFilesAreLeftOut() throws IOException {
        new Results(folder.resolve("r.jsonl"), Map.of())
                .add(Map.of("system", "numpy", "job", "u64", "count", 1 << 20, "wallGigaElementsPerSecond", 1));
        assertThat(plot()).containsExactly("r.jsonl");
    }

    @Test
    void filesAreReadAsOne() throws IOException {
        add("samplesort", "u32", "uniform", 1 << 20, 20);
        Path other = folder.resolve("other.jsonl");
        new Results(other, Map.of()).add(result("samplesort", "u32", "zipf", 1 << 20, 30));
        plot(other.toString());
        assertThat(texts("distributions-2-20")).contains("20.0", "30.0");
    }

    /// Runs the command, and returns the files that are there afterwards.
    private List<String> plot(String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("plot", folder.resolve("r.jsonl").toString(), "--out", folder.toString()));
        arguments.addAll(List.of(more));
        assertThat(Bench.commandLine().execute(arguments.toArray(String[]::new)))
                .isZero();
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    private List<String> texts(String name) throws IOException {
        List<String> texts = new ArrayList<>();
        TEXT.matcher(svg(name)).results().forEach(text -> texts.add(text.group(1)));
        return texts;
    }

    private static Color colour(MatchResult cell) {
        return new Color(
                Integer.parseInt(cell.group(1)), Integer.parseInt(cell.group(2)), Integer.parseInt(cell.group(3)));
    }

    private String svg(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".svg"));
    }

    private BufferedImage png(String name) throws IOException {
        return ImageIO.read(folder.resolve(name + ".png").toFile());
    }
}
