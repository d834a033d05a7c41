package io.samplesort;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Where a sort is to run. Two devices are equal if they have the same name ([#toString]).
public final class Device {
    private static final String FORMS = "use auto, cpu, gpu, gpu:N, gpus or a list such as gpu:0,gpu:2";

    /// The choices.
    public enum Kind {
        /// The GPU if there is a usable one and the input is large enough to gain from it, else the CPU.
        AUTO,
        /// The CPU engine, on all cores.
        CPU,
        /// The GPU; it is an error if it cannot be used.
        GPU,
        /// Several GPUs of this host together; it is an error if one of them cannot be used.
        GPUS
    }

    private final Kind kind;
    private final List<Integer> ordinals;

    private Device(Kind kind, List<Integer> ordinals) {
        for (int ordinal : ordinals) {
            if (ordinal < 0) {
                throw new IllegalArgumentException("device ordinal " + ordinal + ": GPUs are numbered from 0");
            }
        }
        if (new HashSet<>(ordinals).size() < ordinals.size()) {
            throw new IllegalArgumentException("the GPUs " + ordinals + " name one of them twice: name each GPU once");
        }
        this.kind = kind;
        this.ordinals = ordinals;
    }

    /// Returns the best device, whose name is `auto`: the GPU if there is a usable one and the input is large enough to
    /// gain from it, else the CPU. While the driver starts, or kernels are compiled that are neither ready-made nor in
    /// the cache, the CPU sorts arrays of up to 2^24 elements for each core, and the report says so
    /// ([io.samplesort.types.SortReport#fallbackReason]). Sorts of more elements wait, which takes less time than to
    /// sort them on the CPU. If the process ends meanwhile, its end waits for the compiler.
    public static Device auto() {
        return new Device(Kind.AUTO, List.of());
    }

    /// Returns the CPU engine.
    public static Device cpu() {
        return new Device(Kind.CPU, List.of());
    }

    /// Returns the GPU with this number, as CUDA counts those that are visible. With `CUDA_DEVICE_ORDER=PCI_BUS_ID`,
    /// their order is that of `nvidia-smi`.
    ///
    /// @throws IllegalArgumentException if the number is negative
    public static Device gpu(int ordinal) {
        return new Device(Kind.GPU, List.of(ordinal));
    }

    /// Returns the GPUs with these numbers, which sort together; without a number, this means all that are visible. A
    /// single number means the same as [#gpu].
    ///
    /// @throws IllegalArgumentException if a number is negative or appears twice
    public static Device gpus(int... ordinals) {
        return ordinals.length == 1
                ? gpu(ordinals[0])
                : new Device(Kind.GPUS, Arrays.stream(ordinals).boxed().toList());
    }

    /// Returns which engine sorts.
    public Kind kind() {
        return kind;
    }

    /// Returns the number of the GPU; 0 for a device of another kind.
    public int ordinal() {
        return kind == Kind.GPU ? ordinals.getFirst() : 0;
    }

    /// Returns the numbers of several GPUs; empty for all that are visible, and for a device of another kind.
    public List<Integer> ordinals() {
        return kind == Kind.GPUS ? ordinals : List.of();
    }

    /// Reads `auto`, `cpu`, `gpu`, `gpu:N`, `gpus` or a list such as `gpu:0,gpu:2`.
    ///
    /// @throws IllegalArgumentException if `text` is anything else
    public static Device parse(String text) {
        if (text.equals("gpus")) {
            return gpus();
        }
        if (text.contains(",")) {
            return gpus(Arrays.stream(text.split(",", -1))
                    .map(each -> parse(each.strip(), text))
                    .peek(each -> requireGpu(each, text))
                    .mapToInt(Device::ordinal)
                    .toArray());
        }
        return parse(text, text);
    }

    /// @param whole what errors quote
    private static Device parse(String text, String whole) {
        Matcher matcher = Pattern.compile("auto|cpu|gpu(?::(\\d{1,4}))?").matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("device '" + whole + "': " + FORMS);
        }
        if (text.startsWith("gpu")) {
            return gpu(matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1)));
        }
        return text.equals("cpu") ? cpu() : auto();
    }

    private static void requireGpu(Device device, String list) {
        if (device.kind != Kind.GPU) {
            throw new IllegalArgumentException("device '" + device + "' in '" + list + "': only GPUs sort together");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Device device && device.kind == kind && device.ordinals.equals(ordinals);
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + ordinals.hashCode();
    }

    /// Returns the name that [#parse] reads.
    @Override
    public String toString() {
        return switch (kind) {
            case AUTO -> "auto";
            case CPU -> "cpu";
            case GPU -> "gpu:" + ordinal();
            case GPUS ->
                ordinals.isEmpty()
                        ? "gpus"
                        : ordinals.stream().map(each -> "gpu:" + each).collect(Collectors.joining(","));
        };
    }
}
