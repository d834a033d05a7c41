package io.samplesort.emulator;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Emulated GPUs for tests: one, unless a test asks for more. The emulator replaces the CUDA driver and NVRTC: g++
/// compiles the kernels, and they run on the CPU, each thread as a fiber, in a random order that follows from a seed.
/// Every access to shared and device memory is checked: is the memory allocated, has it been written, does another
/// thread use it with no barrier in between? Every barrier, warp intrinsic and driver call is checked, too. After a
/// fault, the driver call that notices it fails, with a message that says where the fault is.
///
/// The emulator is never chosen automatically: a test or a developer starts it before the first use of the GPU. A
/// process has at most one. The environment variable `SAMPLESORT_EMULATOR_DEVICES` says how many GPUs it has at first.
public final class Emulator {
    /// The system property that names the compiler, which is `g++` by default.
    public static final String COMPILER_PROPERTY = "samplesort.emulator.compiler";

    private static final String CACHE_PROPERTY = "samplesort.cache";

    private static final int ANY_DEVICE = -1;

    /// The faults that a test can cause. The emulator numbers them in the same order (driver.h).
    public enum Fault {
        /// An allocation of device or pinned memory is refused, even if it is tried again.
        ALLOCATION,
        /// A launch is refused.
        LAUNCH,
        /// A copy or a fill is refused.
        COPY,
        /// The device is lost, as after a fault of a kernel: this call and all later ones fail.
        LOST_DEVICE
    }

    private static final Map<String, Optional<String>> VERSIONS = new ConcurrentHashMap<>();

    private static Emulator started;

    private final Path library;
    private final SymbolLookup symbols;

    private Emulator(Path library) {
        this.library = library;
        this.symbols = SymbolLookup.libraryLookup(library, Arena.global());
    }

    /// Says why the emulator cannot be built here; empty if it can.
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

    /// Builds the emulator if it does not exist yet, and makes this process use it as the CUDA driver and NVRTC. This
    /// must come before the first use of a GPU. A second call returns the same emulator.
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

    /// Begins anew with one GPU for each of these numbers. All GPUs can reach the memory of all others.
    ///
    /// @param totalBytes the memory of each GPU
    /// @throws IllegalStateException if there would be more than 8 GPUs or none, or a GPU that would disappear is in
    ///     use
    public void setDevices(long... totalBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_LONG, totalBytes);
            if (call("emulator_set_devices", totalBytes.length, bytes.address()) != 0) {
                throw new IllegalStateException("there cannot be " + totalBytes.length
                        + " emulated GPUs now: 8 at most, and none that is gone" + " may be in use: " + leftovers());
            }
        }
    }

    /// Says whether kernels on one GPU can reach the memory of another.
    public void setReachable(int from, int to, boolean can) {
        call("emulator_set_reachable", from, to, can ? 1 : 0);
    }

    /// Makes a fault happen at the n-th call from now on that can have it, in this thread or another one, for any GPU.
    ///
    /// @param n counts from 1; with 0 the fault does not happen
    public void inject(Fault fault, long n) {
        inject(ANY_DEVICE, fault, n);
    }

    /// Makes a fault happen at the n-th call for this GPU, as [#inject(Fault, long)] does.
    public void inject(int device, Fault fault, long n) {
        call("emulator_inject", device, fault.ordinal(), n);
    }

    /// Forbids kernels and copies, in the order of a stream, to touch a piece of device memory until it is permitted or
    /// its allocation is freed. Fills may overwrite it. On a GPU that does no more work this does nothing.
    ///
    /// @param stream the driver's handle
    public void forbid(long stream, long address, long bytes) {
        call("emulator_forbid", stream, address, bytes, 1);
    }

    /// Permits access to a piece of device memory again, in the order of a stream. This writes nothing there.
    public void permit(long stream, long address, long bytes) {
        call("emulator_forbid", stream, address, bytes, 0);
    }

    /// Returns how often a function of the driver has been called since this process started. With an empty name,
    /// returns this for all functions together that do more than return information.
    public long calls(String function) {
        try (Arena arena = Arena.ofConfined()) {
            return call("emulator_calls", arena.allocateFrom(function).address());
        }
    }

    /// Makes all GPUs usable again after a fault. Work that is still on streams is dropped, except work that gives
    /// memory back.
    public void reset() {
        call("emulator_reset");
    }

    /// Sets the seed from which the order of threads and blocks follows. The message of every fault names it.
    public void setSeed(long seed) {
        call("emulator_set_seed", seed);
    }

    /// Returns the most bytes of the first GPU that were allocated at once, in the order of the streams, since the last
    /// call.
    public long peakBytes() {
        return peakBytes(0);
    }

    /// Returns the most bytes of a GPU that were allocated at once, in the order of the streams, since the last call.
    public long peakBytes(int device) {
        return call("emulator_peak_bytes", device);
    }

    /// Lists what has not been freed or destroyed: device and pinned memory, contexts, streams, events and
    /// modules.
    public List<String> leftovers() {
        try (Arena arena = Arena.ofConfined()) {
            int bytes = leftovers(MemorySegment.NULL, 0);
            MemorySegment text = arena.allocate(bytes + 4096L);
            leftovers(text, text.byteSize());
            return text.getString(0, StandardCharsets.UTF_8).lines().toList();
        }
    }

    /// Deletes the counts of lines of the kernels from before this process started. Lines are counted if
    /// `SAMPLESORT_EMULATOR_COVERAGE` is set in the environment.
    public void clearCoverage() {
        Instant start = ProcessHandle.current().info().startInstant().orElseGet(Instant::now);
        CoverageTable.clear(library.getParent(), start);
    }

    /// Returns which lines of a program's kernels have run, in modules that have been unloaded: a table, then the lines
    /// that have not run. The counts of all processes that share this emulator are added up.
    ///
    /// @param program the name of the program's source
    public String coverage(String program) {
        return CoverageTable.read(library.getParent(), program).toString();
    }

    private int leftovers(MemorySegment text, long bytes) {
        return (int) call("emulator_leftovers", text.address(), bytes);
    }

    /// Calls a function that takes longs or pointers and returns a long.
    private long call(String function, long... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        Arrays.fill(layouts, ValueLayout.JAVA_LONG);
        try {
            return (long) Linker.nativeLinker()
                    .downcallHandle(
                            symbols.findOrThrow(function), FunctionDescriptor.of(ValueLayout.JAVA_LONG, layouts))
                    .asSpreader(long[].class, arguments.length)
                    .invokeExact(arguments);
        } catch (Throwable e) {
            throw new AssertionError(function + " cannot be called", e);
        }
    }

    private static String compiler() {
        return System.getProperty(COMPILER_PROPERTY, "g++");
    }

    /// Returns the version of the compiler; null if there is none. Every test needs it, so a process asks each compiler
    /// once.
    private static String compilerVersion() {
        return VERSIONS.computeIfAbsent(compiler(), Emulator::askVersion).orElse(null);
    }

    private static Optional<String> askVersion(String compiler) {
        try {
            Process process = new ProcessBuilder(compiler, "-dumpfullversion", "-dumpmachine")
                    .redirectErrorStream(true)
                    .start();
            String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(version) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
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

    /// Builds the library and prints its path, for `SAMPLESORT_EMULATED` of the launcher.
    public static void main(String[] arguments) {
        System.out.println(buildLibrary());
    }
}
