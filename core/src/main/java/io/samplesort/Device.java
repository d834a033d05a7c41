package io.samplesort;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a sort is to run.
///
/// @param kind    which engine
/// @param ordinal the number of the GPU, as `nvidia-smi` counts those that are visible; 0 unless `kind` is `GPU`
public record Device(Kind kind, int ordinal) {
    /// The choices.
    public enum Kind {
        /// The GPU if there is a usable one and the input is large enough to gain from it; else the CPU.
        AUTO,
        /// The CPU engine, on all cores.
        CPU,
        /// The GPU; it is an error if it cannot be used.
        GPU
    }

    /// @throws IllegalArgumentException if the ordinal is negative, or not 0 for a device other than a GPU
    public Device {
        Objects.requireNonNull(kind, "kind");
        if (ordinal < 0 || (ordinal != 0 && kind != Kind.GPU)) {
            throw new IllegalArgumentException(
                    "device ordinal " + ordinal + " for " + kind + ": only GPUs are numbered, from 0");
        }
    }

    /// Returns the device `auto`: the GPU where it pays, else the CPU.
    public static Device auto() {
        return new Device(Kind.AUTO, 0);
    }

    /// The CPU engine.
    public static Device cpu() {
        return new Device(Kind.CPU, 0);
    }

    /// Returns the GPU with this number.
    public static Device gpu(int ordinal) {
        return new Device(Kind.GPU, ordinal);
    }

    /// Reads `auto`, `cpu`, `gpu` or `gpu:N`.
    ///
    /// @throws IllegalArgumentException if `text` is anything else
    public static Device parse(String text) {
        Matcher matcher = Pattern.compile("auto|cpu|gpu(?::(\\d{1,4}))?").matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("device '" + text + "': use auto, cpu, gpu or gpu:N");
        }
        if (text.startsWith("gpu")) {
            return gpu(matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1)));
        }
        return text.equals("cpu") ? cpu() : auto();
    }

    @Override
    public String toString() {
        return switch (kind) {
            case AUTO -> "auto";
            case CPU -> "cpu";
            case GPU -> "gpu:" + ordinal;
        };
    }
}
