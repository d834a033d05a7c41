package io.samplesort.cli;

import io.samplesort.SortReport;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Shows what a sort did.
final class Reports {
    private Reports() {}

    static Map<String, Object> toMap(SortReport report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("device", report.device());
        map.put("elementCount", report.elementCount());
        map.put("seconds", report.total().toNanos() * 1e-9);
        map.put("elementsPerSecond", report.elementsPerSecond());
        map.put("passes", report.passes());
        Map<String, Object> phases = new LinkedHashMap<>();
        report.phases().forEach(phase -> phases.put(phase.name(), phase.time().toNanos() * 1e-9));
        map.put("phaseSeconds", phases);
        map.put("bytesMoved", report.bytesMoved());
        map.put("extraBytes", report.extraBytes());
        map.put("largestBucket", report.largestBucket());
        report.fallbackReason().ifPresent(reason -> map.put("fallbackReason", reason));
        return map;
    }

    static void print(SortReport report, PrintWriter out) {
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
    }
}
