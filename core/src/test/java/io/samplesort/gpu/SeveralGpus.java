package io.samplesort.gpu;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.cuda.CudaDevice;
import io.samplesort.emulator.Emulator;
import java.util.Arrays;

/// Several GPUs for one test: emulated ones, or those of this machine. A machine that has fewer skips the test.
public final class SeveralGpus implements AutoCloseable {
    private static final long DEFAULT_BYTES = 2L << 30;

    private final Emulator emulator;

    private SeveralGpus(Emulator emulator) {
        this.emulator = emulator;
    }

    /// Returns this many GPUs, which can all reach each other.
    public static SeveralGpus of(int count) {
        if (!GpuEnvironment.IS_EMULATED) {
            assumeTrue(CudaDevice.count() >= count, "this needs " + count + " GPUs");
            for (int gpu = 1; gpu < count; gpu++) {
                assumeTrue(CudaDevice.canReach(0, gpu) && CudaDevice.canReach(gpu, 0), "this needs peers");
            }
            return new SeveralGpus(null);
        }
        long[] bytes = new long[count];
        Arrays.fill(bytes, DEFAULT_BYTES);
        return withMemory(bytes);
    }

    /// Returns emulated GPUs with so much memory each.
    public static SeveralGpus withMemory(long... bytes) {
        assumeTrue(GpuEnvironment.IS_EMULATED, "the memory of a real GPU is what it is");
        Emulator emulator = Emulator.start();
        emulator.setDevices(bytes);
        return new SeveralGpus(emulator);
    }

    /// Has two emulated GPUs reach each other no more.
    public SeveralGpus separate(int one, int other) {
        assumeTrue(GpuEnvironment.IS_EMULATED, "what a real GPU can reach is what it is");
        emulator.setReachable(one, other, false);
        emulator.setReachable(other, one, false);
        return this;
    }

    @Override
    public void close() {
        if (emulator != null) {
            emulator.setDevices(DEFAULT_BYTES);
        }
    }
}
