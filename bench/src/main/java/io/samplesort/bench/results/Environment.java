package io.samplesort.bench.results;

import io.samplesort.Device;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/// Where and how a measurement was made.
public final class Environment {
    private Environment() {}

    public static Map<String, Object> gpu(int ordinal) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("gpu", CudaDevice.get(ordinal).name());
        map.put("driver", DriverVersion.read().orElse("unknown"));
        int version = Cuda.driverVersion();
        map.put("driverCuda", version / 1000 + "." + version % 1000 / 10);
        map.put("nvrtc", Nvrtc.versionText());
        map.putAll(host());
        return map;
    }

    /// @param device as the command line names it: `auto` is the first GPU if there is one
    public static Map<String, Object> of(Device device) {
        return device.kind() == Device.Kind.CPU || Cuda.unavailableReason().isPresent()
                ? host()
                : gpu(device.ordinal());
    }

    public static Map<String, Object> host() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("cpu", Processor.describe(Path.of("/proc/cpuinfo")));
        map.put("cpuThreads", Runtime.getRuntime().availableProcessors());
        map.put("java", Runtime.version().toString());
        map.put("commit", commit());
        map.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        return map;
    }

    /// Adds how the run was started: its seed and its command line.
    ///
    /// @param command the subcommand that runs
    public static void addRun(Map<String, Object> environment, long seed, CommandSpec command) {
        environment.put("seed", seed);
        environment.put(
                "command",
                "bench "
                        + String.join(
                                " ",
                                command.commandLine()
                                        .getParent()
                                        .getParseResult()
                                        .originalArgs()));
    }

    /// Returns the commit that the jar was built from. The launchers of the bundle name it; in a checkout git knows it.
    private static String commit() {
        String given = System.getProperty("samplesort.commit");
        if (given != null) {
            return given;
        }
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty").start();
            try (InputStream out = git.getInputStream()) {
                return new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            }
        } catch (IOException e) {
            return "unknown";
        }
    }
}
