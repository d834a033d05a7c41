package io.samplesort.gpu.cubins;

import java.util.ServiceLoader;

/// Ready-made kernels: machine code for the sorts that most people need, so that nothing is compiled for them. The
/// artifact `samplesort-kernels` provides them as a service. They may be asked from several threads at once.
public interface ReadyKernels {
    /// Returns the version of the compiler that made the code for an architecture, such as `13.1`; null if there is no
    /// code for it.
    ///
    /// @param architecture `sm_XX` for machine code, `compute_XX` for PTX
    String compilerVersion(String architecture);

    /// Returns the code of one program; null if there is none, or if it is damaged.
    ///
    /// @param architecture as in [#compilerVersion]
    /// @param key          identifies everything that went into the code
    byte[] get(String architecture, long key);

    /// Returns the ready-made kernels on the class path or module path; null if there are none.
    static ReadyKernels installed() {
        return Installed.KERNELS;
    }

    /// Looks for ready-made kernels once in a process.
    final class Installed {
        static final ReadyKernels KERNELS = ServiceLoader.load(ReadyKernels.class, ReadyKernels.class.getClassLoader())
                .findFirst()
                .orElse(null);

        private Installed() {}
    }
}
