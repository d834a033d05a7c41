package io.samplesort.cli.report;

import io.samplesort.types.SortReport;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Shows what a sort did.
public final class Reports {
    private Reports() {}

    public static Map<String, Object> toMap(SortReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("device", report.device());
        map.put("elementCount", report.elementCount());
        map.put("seconds", report.total().toNanos() * 1e-9);
        map.put("elementsPerSecond", report.elementsPerSecond());
        map.put("passes", report.passes());
        Map<String, Object> phases = new LinkedHashMap<>();
        report.phases().forEach(phase -> phases.put(phase.name(), phase.time().toNanos() * 1e-9));
        map.put("phaseSeconds", phases);
        if (!report.stages().isEmpty()) {
            Map<String, Object> stages = new LinkedHashMap<>();
            report.stages().forEach(stage -> stages.put(stage.name(), toMap(stage)));
            map.put("stages", stages);
        }
        report.bottleneck().ifPresent(stage -> map.put("bottleneck", stage.name()));
        map.put("bytesMoved", report.bytesMoved());
        map.put("extraBytes", report.extraBytes());
        map.put("largestBucket", report.largestBucket());
        report.fallbackReason().ifPresent(reason -> map.put("fallbackReason", reason));
        return map;
    }

    private static Map<String, Object> toMap(SortReport.Stage stage) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("bytes", stage.bytes());
        map.put("busySeconds", stage.busy().toNanos() * 1e-9);
        map.put("waitingSeconds", stage.waiting().toNanos() * 1e-9);
        map.put("bytesPerSecond", stage.bytesPerSecond());
        return map;
    }

    public static void print(SortReport report, PrintWriter out) {
        out.printf(Locale.ROOT, "device          %s%n", report.device());
        report.fallbackReason().ifPresent(reason -> out.printf(Locale.ROOT, "no GPU          %s%n", reason));
        out.printf(Locale.ROOT, "elements        %,d%n", report.elementCount());
        out.printf(Locale.ROOT, "time            %.3f ms%n", report.total().toNanos() * 1e-6);
        out.printf(Locale.ROOT, "rate            %.1f million elements/s%n", report.elementsPerSecond() * 1e-6);
        out.printf(Locale.ROOT, "passes          %d%n", report.passes());
        out.printf(Locale.ROOT, "largest bucket  %,d%n", report.largestBucket());
        out.printf(Locale.ROOT, "extra memory    %,d bytes%n", report.extraBytes());
        if (report.bytesMoved() != 0) {
            out.printf(Locale.ROOT, "bytes moved     %,d%n", report.bytesMoved());
        }
        report.phases()
                .forEach(phase -> out.printf(
                        Locale.ROOT,
                        "  %-16s %10.3f ms%n",
                        phase.name(),
                        phase.time().toNanos() * 1e-6));
        report.stages()
                .forEach(stage -> out.printf(
                        Locale.ROOT,
                        "  %-16s %10.3f ms  %8.2f GB/s of %.3f GB, waited %.3f ms%n",
                        stage.name(),
                        stage.busy().toNanos() * 1e-6,
                        stage.bytesPerSecond() * 1e-9,
                        stage.bytes() * 1e-9,
                        stage.waiting().toNanos() * 1e-6));
        report.bottleneck().ifPresent(stage -> out.printf(Locale.ROOT, "bound by        %s%n", stage.name()));
    }
}
