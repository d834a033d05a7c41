package io.samplesort.cli;

import io.samplesort.SampleSort;
import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.Output;
import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Cuda;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.cubins.KeptTunings;
import io.samplesort.gpu.cubins.KernelSupply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `samplesort info`.
@Command(
        name = "info",
        customSynopsis = "samplesort info [OPTIONS]",
        description = "Tells which devices can sort. Where the GPU cannot be used, it says exactly why and what to"
                + " install.")
final class InfoCommand implements Callable<Integer> {
    /// The oldest driver that loads what the NVRTC of `samplesort setup` compiles.
    private static final int SETUP_DRIVER_VERSION = 13000;

    /// What people read instead of the names for programs, in the order of the lines.
    private static final Map<String, String> WORDS = words();

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() {
        Map<String, Object> info = info();
        Output output = outputOptions.output();
        if (output.isForPrograms()) {
            output.print(info);
        } else {
            WORDS.forEach((name, words) -> {
                if (info.containsKey(name)) {
                    inWords(info.get(name)).forEach(text -> output.print(String.format("%-20s%s", words, text)));
                }
            });
        }
        return 0;
    }

    /// Returns a value as lines for people.
    private static List<String> inWords(Object value) {
        return switch (value) {
            case Boolean is -> List.of(is ? "yes" : "no");
            case List<?> gpus ->
                gpus.stream()
                        .map(gpu -> (Map<?, ?>) gpu)
                        .map(gpu -> String.format(
                                Locale.ROOT,
                                "%s: %s, architecture %s, %s multiprocessors, %.1f GB%s",
                                gpu.get("device"),
                                gpu.get("name"),
                                gpu.get("architecture"),
                                gpu.get("multiprocessors"),
                                (long) gpu.get("memoryBytes") * 1e-9,
                                reach(gpu.get("peers"))))
                        .toList();
            default -> List.of(value.toString());
        };
    }

    /// Says which other GPUs a GPU can access; nothing if there is no other one.
    private static String reach(Object peers) {
        if (!(peers instanceof List<?> reached)) {
            return "";
        }
        return reached.isEmpty()
                ? ", reaches no other GPU directly"
                : ", reaches " + reached.stream().map(Object::toString).collect(Collectors.joining(", ")) + " directly";
    }

    private static Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("version", "version");
        words.put("java", "Java");
        words.put("cpuThreads", "threads on the CPU");
        words.put("cpuKernels", "kernels on the CPU");
        words.put("gpuUsable", "GPU can be used");
        words.put("gpuUnavailableReason", "why not");
        words.put("gpus", "GPU");
        words.put("driver", "driver");
        words.put("driverCudaVersion", "driver is for CUDA");
        words.put("readyMadeKernels", "ready-made kernels");
        words.put("otherKernels", "other kernels");
        words.put("tuning", "tuning");
        words.put("toDo", "what to do");
        words.put("nvrtc", "NVRTC");
        words.put("nvrtcVersion", "version of NVRTC");
        words.put("kernelCache", "cache of kernels");
        return words;
    }

    private static Map<String, Object> info() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("version", new Version().getVersion()[0]);
        info.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        info.put("cpuThreads", Runtime.getRuntime().availableProcessors());
        info.put("cpuKernels", SampleSort.cpuKernels());
        Optional<String> reason = SampleSort.gpuUnavailableReason();
        info.put("gpuUsable", reason.isEmpty());
        reason.ifPresent(text -> info.put("gpuUnavailableReason", text));
        if (Cuda.driverUnavailableReason().isEmpty()) {
            info.put("driver", Cuda.libraryPath());
            info.put("driverCudaVersion", Cuda.versionText());
            List<Map<String, Object>> devices = new ArrayList<>();
            for (int ordinal = 0; ordinal < CudaDevice.count(); ordinal++) {
                devices.add(describe(CudaDevice.get(ordinal)));
            }
            info.put("gpus", devices);
            describeKernels(CudaDevice.get(0), info);
        }
        if (Nvrtc.unavailableReason().isEmpty()) {
            info.put("nvrtc", Nvrtc.libraryPath());
            info.put("nvrtcVersion", Nvrtc.versionText());
        }
        Path cache = CacheFolder.resolve("kernels");
        info.put("kernelCache", cache == null ? "none, since this user has no home folder" : cache.toString());
        return info;
    }

    /// Says where the kernels of a GPU come from, what is missing for which sorts, and how to fix that.
    private static void describeKernels(CudaDevice device, Map<String, Object> info) {
        Optional<String> ready = KernelSupply.readyMadeVersion(device);
        Optional<String> missing = KernelSupply.compilerUnavailableReason();
        info.put(
                "readyMadeKernels",
                ready.isPresent()
                        ? "for numbers in natural order, by NVRTC " + ready.get()
                        : "none: " + KernelSupply.notReadyReason(device));
        info.put(
                "otherKernels",
                missing.isEmpty()
                        ? "compiled by NVRTC " + Nvrtc.versionText() + " when they are first used"
                        : "none, so other orders are not sorted on the GPU: " + missing.get());
        info.put("tuning", tuning(device));
        if (Nvrtc.unavailableReason().isPresent()) {
            info.put(
                    "toDo",
                    Cuda.driverVersion() >= SETUP_DRIVER_VERSION
                            ? "run samplesort setup"
                            : "update the NVIDIA driver to one for CUDA 13.0 or newer, then run samplesort setup; or"
                                    + " install libnvrtc of the CUDA toolkit " + Cuda.versionText());
        }
    }

    private static String tuning(CudaDevice device) {
        KeptTunings kept = KeptTunings.of(device);
        String kinds = String.join(", ", kept.overrides().keySet());
        return kinds.isEmpty()
                ? "the defaults"
                        + kept.problem()
                                .map(problem -> ", since " + problem + ": run samplesort tune")
                                .orElse("")
                : "measured on this GPU for elements of " + kinds + " bytes (" + KeptTunings.file(device) + ")";
    }

    private static Map<String, Object> describe(CudaDevice device) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("device", "gpu:" + device.ordinal());
        map.put("name", device.name());
        map.put("architecture", device.architecture());
        map.put("multiprocessors", device.multiprocessorCount());
        map.put("memoryBytes", device.totalBytes());
        int count = CudaDevice.count();
        if (count > 1) {
            map.put(
                    "peers",
                    IntStream.range(0, count)
                            .filter(other -> other != device.ordinal() && CudaDevice.canReach(device.ordinal(), other))
                            .mapToObj(other -> "gpu:" + other)
                            .toList());
        }
        return map;
    }
}
