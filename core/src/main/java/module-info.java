/// Sample sort for arrays and memory segments, on NVIDIA GPUs and on the CPU.
///
/// Users call what is in [io.samplesort], and describe what they want with [io.samplesort.types]. The other packages
/// may change in any release.
@SuppressWarnings("module")
module io.samplesort {
    // Annotations for the compilers of users.
    requires static org.jspecify;

    exports io.samplesort;
    exports io.samplesort.types;

    // The exceptions that its methods throw.
    requires transitive io.samplesort.cuda;

    // For samplesort-files, and for the benchmarks.
    exports io.samplesort.memory to
            io.samplesort.bench,
            io.samplesort.files;
    exports io.samplesort.reports to
            io.samplesort.files;
    exports io.samplesort.shared to
            io.samplesort.files;

    // For samplesort-kernels, which provides ready-made kernels, and for the command.
    exports io.samplesort.gpu.cubins to
            io.samplesort.cli,
            io.samplesort.kernels;

    uses io.samplesort.gpu.cubins.ReadyKernels;
}
