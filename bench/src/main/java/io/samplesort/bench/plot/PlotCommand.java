package io.samplesort.bench.plot;

import io.samplesort.bench.results.Results;
import io.samplesort.bench.results.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `bench plot`.
@Command(
        name = "plot",
        description =
                "Draws results of bench gpu, bench gpus, bench host and bench records as SVG and PNG. Each type has a picture of the"
                        + " rate over n on uniform input, if several sizes were measured; each size has a heat map of the input"
                        + " distributions, if several were measured; each input of records has a picture with bars. Also"
                        + " prints Markdown tables. Wrong results are left out.")
public final class PlotCommand implements Callable<Integer> {
    private static final String DEVICE_RATE = "deviceGigaKeysPerSecond";
    private static final String WALL_RATE = "wallGigaKeysPerSecond";

    @Parameters(paramLabel = "RESULTS", arity = "1..*", description = "Files of JSON lines.")
    private List<Path> files;

    @Option(names = "--out", defaultValue = ".", description = "The folder for the pictures; default: this folder.")
    private Path out;

    @Option(
            names = "--table-sizes",
            defaultValue = "2^20,2^24,2^28",
            description = "The sizes in the table of bench gpu; default: ${DEFAULT-VALUE}.")
    private String tableSizes;

    @Override
    public Integer call() throws IOException {
        PictureFont.use();
        List<Map<String, Object>> results = new ArrayList<>();
        for (Path file : files) {
            results.addAll(Results.read(file));
        }
        results.removeIf(result -> Boolean.FALSE.equals(result.get("verified")));
        Files.createDirectories(out);
        plotGpus(results.stream().filter(result -> result.containsKey("gpus")).toList());
        plotHost(results.stream()
                .filter(result -> !result.containsKey(DEVICE_RATE) && !result.containsKey("gpus"))
                .toList());
        plotDevice(results.stream()
                .filter(result -> result.containsKey(DEVICE_RATE))
                .toList());
        plotRecords(results);
        return 0;
    }

    private void plotHost(List<Map<String, Object>> results) throws IOException {
        RateTable rates = uniformRates(results, WALL_RATE);
        for (String type : rates.rows()) {
            RateChart.linear(type + ", uniform, from host memory to host memory", rates.curves(type))
                    .save(out, "host-" + type);
        }
    }

    private void plotGpus(List<Map<String, Object>> results) throws IOException {
        for (String place : List.of("device", "host")) {
            RateTable rates = uniformRates(
                    results.stream()
                            .filter(result -> place.equals(result.get("place")))
                            .toList(),
                    WALL_RATE);
            String where =
                    place.equals("device") ? ", uniform, in device memory" : ", uniform, host memory to host memory";
            for (String type : rates.rows()) {
                RateChart.linear(type + where, rates.curves(type))
                        .save(out, "gpus-" + place + "-" + type.replace('+', '-'));
            }
            if (!rates.rows().isEmpty()) {
                System.out.print(rates.markdown("type, " + place + " memory", rates.counts()));
            }
        }
    }

    private void plotDevice(List<Map<String, Object>> results) throws IOException {
        RateTable rates = uniformRates(results, DEVICE_RATE);
        for (String type : rates.rows()) {
            if (rates.curves(type).values().stream().anyMatch(bySize -> bySize.size() > 1)) {
                RateChart.linear(type + ", uniform, in device memory", rates.curves(type))
                        .save(out, "rate-" + type.replace('+', '-'));
            }
        }
        for (DistributionRates distributions : DistributionRates.of(results)) {
            String size = Sizes.text(distributions.count()).replace('^', '-');
            new HeatMap(distributions).save(out, "distributions-" + size);
        }
        if (!rates.rows().isEmpty()) {
            System.out.print(rates.markdown("type", Sizes.parse(tableSizes)));
        }
    }

    private void plotRecords(List<Map<String, Object>> results) throws IOException {
        for (RecordRates records : RecordRates.of(results)) {
            JobChart.of(records).save(out, "records-" + records.input());
            RateTable rates = records.rates();
            System.out.print(rates.markdown("job, " + records.input(), rates.counts()));
        }
    }

    /// Returns the rates on uniform input, with a row for each type.
    private static RateTable uniformRates(List<Map<String, Object>> results, String rate) {
        RateTable rates = new RateTable();
        for (Map<String, Object> result : results) {
            if ("uniform".equals(result.get("distribution")) && result.containsKey(rate)) {
                rates.put(
                        (String) result.get("type"),
                        (String) result.get("system"),
                        Results.count(result),
                        Results.number(result, rate));
            }
        }
        return rates;
    }
}
