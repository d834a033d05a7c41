/// Ready-made kernels for [io.samplesort]: machine code, and the classes that decode it. Users call none of these.
module io.samplesort.kernels {
    requires io.samplesort;
    requires org.tukaani.xz;

    provides io.samplesort.gpu.cubins.ReadyKernels with
            io.samplesort.kernels.ArchivedKernels;
}
