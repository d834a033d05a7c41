/// Sample sort for arrays and memory segments, on NVIDIA GPUs and on the CPU.
///
/// Users call what is in [io.samplesort], and describe what they want with [io.samplesort.types]. The other packages
/// may change in any release.
@SuppressWarnings("module")
module io.samplesort {
    exports io.samplesort;
    exports io.samplesort.types;

    // The exceptions of its methods.
    requires transitive io.samplesort.cuda;

    // What samplesort-files needs of the engines, and the benchmarks for their inputs.
    exports io.samplesort.memory to
            io.samplesort.bench,
            io.samplesort.files;
    exports io.samplesort.shared to
            io.samplesort.files;

    // What samplesort-kernels provides, and what the command tells of this machine and keeps for it.
    exports io.samplesort.gpu.cubins to
            io.samplesort.cli,
            io.samplesort.kernels;

    uses io.samplesort.gpu.cubins.ReadyKernels;
}
