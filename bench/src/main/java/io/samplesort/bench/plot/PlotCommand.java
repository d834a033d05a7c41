package io.samplesort.bench.plot;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `bench plot`.
@Command(
        name = "plot",
        description =
                "Draws results of bench gpu and bench records as SVG and PNG: the rate over n of uniform input, a picture"
                        + " a type, where several sizes were measured; a heat map of the input distributions, a picture"
                        + " a size, where several distributions were; and bars of the sorts of records, a picture an"
                        + " input. Prints a Markdown table. Wrong results are left out.")
public final class PlotCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RESULTS", arity = "1..*", description = "Files of JSON lines.")
    private List<Path> files;

    @Option(names = "--out", defaultValue = ".", description = "The folder for the pictures; default: here.")
    private Path out;

    @Option(
            names = "--table-sizes",
            defaultValue = "2^20,2^24,2^28",
            description = "Sizes in the table of bench gpu; default: ${DEFAULT-VALUE}.")
    private String tableSizes;

    @Override
    public Integer call() throws IOException {
        PictureFont.use();
        List<Map<String, Object>> results = new ArrayList<>();
        for (Path file : files) {
            results.addAll(Results.read(file));
        }
        results.removeIf(result -> Boolean.FALSE.equals(result.get("verified")));
        List<RecordRates> records = RecordRates.of(results);
        Files.createDirectories(out);
        Map<String, Map<String, TreeMap<Long, Double>>> hostRates = uniformRates(
                results.stream()
                        .filter(result -> !result.containsKey("deviceGigaKeysPerSecond"))
                        .toList(),
                "wallGigaKeysPerSecond");
        for (Map.Entry<String, Map<String, TreeMap<Long, Double>>> type : hostRates.entrySet()) {
            new RateChart(type.getKey() + ", uniform, from host memory to host memory", type.getValue())
                    .save(out, "host-" + type.getKey());
        }
        results.removeIf(result -> !result.containsKey("deviceGigaKeysPerSecond"));
        Map<String, Map<String, TreeMap<Long, Double>>> rates = uniformRates(results, "deviceGigaKeysPerSecond");
        for (Map.Entry<String, Map<String, TreeMap<Long, Double>>> type : rates.entrySet()) {
            if (type.getValue().values().stream().anyMatch(bySize -> bySize.size() > 1)) {
                new RateChart(type.getKey() + ", uniform, in device memory", type.getValue())
                        .save(out, "rate-" + type.getKey().replace('+', '-'));
            }
        }
        for (DistributionRates distributions : DistributionRates.of(results)) {
            new HeatMap(distributions)
                    .save(
                            out,
                            "distributions-" + Sizes.text(distributions.count()).replace('^', '-'));
        }
        if (!rates.isEmpty()) {
            System.out.print(table("type", rates, Sizes.parse(tableSizes)));
        }
        for (RecordRates ofInput : records) {
            new JobChart(ofInput).save(out, "records-" + ofInput.input());
            System.out.print(table("job, " + ofInput.input(), ofInput.rates(), ofInput.counts()));
        }
        return 0;
    }

    /// Rate by type, system and size.
    private static Map<String, Map<String, TreeMap<Long, Double>>> uniformRates(
            List<Map<String, Object>> results, String rate) {
        Map<String, Map<String, TreeMap<Long, Double>>> rates = new LinkedHashMap<>();
        for (Map<String, Object> result : results) {
            if ("uniform".equals(result.get("distribution")) && result.containsKey(rate)) {
                rates.computeIfAbsent((String) result.get("type"), k -> new LinkedHashMap<>())
                        .computeIfAbsent((String) result.get("system"), k -> new TreeMap<>())
                        .put(((Number) result.get("count")).longValue(), ((Number) result.get(rate)).doubleValue());
            }
        }
        return rates;
    }

    private static String table(
            String heading, Map<String, Map<String, TreeMap<Long, Double>>> rates, Collection<Long> sizes) {
        Set<String> systems = new LinkedHashSet<>();
        rates.values().forEach(bySystem -> systems.addAll(bySystem.keySet()));
        StringBuilder table = new StringBuilder("| " + heading + " | n |");
        systems.forEach(system -> table.append(' ').append(system).append(" |"));
        table.append("\n|---|---|").append("---|".repeat(systems.size())).append('\n');
        rates.forEach((type, bySystem) -> {
            for (long size : sizes) {
                List<String> cells = new ArrayList<>();
                for (String system : systems) {
                    Double rate = bySystem.getOrDefault(system, new TreeMap<>()).get(size);
                    cells.add(rate == null ? "" : String.format(Locale.ROOT, rate < 10 ? "%.2f" : "%.1f", rate));
                }
                if (cells.stream().allMatch(String::isEmpty)) {
                    continue;
                }
                table.append("| ")
                        .append(type)
                        .append(" | ")
                        .append(Sizes.text(size))
                        .append(" | ")
                        .append(String.join(" | ", cells))
                        .append(" |\n");
            }
        });
        return table.toString();
    }
}
