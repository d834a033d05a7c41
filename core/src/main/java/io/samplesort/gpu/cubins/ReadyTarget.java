package io.samplesort.gpu.cubins;

import io.samplesort.gpu.code.FittingTuning;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.types.Tuning;
import java.util.Locale;

/// What kernels are made ready for: the machine code of an architecture, or PTX, which the driver compiles for GPUs
/// that are newer than this list. Code of one architecture also runs on GPUs of the same major number and a higher
/// minor one. So `sm_86` serves `sm_89` too: NVRTC makes the same code for both, and their blocks have the same memory.
public enum ReadyTarget {
    SM_75(64 << 10),
    SM_80(163 << 10),
    SM_86(99 << 10),
    SM_90(227 << 10),
    SM_100(227 << 10),
    SM_120(99 << 10),
    /// PTX. Its tuning fits the smallest shared memory of a block on GPUs from compute capability 8.0 on.
    COMPUTE_100(99 << 10);

    private static final int FIRST_PTX_MAJOR = 10;

    private final int sharedBytes;

    ReadyTarget(int sharedBytes) {
        this.sharedBytes = sharedBytes;
    }

    /// Returns the target for GPUs of a compute capability; null if there is none. Modules that combine GPU and CPU
    /// (8.7) do not run the code of cards.
    static ReadyTarget of(int major, int minor) {
        return switch (major * 10 + minor) {
            case 75 -> SM_75;
            case 80 -> SM_80;
            case 86, 89 -> SM_86;
            case 90 -> SM_90;
            case 100, 103 -> SM_100;
            case 120, 121 -> SM_120;
            default -> major >= FIRST_PTX_MAJOR ? COMPUTE_100 : null;
        };
    }

    /// Returns NVRTC's name of this target, such as `sm_90`.
    public String architecture() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isPtx() {
        return this == COMPUTE_100;
    }

    /// Returns the default tuning for elements on a GPU that runs this code.
    ///
    /// @param available the bytes of shared memory that its blocks may have
    Tuning tuning(KernelElement element, int available) {
        return FittingTuning.defaultFor(
                element, architecture(), isPtx() ? Math.min(available, sharedBytes) : available);
    }

    /// Returns the default tuning with which the kernels are made.
    Tuning tuning(KernelElement element) {
        return tuning(element, sharedBytes);
    }

    /// Returns whether a driver loads what a compiler made: machine code if the major numbers of their CUDA versions
    /// are the same or the driver's is higher, PTX if the driver's version is the same or higher.
    ///
    /// @param driverVersion   such as 13000 for 13.0
    /// @param compilerVersion such as `13.1`
    boolean isLoadedBy(int driverVersion, String compilerVersion) {
        int dot = compilerVersion.indexOf('.');
        int oldest = 1000 * Integer.parseInt(compilerVersion.substring(0, dot));
        return driverVersion >= (isPtx() ? oldest + 10 * Integer.parseInt(compilerVersion.substring(dot + 1)) : oldest);
    }
}
