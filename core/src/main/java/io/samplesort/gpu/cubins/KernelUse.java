package io.samplesort.gpu.cubins;

/// What kernels are for, which decides the programs that are compiled before the first sort.
public enum KernelUse {
    /// For sorts on one GPU, which wait for their kernels.
    NOW,
    /// For sorts on one GPU that the CPU takes over until all kernels are there. So the program that only sorts of
    /// large inputs need is compiled along with the others.
    LATER,
    /// For several GPUs that sort arrays together.
    ON_SEVERAL_GPUS;

    boolean isOnSeveralGpus() {
        return this == ON_SEVERAL_GPUS;
    }
}
