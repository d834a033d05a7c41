package io.samplesort.bench.results;

import io.samplesort.types.SortReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The stages of a pipelined sort, for results and for the terminal.
public final class StageRows {
    private StageRows() {}

    public static List<Map<String, Object>> of(SortReport report) {
        return report.stages().stream().map(StageRows::row).toList();
    }

    private static Map<String, Object> row(SortReport.Stage stage) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", stage.name());
        row.put("bytes", stage.bytes());
        row.put("busyMillis", stage.busy().toNanos() * 1e-6);
        row.put("waitingMillis", stage.waiting().toNanos() * 1e-6);
        return row;
    }

    public static String text(SortReport report) {
        return report.stages().stream()
                .map(stage -> String.format(
                        Locale.ROOT,
                        ", %s %.1f ms (%.1f GB/s, waited %.1f)",
                        stage.name(),
                        stage.busy().toNanos() * 1e-6,
                        stage.bytesPerSecond() * 1e-9,
                        stage.waiting().toNanos() * 1e-6))
                .collect(Collectors.joining());
    }
}
