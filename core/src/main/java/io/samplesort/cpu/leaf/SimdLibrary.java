package io.samplesort.cpu.leaf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Finds a SIMD sort for this processor, which is used only after it has sorted a few numbers rightly.
///
/// The kernels of this engine take AVX-512. Where there is no more than AVX2, it is the sort that the JDK brings along
/// for its own use. Nobody promises that its function stays as it is, so it is called only in versions of Java that it
/// was tested with.
final class SimdLibrary {
    /// Setting this system property to `false` keeps the engine from calling the library.
    private static final String SWITCH = "samplesort.simd";

    /// The versions of Java whose library was tested.
    private static final Set<Integer> TESTED_VERSIONS = Set.of(25);

    /// What the kernels are compiled for.
    private static final List<String> KERNEL_FLAGS =
            List.of("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx2", "bmi1", "bmi2", "fma", "movbe");

    /// The kernels of this engine; a build for another system or processor has none.
    private static final String KERNELS = "libsamplesort-cpu-x86-64.so";

    private static final boolean IS_X86 = System.getProperty("os.arch").equals("amd64")
            && System.getProperty("os.name").equals("Linux");

    static final Path LIBRARY = Path.of(System.getProperty("java.home"), "lib", "libsimdsort.so");

    private static final int CHECKED_COUNT = 1000;

    private SimdLibrary() {}

    /// Returns the processor, if SIMD functions may be called in this process; null if not.
    ///
    /// @throws IOException if the system does not tell what its processor is
    static Processor processor() throws IOException {
        boolean isWanted = Boolean.parseBoolean(System.getProperty(SWITCH, "true")) && IS_X86;
        return isWanted ? Processor.read(Path.of("/proc/cpuinfo")) : null;
    }

    /// Returns a sort for this processor; null if there is none.
    static SimdSort load() {
        try {
            Processor processor = processor();
            if (processor == null) {
                return null;
            }
            Kernels kernels =
                    processor.runsKernels() ? kernels(processor.isAmd() ? Kernels.MINIMA : Kernels.COMPARING) : null;
            if (kernels != null && sortsRightly(kernels)) {
                return new SimdSort(kernels);
            }
            JdkSort jdk = processor.hasFlag("avx2") ? jdkSort() : null;
            return jdk != null && sortsRightly(jdk) ? new SimdSort(jdk) : null;
        } catch (IOException | RuntimeException | LinkageError e) {
            // Whatever is wrong with a library, there is another way to sort.
            return null;
        }
    }

    /// Returns the kernels of this engine; null if there are none, or the system loads none. Their file is deleted as
    /// soon as it is loaded.
    ///
    /// @param way how the lesser of two longs is found
    static Kernels kernels(int way) throws IOException {
        try (InputStream kernels = SimdLibrary.class.getResourceAsStream(KERNELS)) {
            if (kernels == null) {
                return null;
            }
            Path file = writeTo(Path.of(System.getProperty("java.io.tmpdir")), kernels);
            try {
                return Kernels.load(file, way);
            } finally {
                Files.delete(file);
            }
        } catch (IOException | UnsatisfiedLinkError e) {
            // No room, or a folder from which nothing may be executed.
            return null;
        }
    }

    /// Writes the library to a new file that nobody else may write. `Files.createTempFile` would take the first sort of
    /// a process 30 ms: it draws a name that nobody can guess, which is not needed, as no file is taken that is there.
    private static Path writeTo(Path folder, InputStream library) throws IOException {
        long name = ProcessHandle.current().pid() ^ System.nanoTime();
        Path file = folder.resolve("samplesort-cpu-" + Long.toHexString(name) + ".so");
        try (WritableByteChannel channel = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                        Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)))) {
            ByteBuffer bytes = ByteBuffer.wrap(library.readAllBytes());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        return file;
    }

    /// Returns the JDK's sort of ints for AVX2; null if it is not there.
    static JdkSort jdkSort() {
        if (!TESTED_VERSIONS.contains(Runtime.version().feature()) || !Files.isRegularFile(LIBRARY)) {
            return null;
        }
        SymbolLookup library = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
        return library.find("avx2_sort")
                .flatMap(sort -> library.find("avx2_partition").map(partition -> new JdkSort(sort, partition)))
                .orElse(null);
    }

    /// This runs in every process that sorts, so it has plain loops. Streams, or the JDK's sort beside it, would take
    /// longer to load than it takes.
    static boolean sortsRightly(Kernels kernels) {
        SplittableRandom random = new SplittableRandom(1);
        int[] ints = ints(random);
        long[] longs = new long[CHECKED_COUNT];
        for (int i = 0; i < CHECKED_COUNT; i++) {
            longs[i] = random.nextLong();
        }
        long hashes = hashes(ints, longs);
        kernels.sort(ints, 0, CHECKED_COUNT);
        kernels.sort(longs, 0, CHECKED_COUNT);
        for (int i = 1; i < CHECKED_COUNT; i++) {
            if (ints[i - 1] > ints[i] || longs[i - 1] > longs[i]) {
                return false;
            }
        }
        return hashes(ints, longs) == hashes;
    }

    /// Returns a sum that hardly stays the same unless the numbers do, in whatever order.
    private static long hashes(int[] ints, long[] longs) {
        long sum = 0;
        for (int i = 0; i < CHECKED_COUNT; i++) {
            sum += hash(ints[i]) + 3 * hash(longs[i]);
        }
        return sum;
    }

    private static long hash(long number) {
        long mixed = (number ^ number >>> 32) * 0x9e3779b97f4a7c15L;
        return (mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L;
    }

    static boolean sortsRightly(JdkSort sort) {
        int[] ints = ints(new SplittableRandom(1));
        int[] values = ints.clone();
        int[] sorted = ints.clone();
        Arrays.sort(sorted);
        sort.sort(ints, 0, CHECKED_COUNT);
        return Arrays.equals(ints, sorted) && partitionsRightly(sort, values, sorted);
    }

    private static int[] ints(SplittableRandom random) {
        int[] ints = new int[CHECKED_COUNT];
        for (int i = 0; i < CHECKED_COUNT; i++) {
            ints[i] = random.nextInt();
        }
        return ints;
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

        /// Returns whether it has all instructions of the kernels of this engine.
        boolean runsKernels() {
            return flags.containsAll(KERNEL_FLAGS);
        }

        boolean isAmd() {
            return vendor.equals("AuthenticAMD");
        }
    }
}
