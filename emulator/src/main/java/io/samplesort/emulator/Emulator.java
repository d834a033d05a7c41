package io.samplesort.emulator;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// An emulated GPU for tests. It stands in for the CUDA driver and for NVRTC: kernels are compiled by g++ and run on
/// the CPU, each thread a fiber, in an order drawn from a seed. Every access to shared and device memory is checked
/// (is it allocated, was it written, does another thread use it with no barrier between), and so is every barrier,
/// warp intrinsic and driver call. What is wrong fails the driver call that shows it, with a message that says where.
///
/// Never chosen by itself: a test or a developer starts it before the first use of the GPU. One a process.
public final class Emulator {
    /// Names the compiler; `g++` unless set.
    public static final String COMPILER_PROPERTY = "samplesort.emulator.compiler";

    private static final String CACHE_PROPERTY = "samplesort.cache";

    private static Emulator started;

    private final Path library;
    private final SymbolLookup symbols;

    private Emulator(Path library) {
        this.library = library;
        this.symbols = SymbolLookup.libraryLookup(library, Arena.global());
    }

    /// Why the emulator cannot be built here; empty where it can.
    public static Optional<String> unavailableReason() {
        String os = System.getProperty("os.name");
        if (!os.equals("Linux")) {
            return Optional.of("the emulated GPU needs Linux; this is " + os);
        }
        return compilerVersion() == null
                ? Optional.of("the emulated GPU needs g++ 11 or newer: there is no '" + compiler() + "'; install g++ or"
                        + " name one with -D" + COMPILER_PROPERTY)
                : Optional.empty();
    }

    /// Builds the emulator if need be, and has this process take it for the CUDA driver and NVRTC. Nothing may have
    /// asked for a GPU before. A second call returns the same.
    ///
    /// @throws IllegalStateException if it cannot be built
    public static synchronized Emulator start() {
        if (started == null) {
            Emulator emulator = new Emulator(buildLibrary());
            System.setProperty("samplesort.cuda.library", emulator.library.toString());
            System.setProperty("samplesort.nvrtc.library", emulator.library.toString());
            started = emulator;
        }
        return started;
    }

    private static Path buildLibrary() {
        unavailableReason().ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
        return EmulatorLibrary.build(cacheFolder(), compiler(), compilerVersion());
    }

    /// The n-th allocation of device or pinned memory from now on fails, also if it is tried again; 0 for none.
    public void failAllocation(long n) {
        call("emulator_fail_allocation", n);
    }

    /// The n-th launch from now on fails; 0 for none.
    public void failLaunch(long n) {
        call("emulator_fail_launch", n);
    }

    /// Every driver call fails from now on, as after a fault of a kernel.
    public void loseDevice() {
        call("emulator_lose_device");
    }

    /// Makes the device usable again after a fault; work that was waiting is dropped.
    public void reset() {
        call("emulator_reset");
    }

    /// What the order of threads and blocks is drawn from; it stands in the message of every fault.
    public void setSeed(long seed) {
        call("emulator_set_seed", seed);
    }

    /// What is allocated and not destroyed: device and pinned memory, streams, events, modules.
    public List<String> leftovers() {
        try (Arena arena = Arena.ofConfined()) {
            int bytes = leftovers(MemorySegment.NULL, 0);
            MemorySegment text = arena.allocate(bytes + 4096L);
            leftovers(text, text.byteSize());
            return text.getString(0, StandardCharsets.UTF_8).lines().toList();
        }
    }

    /// Forgets which lines of the kernels have run. Lines are counted where the environment has
    /// `SAMPLESORT_EMULATOR_COVERAGE` set.
    public void clearCoverage() {
        CoverageTable.clear(library.getParent());
    }

    /// Which lines of the kernels of `program` (a source's name) have run in modules that are unloaded by now: a table,
    /// then the lines that have not.
    ///
    /// @param caches the cache folders (`samplesort.cache`) of processes with this emulator, whose counts are added up
    public String coverage(List<Path> caches, String program) {
        Path home = library.getParent();
        List<Path> homes = caches.stream()
                .map(cache -> cache.resolve(EmulatorLibrary.FOLDER).resolve(home.getFileName()))
                .toList();
        return CoverageTable.read(homes, program).toString();
    }

    private int leftovers(MemorySegment text, long bytes) {
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(
                            symbols.findOrThrow("emulator_leftovers"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG))
                    .invokeExact(text, bytes);
        } catch (Throwable e) {
            throw new AssertionError("emulator_leftovers cannot be called", e);
        }
    }

    private void call(String function) {
        try {
            int ignored = (int) Linker.nativeLinker()
                    .downcallHandle(symbols.findOrThrow(function), FunctionDescriptor.of(ValueLayout.JAVA_INT))
                    .invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(function + " cannot be called", e);
        }
    }

    private void call(String function, long argument) {
        try {
            int ignored = (int) Linker.nativeLinker()
                    .downcallHandle(
                            symbols.findOrThrow(function),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG))
                    .invokeExact(argument);
        } catch (Throwable e) {
            throw new AssertionError(function + " cannot be called", e);
        }
    }

    private static String compiler() {
        return System.getProperty(COMPILER_PROPERTY, "g++");
    }

    /// Null where there is no compiler.
    private static String compilerVersion() {
        try {
            Process process = new ProcessBuilder(compiler(), "-dumpfullversion", "-dumpmachine")
                    .redirectErrorStream(true)
                    .start();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? version : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static Path cacheFolder() {
        String named = System.getProperty(CACHE_PROPERTY);
        String xdg = System.getenv("XDG_CACHE_HOME");
        if (named != null) {
            return Path.of(named);
        }
        return xdg == null || xdg.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache", "samplesort")
                : Path.of(xdg, "samplesort");
    }

    /// Builds the library and prints where it lies, for the launcher's `SAMPLESORT_EMULATED`.
    public static void main(String[] arguments) {
        System.out.println(buildLibrary());
    }
}
