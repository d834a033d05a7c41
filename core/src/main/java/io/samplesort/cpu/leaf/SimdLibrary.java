package io.samplesort.cpu.leaf;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Finds and loads the SIMD sort of this process, which is used only after it has sorted a few numbers correctly.
///
/// The kernels of this engine need AVX-512. On a processor that has only AVX2, the SIMD sort is the [JdkSort].
final class SimdLibrary {
    /// The features of a processor for which the kernels are compiled.
    private static final String[] KERNEL_FLAGS = {
        "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "fma", "movbe"
    };

    /// The features that come with AVX2, for which other kernels are compiled (x86-64-v3).
    private static final String[] AVX2_FLAGS = {"avx2", "bmi1", "bmi2", "fma", "movbe", "f16c", "abm"};

    private static final int CHECKED_COUNT = 1000;

    /// Null until it is loaded, and if there is none.
    private static volatile SimdSort loaded;

    private SimdLibrary() {}

    /// Returns the sort for this processor; null if there is none, if it is not loaded yet, or if this process may not
    /// call native functions.
    static SimdSort find() {
        if (loaded == null && isAllowed()) {
            Load.begin();
        }
        return loaded;
    }

    /// Returns the sort if it is loaded; null otherwise.
    static SimdSort loaded() {
        return loaded;
    }

    /// Waits until the sort is loaded, and returns what [#find] then returns.
    static SimdSort awaitLoaded() {
        return isAllowed() ? Load.LOAD.await().sort() : null;
    }

    /// Returns which SIMD sort this process uses, or why it uses none, for users. Waits until it is loaded.
    static String words() {
        String numbers = isAllowed()
                ? Load.LOAD.await().words()
                : none(KernelLibrary.refusal()).words();
        String whyNot = TextKernels.problem();
        if (whyNot == null) {
            return numbers + "; for text, those of any x86-64 processor";
        }
        return numbers.contains(whyNot) ? numbers : numbers + "; none for text: " + whyNot;
    }

    /// Returns whether this process may call native functions. Otherwise the virtual machine would print a warning, or
    /// throw, when they are linked.
    static boolean isAllowed() {
        return SimdLibrary.class.getModule().isNativeAccessEnabled();
    }

    /// Loads the sort once, when it is first asked for. A future of the JDK would take the first sort of a process some
    /// 5 ms, since it loads a pool of threads.
    private static final class Load implements Runnable {
        private static final Load LOAD = start();

        /// Guarded by this object; null before it has ended.
        private Found found;

        /// Begins to load when this class is first used.
        static void begin() {}

        private static Load start() {
            Load load = new Load();
            Thread thread = new Thread(null, load, "samplesort-load", 0, false);
            thread.setDaemon(true);
            try {
                thread.start();
            } catch (OutOfMemoryError e) {
                // The system refuses another thread, so sorts do without SIMD.
                load.end(none("the system refuses another thread"));
            }
            return load;
        }

        @Override
        public void run() {
            Found result = none("loading them has failed");
            try {
                result = search();
            } finally {
                // After an error, sorts do without SIMD.
                end(result);
            }
            // No thread waits for this.
            KernelLeftovers.remove();
        }

        private synchronized void end(Found result) {
            loaded = result.sort();
            found = result;
            notifyAll();
        }

        /// The interrupt status of the thread is restored afterwards.
        private synchronized Found await() {
            boolean isInterrupted = false;
            while (found == null) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            return found;
        }
    }

    /// What this process knows about its processor. The thread that loads a library asks for it, and so does the thread
    /// that waits.
    private static final class Known {
        /// Null if no SIMD functions may be called in this process, or if the system does not say what its processor
        /// is.
        static final Processor PROCESSOR = find();

        static final boolean RUNS_KERNELS = PROCESSOR != null && PROCESSOR.runsKernels();

        static final boolean HAS_AVX2 = PROCESSOR != null && PROCESSOR.hasAll(AVX2_FLAGS);

        private static Processor find() {
            try {
                return KernelLibrary.refusal() == null ? Processor.read(new File("/proc/cpuinfo")) : null;
            } catch (IOException e) {
                return null;
            }
        }
    }

    /// Returns whether it makes sense to wait for the kernels of this engine.
    static boolean mayRunKernels() {
        return isAllowed() && Known.RUNS_KERNELS;
    }

    /// Returns whether native functions with AVX2 may be called in this process.
    static boolean hasAvx2() {
        return isAllowed() && Known.HAS_AVX2;
    }

    /// What was found.
    ///
    /// @param sort  null if there is none
    /// @param words which SIMD sort is used, or why none is, for users
    private record Found(SimdSort sort, String words) {}

    /// Returns a sort for this processor.
    private static Found search() {
        try {
            Processor processor = Known.PROCESSOR;
            if (processor == null) {
                String refusal = KernelLibrary.refusal();
                return none(refusal == null ? "the system does not tell what its processor is" : refusal);
            }
            String problem = "this processor has no AVX-512";
            if (Known.RUNS_KERNELS) {
                problem = KernelLibrary.problem();
                if (problem == null) {
                    Kernels kernels = new Kernels(processor.isAmd() ? Kernels.MINIMA : Kernels.COMPARING);
                    if (kernels.sortRightly(CHECKED_COUNT)) {
                        return new Found(new SimdSort(kernels), "AVX-512");
                    }
                    problem = "they have sorted wrongly when they were tried";
                }
            }
            JdkSort jdk = processor.hasFlag("avx2") ? JdkSort.find() : null;
            return jdk != null && jdk.sortsRightly()
                    ? new Found(new SimdSort(jdk), "AVX2, for numbers of 4 bytes alone, since " + problem)
                    : none(problem);
        } catch (RuntimeException | LinkageError e) {
            // Whatever is wrong with the library, there is another way to sort.
            return none("loading them has failed: " + e);
        }
    }

    /// Returns the result if there is no SIMD sort.
    private static Found none(String reason) {
        return new Found(null, "none, since " + reason);
    }

    /// What Linux says about the first processor. At this time Java has compiled nothing yet, so this avoids splitting
    /// text.
    ///
    /// @param vendor its maker
    /// @param flags  its instruction sets, as far as the system supports them, with a space on either side of each
    record Processor(String vendor, String flags) {
        /// More than Linux says about one processor. It interrupts each processor that it is asked about.
        private static final int MOST_BYTES = 1 << 13;

        static Processor read(File cpuInfo) throws IOException {
            try (FileInputStream in = new FileInputStream(cpuInfo)) {
                String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
                return new Processor(value(text, "vendor_id"), " " + value(text, "flags") + " ");
            }
        }

        /// Returns the value in the first line that begins with this name.
        private static String value(String text, String name) {
            int line = text.startsWith(name) ? 0 : text.indexOf("\n" + name) + 1;
            int end = text.indexOf('\n', line);
            int colon = text.indexOf(':', line);
            boolean isThere = text.startsWith(name, line) && colon >= 0 && colon < end;
            return isThere ? text.substring(colon + 1, end).strip() : "";
        }

        boolean hasFlag(String flag) {
            return flags.contains(" " + flag + " ");
        }

        /// Returns whether it has all instructions of the kernels of this engine.
        boolean runsKernels() {
            return hasAll(KERNEL_FLAGS);
        }

        boolean hasAll(String[] wanted) {
            for (String flag : wanted) {
                if (!hasFlag(flag)) {
                    return false;
                }
            }
            return true;
        }

        boolean isAmd() {
            return vendor.equals("AuthenticAMD");
        }
    }
}
