/// Ready-made kernels for [io.samplesort]: machine code, and what decodes it. Nothing of it is called by users.
module io.samplesort.kernels {
    requires io.samplesort;
    requires org.tukaani.xz;

    provides io.samplesort.gpu.cubins.ReadyKernels with
            io.samplesort.kernels.ArchivedKernels;
}
