package io.samplesort.gpu.host;

import io.samplesort.reports.SortReportBuilder;
import io.samplesort.types.SortReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One report of what several GPUs have done in one sort.
public final class SharedReport {
    private SharedReport() {}

    /// Joins the reports of the GPUs, each of which covers all elements. Devices and stages are named with their
    /// shares; phases are those of the first GPU.
    ///
    /// @param counts how many elements each GPU has sorted
    public static SortReport of(List<SortReport> reports, List<Long> counts) {
        SortReport first = reports.getFirst();
        if (reports.size() == 1) {
            return first;
        }
        long all = counts.stream().mapToLong(Long::longValue).sum();
        List<String> devices = new ArrayList<>();
        List<SortReport.Stage> stages = new ArrayList<>();
        for (int gpu = 0; gpu < reports.size(); gpu++) {
            SortReport report = reports.get(gpu);
            double share = all == 0 ? 0 : 100.0 * counts.get(gpu) / all;
            devices.add(String.format(Locale.ROOT, "%s (%.0f%%)", report.device(), share));
            String name = report.device().split(" ", 2)[0];
            for (SortReport.Stage stage : report.stages()) {
                stages.add(
                        new SortReport.Stage(stage.name() + " " + name, stage.bytes(), stage.busy(), stage.waiting()));
            }
        }
        return new SortReportBuilder(String.join(", ", devices))
                .elementCount(first.elementCount())
                .passes(reports.stream().mapToInt(SortReport::passes).max().orElse(0))
                .phases(first.phases())
                .total(first.total())
                .bytesMoved(first.bytesMoved())
                .extraBytes(reports.stream().mapToLong(SortReport::extraBytes).sum())
                .largestBucket(reports.stream()
                        .mapToLong(SortReport::largestBucket)
                        .max()
                        .orElse(0))
                .stages(stages)
                .build();
    }
}
