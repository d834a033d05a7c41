package io.samplesort.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `bench plot`.
@Command(
        name = "plot",
        description =
                "Draws the rate over n from results of bench gpu, a curve a system and a picture a type (SVG and PNG),"
                        + " and prints a Markdown table.")
final class PlotCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RESULTS", description = "A file of JSON lines.")
    private Path results;

    @Option(names = "--out", defaultValue = ".", description = "The folder for the pictures; default: here.")
    private Path out;

    @Option(
            names = "--table-sizes",
            defaultValue = "2^20,2^24,2^28",
            description = "Sizes in the table; default: ${DEFAULT-VALUE}.")
    private String tableSizes;

    /// Rate by type, system and size.
    private final Map<String, Map<String, TreeMap<Long, Double>>> rates = new LinkedHashMap<>();

    @Override
    @SuppressWarnings("deprecation") // XChart deprecates its encoders as a whole.
    public Integer call() throws IOException {
        for (Map<String, Object> result : Results.read(results)) {
            if ("uniform".equals(result.get("distribution")) && result.containsKey("deviceGigaKeysPerSecond")) {
                rates.computeIfAbsent((String) result.get("type"), k -> new LinkedHashMap<>())
                        .computeIfAbsent((String) result.get("system"), k -> new TreeMap<>())
                        .put(
                                ((Number) result.get("count")).longValue(),
                                ((Number) result.get("deviceGigaKeysPerSecond")).doubleValue());
            }
        }
        Files.createDirectories(out);
        for (Map.Entry<String, Map<String, TreeMap<Long, Double>>> type : rates.entrySet()) {
            XYChart chart = chart(type.getKey(), type.getValue());
            String base = out.resolve("rate-" + type.getKey().replace('+', '-')).toString();
            VectorGraphicsEncoder.saveVectorGraphic(
                    chart, base + ".svg", VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
            BitmapEncoder.saveBitmap(chart, base + ".png", BitmapEncoder.BitmapFormat.PNG);
        }
        System.out.print(table());
        return 0;
    }

    private static XYChart chart(String type, Map<String, TreeMap<Long, Double>> systems) {
        XYChart chart = new XYChartBuilder()
                .width(760)
                .height(460)
                .title(type + ", uniform, in device memory")
                .xAxisTitle("log2 n")
                .yAxisTitle("10^9 elements a second")
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideNW);
        chart.getStyler().setYAxisMin(0.0);
        systems.forEach((system, bySize) -> chart.addSeries(
                system,
                bySize.keySet().stream()
                        .mapToDouble(n -> Math.log(n) / Math.log(2))
                        .toArray(),
                bySize.values().stream().mapToDouble(Double::doubleValue).toArray()));
        return chart;
    }

    private String table() {
        List<Long> sizes = Sizes.parse(tableSizes);
        Set<String> systems = new LinkedHashSet<>();
        rates.values().forEach(bySystem -> systems.addAll(bySystem.keySet()));
        StringBuilder table = new StringBuilder("| type | n |");
        systems.forEach(system -> table.append(' ').append(system).append(" |"));
        table.append("\n|---|---|").append("---|".repeat(systems.size())).append('\n');
        rates.forEach((type, bySystem) -> {
            for (long size : sizes) {
                List<String> cells = new ArrayList<>();
                for (String system : systems) {
                    Double rate = bySystem.getOrDefault(system, new TreeMap<>()).get(size);
                    cells.add(rate == null ? "" : String.format(Locale.ROOT, rate < 10 ? "%.2f" : "%.1f", rate));
                }
                table.append("| ")
                        .append(type)
                        .append(" | 2^")
                        .append(Long.numberOfTrailingZeros(size))
                        .append(" | ")
                        .append(String.join(" | ", cells))
                        .append(" |\n");
            }
        });
        return table.toString();
    }
}
