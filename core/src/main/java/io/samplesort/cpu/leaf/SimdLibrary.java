package io.samplesort.cpu.leaf;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/// Finds a SIMD sort for this processor, which is used only after it has sorted a few numbers rightly.
///
/// The kernels of this engine take AVX-512. Where there is no more than AVX2, it is the sort that the JDK brings along
/// for its own use. Nobody promises that its function stays as it is, so it is called only in versions of Java that it
/// was tested with.
final class SimdLibrary {
    /// The versions of Java whose library was tested.
    private static final Set<Integer> TESTED_VERSIONS = Set.of(25);

    /// What the kernels are compiled for.
    private static final String[] KERNEL_FLAGS = {
        "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "fma", "movbe"
    };

    static final File LIBRARY = new File(System.getProperty("java.home"), "lib/libsimdsort.so");

    private static final int CHECKED_COUNT = 1000;

    private SimdLibrary() {}

    /// What this process knows of its processor. Both the thread that loads a library and that which waits for it ask.
    private static final class Known {
        /// Null if no SIMD functions may be called in this process, or the system does not tell what its processor is.
        static final Processor PROCESSOR = find();

        static final boolean RUNS_KERNELS = PROCESSOR != null && PROCESSOR.runsKernels();

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
        return SimdSort.isAllowed() && Known.RUNS_KERNELS;
    }

    /// What was found.
    ///
    /// @param sort  null if there is none
    /// @param words what runs, or why nothing does, for users
    record Found(SimdSort sort, String words) {}

    /// Returns a sort for this processor.
    static Found load() {
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
            JdkSort jdk = processor.hasFlag("avx2") ? jdkSort() : null;
            return jdk != null && sortsRightly(jdk)
                    ? new Found(new SimdSort(jdk), "AVX2, for numbers of 4 bytes alone, since " + problem)
                    : none(problem);
        } catch (RuntimeException | LinkageError e) {
            // Whatever is wrong with a library, there is another way to sort.
            return none("loading them has failed: " + e);
        }
    }

    /// Returns what to tell if there is no sort.
    static Found none(String reason) {
        return new Found(null, "none, since " + reason);
    }

    /// Returns the JDK's sort of ints for AVX2; null if it is not there.
    static JdkSort jdkSort() {
        if (!TESTED_VERSIONS.contains(Runtime.version().feature()) || !LIBRARY.isFile()) {
            return null;
        }
        SymbolLookup library = SymbolLookup.libraryLookup(LIBRARY.toPath(), Arena.global());
        return library.find("avx2_sort")
                .flatMap(sort -> library.find("avx2_partition").map(partition -> new JdkSort(sort, partition)))
                .orElse(null);
    }

    static boolean sortsRightly(JdkSort sort) {
        int[] ints = ints();
        int[] values = ints.clone();
        int[] sorted = ints.clone();
        Arrays.sort(sorted);
        sort.sort(ints, 0, CHECKED_COUNT);
        return Arrays.equals(ints, sorted) && partitionsRightly(sort, values, sorted);
    }

    private static int[] ints() {
        int[] ints = new int[CHECKED_COUNT];
        long number = 1;
        for (int i = 0; i < CHECKED_COUNT; i++) {
            number = next(number);
            // The lowest bits repeat soon.
            ints[i] = (int) (number >> Integer.SIZE);
        }
        return ints;
    }

    /// Returns the number that follows in a sequence of 2^64 numbers (D. E. Knuth's MMIX). The generators of the JDK
    /// bring some twenty classes along.
    private static long next(long number) {
        return number * 6364136223846793005L + 1442695040888963407L;
    }

    private static boolean partitionsRightly(JdkSort sort, int[] values, int[] sorted) {
        int first = values[1] < values[2] ? 1 : 2;
        int second = 3 - first;
        int least = values[first];
        int greatest = values[second];
        long bounds = sort.partition(values, 0, CHECKED_COUNT, first, second);
        int firstEnd = (int) bounds;
        int lastStart = (int) (bounds >>> Integer.SIZE);
        if (firstEnd < 0 || lastStart < firstEnd || lastStart > CHECKED_COUNT) {
            return false;
        }
        for (int i = 0; i < CHECKED_COUNT; i++) {
            int value = values[i];
            boolean isRight = i < firstEnd
                    ? value < least
                    : value >= (i < lastStart ? least : greatest) && (i >= lastStart || value <= greatest);
            if (!isRight) {
                return false;
            }
        }
        Arrays.sort(values);
        return Arrays.equals(values, sorted);
    }

    /// What Linux tells of the first processor. Nothing is compiled yet where this is asked, so it cuts no text into
    /// pieces.
    ///
    /// @param vendor its maker
    /// @param flags  its instruction sets, as far as the system supports them, with a space on either side of each
    record Processor(String vendor, String flags) {
        /// More than is told of one processor. Linux interrupts each processor that it is asked about.
        private static final int MOST_BYTES = 1 << 13;

        static Processor read(File cpuInfo) throws IOException {
            try (FileInputStream in = new FileInputStream(cpuInfo)) {
                String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.ISO_8859_1);
                return new Processor(value(text, "vendor_id"), " " + value(text, "flags") + " ");
            }
        }

        /// Returns what the first line says that begins with a name.
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
            for (String flag : KERNEL_FLAGS) {
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
