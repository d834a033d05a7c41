/// Sample sort for arrays, memory segments and files, on NVIDIA GPUs and on the CPU.
///
/// Users call what is in [io.samplesort], and describe what they want with [io.samplesort.types]. The other packages
/// may change in any release.
@SuppressWarnings("module")
module io.samplesort {
    exports io.samplesort;
    exports io.samplesort.types;

    // The exceptions of its methods.
    requires transitive io.samplesort.cuda;
    // Writing past the cache of files.
    requires jdk.unsupported;

    // What samplesort-kernels provides.
    exports io.samplesort.gpu.ready to
            io.samplesort.kernels;

    uses io.samplesort.gpu.ready.ReadyKernels;
}
