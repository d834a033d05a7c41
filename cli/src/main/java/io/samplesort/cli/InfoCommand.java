package io.samplesort.cli;

import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.Output;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `samplesort info`.
@Command(
        name = "info",
        customSynopsis = "samplesort info [OPTIONS]",
        description = "Tells which devices can sort. Where the GPU cannot be used, it says exactly why and what to"
                + " install.")
final class InfoCommand implements Callable<Integer> {
    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() {
        Map<String, Object> info = info();
        Output output = outputOptions.output();
        if (output.isForPrograms()) {
            output.print(info);
        } else {
            info.forEach((name, value) -> output.print(String.format(Locale.ROOT, "%-22s%s", name, value)));
        }
        return 0;
    }

    private static Map<String, Object> info() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("version", new Version().getVersion()[0]);
        info.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        info.put("cpuThreads", Runtime.getRuntime().availableProcessors());
        Optional<String> reason = Cuda.unavailableReason();
        info.put("gpuUsable", reason.isEmpty());
        reason.ifPresent(text -> info.put("gpuUnavailableReason", text));
        if (Cuda.driverUnavailableReason().isEmpty()) {
            int version = Cuda.driverVersion();
            info.put("driver", Cuda.libraryPath());
            info.put("driverCudaVersion", version / 1000 + "." + version % 1000 / 10);
            List<Map<String, Object>> devices = new ArrayList<>();
            for (int ordinal = 0; ordinal < CudaDevice.count(); ordinal++) {
                devices.add(describe(CudaDevice.get(ordinal)));
            }
            info.put("gpus", devices);
        }
        if (Nvrtc.unavailableReason().isEmpty()) {
            info.put("nvrtc", Nvrtc.libraryPath());
            info.put("nvrtcVersion", Nvrtc.versionText());
        }
        Path cache = CacheFolder.resolve("kernels");
        info.put("kernelCache", cache == null ? "none, since this user has no home folder" : cache.toString());
        return info;
    }

    private static Map<String, Object> describe(CudaDevice device) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("device", "gpu:" + device.ordinal());
        map.put("name", device.name());
        map.put("architecture", device.architecture());
        map.put("multiprocessors", device.multiprocessorCount());
        map.put("memoryBytes", device.totalBytes());
        return map;
    }
}
