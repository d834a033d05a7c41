package io.samplesort.cpu.leaf;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Finds the SIMD sort that the JDK brings along for its own use. Nobody promises that the function stays as it is, so
/// it is called only in versions of Java that it was tested with, and only after it has sorted a few numbers rightly.
final class SimdLibrary {
    /// Setting this system property to `false` keeps the engine from calling the library.
    private static final String SWITCH = "samplesort.simd";

    /// The versions of Java whose library was tested.
    private static final Set<Integer> TESTED_VERSIONS = Set.of(25);

    /// The family of the AMD processors whose instruction for compressing into memory is so slow that the JDK does
    /// without AVX-512 there.
    private static final String SLOW_AMD_FAMILY = "25";

    static final Path LIBRARY = Path.of(System.getProperty("java.home"), "lib", "libsimdsort.so");

    private static final int CHECKED_COUNT = 1000;

    private SimdLibrary() {}

    /// Returns the processor, if the library may be called in this process; null if not.
    ///
    /// @throws IOException if the system does not tell what its processor is
    static Processor processor() throws IOException {
        boolean isWanted = Boolean.parseBoolean(System.getProperty(SWITCH, "true"))
                && TESTED_VERSIONS.contains(Runtime.version().feature())
                && Files.isRegularFile(LIBRARY);
        return isWanted ? Processor.read(Path.of("/proc/cpuinfo")) : null;
    }

    /// Returns a sort that calls the library; null if it is not there, or not for this processor or version of Java.
    static SimdSort load() {
        try {
            Processor processor = processor();
            Optional<SimdSort> sort = Optional.empty();
            if (processor != null && processor.hasFastAvx512()) {
                sort = sortBy("avx512", true, processor.isAmd());
            } else if (processor != null && processor.hasFlag("avx2")) {
                sort = sortBy("avx2", false, processor.isAmd());
            }
            return sort.filter(SimdLibrary::sortsRightly).orElse(null);
        } catch (IOException | RuntimeException | LinkageError e) {
            // Whatever is wrong with a library that is not ours, there is another way to sort.
            return null;
        }
    }

    /// Returns the sort that calls the library's functions for an instruction set; empty if there are none.
    static Optional<SimdSort> sortBy(String instructions, boolean sortsLongs, boolean isAmd) {
        SymbolLookup library = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
        return library.find(instructions + "_sort")
                .flatMap(sort -> library.find(instructions + "_partition")
                        .map(partition -> new SimdSort(sort, partition, sortsLongs, isAmd)));
    }

    /// This runs in every process that sorts, so it has plain loops: streams would take longer to load than it takes.
    static boolean sortsRightly(SimdSort sort) {
        SplittableRandom random = new SplittableRandom(1);
        int[] ints = new int[CHECKED_COUNT];
        long[] near = new long[CHECKED_COUNT];
        long[] far = new long[CHECKED_COUNT];
        for (int i = 0; i < CHECKED_COUNT; i++) {
            ints[i] = random.nextInt();
            near[i] = random.nextLong(Long.MAX_VALUE / 4);
            far[i] = random.nextLong();
        }
        int[] values = ints.clone();
        int[] sortedInts = ints.clone();
        Arrays.sort(sortedInts);
        sort.sort(ints, 0, CHECKED_COUNT);
        return Arrays.equals(ints, sortedInts)
                && (!sort.sortsLongs() || sortsRightly(sort, near) && sortsRightly(sort, far))
                && partitionsRightly(sort, values, sortedInts);
    }

    private static boolean partitionsRightly(SimdSort sort, int[] values, int[] sorted) {
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

    private static boolean sortsRightly(SimdSort sort, long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        sort.sort(values, 0, CHECKED_COUNT);
        return Arrays.equals(values, sorted);
    }

    /// What Linux tells of the first processor.
    ///
    /// @param vendor its maker
    /// @param family the number of its family
    /// @param flags  its instruction sets, as far as the system supports them
    record Processor(String vendor, String family, Set<String> flags) {
        static Processor read(Path cpuInfo) throws IOException {
            List<String> lines = new ArrayList<>();
            // An empty line ends what is told of the first processor.
            try (BufferedReader reader = Files.newBufferedReader(cpuInfo)) {
                for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
                    lines.add(line);
                }
            }
            return new Processor(
                    value(lines, "vendor_id"),
                    value(lines, "cpu family"),
                    Set.copyOf(Arrays.asList(value(lines, "flags").split(" "))));
        }

        private static String value(List<String> lines, String name) {
            for (String line : lines) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
                    return line.substring(colon + 1).strip();
                }
            }
            return "";
        }

        boolean hasFlag(String flag) {
            return flags.contains(flag);
        }

        boolean hasFastAvx512() {
            return hasFlag("avx512f") && hasFlag("avx512dq") && !(isAmd() && family.equals(SLOW_AMD_FAMILY));
        }

        boolean isAmd() {
            return vendor.equals("AuthenticAMD");
        }
    }
}
