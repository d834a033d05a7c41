package io.samplesort.cli.report;

import io.samplesort.types.SortReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Reports of what a sort did, for people and for programs.
public final class Reports {
    private Reports() {}

    private static boolean isOnCpu(SortReport report) {
        return report.device().startsWith("cpu");
    }

    /// Returns the report for programs.
    ///
    /// @param kernels what sorts on the CPU
    public static Map<String, Object> toMap(SortReport report, String kernels) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("device", report.device());
        if (isOnCpu(report)) {
            map.put("cpuKernels", kernels);
        }
        map.put("elementCount", report.elementCount());
        map.put("seconds", seconds(report.total()));
        map.put("elementsPerSecond", report.elementsPerSecond());
        map.put("passes", report.passes());
        Map<String, Object> phases = new LinkedHashMap<>();
        report.phases().forEach(phase -> phases.put(phase.name(), seconds(phase.time())));
        map.put("phaseSeconds", phases);
        if (!report.stages().isEmpty()) {
            Map<String, Object> stages = new LinkedHashMap<>();
            report.stages().forEach(stage -> stages.put(stage.name(), toMap(stage)));
            map.put("stages", stages);
        }
        report.exchange().ifPresent(exchange -> map.put("exchange", toMap(exchange)));
        report.bottleneck().ifPresent(stage -> map.put("bottleneck", stage.name()));
        map.put("bytesMoved", report.bytesMoved());
        map.put("extraBytes", report.extraBytes());
        map.put("largestBucket", report.largestBucket());
        PeakMemory.bytes().ifPresent(bytes -> map.put("peakResidentBytes", bytes));
        report.fallbackReason().ifPresent(reason -> map.put("fallbackReason", reason));
        return map;
    }

    private static Map<String, Object> toMap(SortReport.Exchange exchange) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("storedElements", exchange.storedElements());
        map.put("copiedElements", exchange.copiedElements());
        map.put("sizes", exchange.sizes());
        map.put("received", exchange.received());
        map.put("balance", exchange.balance());
        return map;
    }

    private static Map<String, Object> toMap(SortReport.Stage stage) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("bytes", stage.bytes());
        map.put("busySeconds", seconds(stage.busy()));
        map.put("waitingSeconds", seconds(stage.waiting()));
        map.put("bytesPerSecond", stage.bytesPerSecond());
        return map;
    }

    /// Returns the report for people, in several lines.
    ///
    /// @param kernels what sorts on the CPU
    public static String toText(SortReport report, String kernels) {
        List<String> lines = new ArrayList<>();
        lines.add("device          " + report.device());
        if (isOnCpu(report)) {
            lines.add("kernels         " + kernels);
        }
        report.fallbackReason().ifPresent(reason -> lines.add("no GPU          " + reason));
        lines.add(String.format(Locale.ROOT, "elements        %,d", report.elementCount()));
        lines.add(String.format(Locale.ROOT, "time            %.3f ms", milliseconds(report.total())));
        lines.add(String.format(
                Locale.ROOT, "rate            %.1f million elements/s", report.elementsPerSecond() * 1e-6));
        lines.add(String.format(Locale.ROOT, "passes          %d", report.passes()));
        lines.add(String.format(Locale.ROOT, "largest bucket  %,d", report.largestBucket()));
        lines.add(String.format(Locale.ROOT, "extra memory    %,d bytes", report.extraBytes()));
        PeakMemory.bytes()
                .ifPresent(bytes -> lines.add(String.format(
                        Locale.ROOT, "peak memory     %,d bytes of the whole process, Java included", bytes)));
        if (report.bytesMoved() != 0) {
            lines.add(String.format(Locale.ROOT, "bytes moved     %,d", report.bytesMoved()));
        }
        report.exchange().ifPresent(exchange -> {
            lines.add(String.format(
                    Locale.ROOT,
                    "exchanged       %,d elements stored into other GPUs, %,d copied",
                    exchange.storedElements(),
                    exchange.copiedElements()));
            lines.add(String.format(
                    Locale.ROOT, "balance         %.3f of its share at most received by a GPU", exchange.balance()));
        });
        for (SortReport.Phase phase : report.phases()) {
            lines.add(String.format(Locale.ROOT, "  %-16s %10.3f ms", phase.name(), milliseconds(phase.time())));
        }
        for (SortReport.Stage stage : report.stages()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-16s %10.3f ms  %8.2f GB/s of %.3f GB, waited %.3f ms",
                    stage.name(),
                    milliseconds(stage.busy()),
                    stage.bytesPerSecond() * 1e-9,
                    stage.bytes() * 1e-9,
                    milliseconds(stage.waiting())));
        }
        report.bottleneck().ifPresent(stage -> lines.add("bound by        " + stage.name()));
        return String.join(System.lineSeparator(), lines);
    }

    private static double seconds(Duration time) {
        return time.toNanos() * 1e-9;
    }

    private static double milliseconds(Duration time) {
        return time.toNanos() * 1e-6;
    }
}
