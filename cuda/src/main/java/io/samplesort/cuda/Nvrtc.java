package io.samplesort.cuda;

import static io.samplesort.cuda.NativeFunction.address;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.samplesort.errors.CudaException;
import io.samplesort.errors.GpuUnavailableException;
import io.samplesort.errors.KernelCompilationException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;

/// NVRTC, the CUDA compiler as a library: source text in, machine code out.
public final class Nvrtc {
    /// The system property that names the NVRTC library, for toolkits in unusual places and for tests.
    public static final String LIBRARY_PROPERTY = "samplesort.nvrtc.library";

    private static final int NVRTC_ERROR_COMPILATION = 6;

    private static volatile boolean isInitialised;

    private final NativeLibrary library;
    private final String version;
    private final NativeFunction createProgram;
    private final NativeFunction compileProgram;
    private final NativeFunction getProgramLogSize;
    private final NativeFunction getProgramLog;
    private final NativeFunction getCubinSize;
    private final NativeFunction getCubin;
    private final NativeFunction destroyProgram;

    /// A program to compile.
    ///
    /// @param name    the name of the source in messages
    /// @param source  CUDA C++
    /// @param headers the files that the source may include, by name
    public record Program(String name, String source, Map<String, String> headers) {}

    private Nvrtc(NativeLibrary library) {
        this.library = library;
        NativeFunction.ResultCheck check = Nvrtc::check;
        // nvrtcResult nvrtcVersion(int* major, int* minor)
        NativeFunction getVersion = library.function("nvrtcVersion", 2, check);
        // nvrtcResult nvrtcCreateProgram(nvrtcProgram* prog, const char* src, const char* name, int numHeaders,
        //     const char* const* headers, const char* const* includeNames)
        createProgram = library.function("nvrtcCreateProgram", 6, check);
        // nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char* const* options)
        compileProgram = library.function("nvrtcCompileProgram", 3, check);
        // nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t* logSizeRet)
        getProgramLogSize = library.function("nvrtcGetProgramLogSize", 2, check);
        // nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char* log)
        getProgramLog = library.function("nvrtcGetProgramLog", 2, check);
        // nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t* cubinSizeRet)
        getCubinSize = library.function("nvrtcGetCUBINSize", 2, check);
        // nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char* cubin)
        getCubin = library.function("nvrtcGetCUBIN", 2, check);
        // nvrtcResult nvrtcDestroyProgram(nvrtcProgram* prog)
        destroyProgram = library.function("nvrtcDestroyProgram", 1, check);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment major = arena.allocate(JAVA_INT);
            MemorySegment minor = arena.allocate(JAVA_INT);
            getVersion.call(address(major), address(minor));
            version = major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0);
        }
    }

    /// Says why NVRTC cannot be used and what to install; empty if it can be used.
    public static Optional<String> unavailableReason() {
        return Optional.ofNullable(Loaded.REASON);
    }

    /// Returns whether the compiler has been loaded, or cannot be, so that no function of this class waits for that.
    public static boolean isInitialised() {
        return isInitialised;
    }

    /// Returns the version, such as `13.0`.
    public static String versionText() {
        return nvrtc().version;
    }

    /// Returns the first number of the version, such as 13.
    public static int majorVersion() {
        return Integer.parseInt(versionText().substring(0, versionText().indexOf('.')));
    }

    /// Returns the path or name by which the library was found.
    public static String libraryPath() {
        return nvrtc().library.name();
    }

    /// Copies NVRTC from the jar of `org.bytedeco:cuda-redist` to the user's cache folder, where later processes find
    /// it, and returns the path of the library. Existing files stay.
    ///
    /// @throws IllegalArgumentException if the jar has no NVRTC for this system, or the folder cannot be written; the
    ///                                  message says what to do
    /// @throws IOException              if the jar cannot be read
    public static Path unpack(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return NvrtcLocator.unpack(file, CacheFolder.resolve("nvrtc"));
        }
    }

    /// Returns the classifier of Maven artifacts for this system, such as `linux-x86_64`.
    public static String classifier() {
        return LibraryPlaces.ofThisSystem().classifier();
    }

    /// Compiles a program to the machine code of one architecture.
    ///
    /// @param options options of NVRTC, including the architecture (`--gpu-architecture=sm_XX`)
    /// @throws KernelCompilationException if the compiler refuses the program
    public static byte[] compile(Program program, List<String> options) {
        Nvrtc nvrtc = nvrtc();
        return nvrtc.compileProgram(program, options, nvrtc.getCubinSize, nvrtc.getCubin);
    }

    /// Compiles a program to PTX, which drivers compile to machine code for GPUs that this compiler does not know.
    ///
    /// @param options options of NVRTC, including the architecture (`--gpu-architecture=compute_XX`)
    /// @return the text, which ends with a zero byte
    /// @throws KernelCompilationException if the compiler refuses the program
    public static byte[] compileToPtx(Program program, List<String> options) {
        Nvrtc nvrtc = nvrtc();
        // Sorts do not need them, so they are looked up here and not for every process.
        // nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t* ptxSizeRet)
        NativeFunction getSize = nvrtc.library.function("nvrtcGetPTXSize", 2, Nvrtc::check);
        // nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char* ptx)
        NativeFunction getPtx = nvrtc.library.function("nvrtcGetPTX", 2, Nvrtc::check);
        return nvrtc.compileProgram(program, options, getSize, getPtx);
    }

    private static Nvrtc nvrtc() {
        if (Loaded.NVRTC == null) {
            throw new GpuUnavailableException("kernels cannot be compiled: " + Loaded.REASON);
        }
        return Loaded.NVRTC;
    }

    private byte[] compileProgram(
            Program program, List<String> options, NativeFunction getSize, NativeFunction getCode) {
        try (Arena arena = Arena.ofConfined()) {
            List<String> names = List.copyOf(program.headers().keySet());
            List<String> texts = names.stream().map(program.headers()::get).toList();
            MemorySegment out = arena.allocate(JAVA_LONG);
            MemorySegment source = arena.allocateFrom(program.source());
            MemorySegment name = arena.allocateFrom(program.name());
            MemorySegment headerTexts = strings(arena, texts);
            MemorySegment headerNames = strings(arena, names);
            createProgram.call(
                    address(out),
                    address(source),
                    address(name),
                    names.size(),
                    address(headerTexts),
                    address(headerNames));
            long handle = out.get(JAVA_LONG, 0);
            try {
                MemorySegment optionTexts = strings(arena, options);
                int result = compileProgram.invoke(handle, options.size(), address(optionTexts));
                if (result == NVRTC_ERROR_COMPILATION) {
                    throw new KernelCompilationException(
                            "NVRTC " + version + " refuses " + program.name() + " with the options " + options,
                            log(arena, handle),
                            program.headers().getOrDefault("config.cuh", program.source()));
                }
                check(result, "nvrtcCompileProgram");
                getSize.call(handle, address(out));
                MemorySegment code = arena.allocate(out.get(JAVA_LONG, 0));
                getCode.call(handle, address(code));
                return code.toArray(JAVA_BYTE);
            } finally {
                out.set(JAVA_LONG, 0, handle);
                destroyProgram.call(address(out));
            }
        }
    }

    private String log(Arena arena, long handle) {
        MemorySegment size = arena.allocate(JAVA_LONG);
        getProgramLogSize.call(handle, address(size));
        MemorySegment log = arena.allocate(Math.max(1, size.get(JAVA_LONG, 0)));
        getProgramLog.call(handle, address(log));
        return log.getString(0).strip();
    }

    private static MemorySegment strings(Arena arena, List<String> strings) {
        MemorySegment array = arena.allocate(ADDRESS, Math.max(1, strings.size()));
        for (int i = 0; i < strings.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(strings.get(i)));
        }
        return array;
    }

    private static void check(int result, String call) {
        if (result != 0) {
            String advice = switch (result) {
                case 5 ->
                    "this NVRTC does not know an option: it may be too old for the GPU, install a newer CUDA toolkit";
                case 7 -> "libnvrtc-builtins of the same version must lie in the folder of libnvrtc";
                default -> "see the NVRTC documentation for this code";
            };
            throw new CudaException(call + " failed with nvrtcResult " + result + ": " + advice, result);
        }
    }

    /// Loads NVRTC once, at its first use.
    private static final class Loaded {
        static final Nvrtc NVRTC;
        static final String REASON;

        static {
            Nvrtc nvrtc = null;
            String reason = null;
            try {
                nvrtc = new Nvrtc(NvrtcLocator.open());
            } catch (IllegalCallerException e) {
                reason = "this JVM may not call native code: start it with --enable-native-access=ALL-UNNAMED";
            } catch (IllegalArgumentException | CudaException e) {
                reason = e.getMessage();
            }
            NVRTC = nvrtc;
            REASON = reason;
            isInitialised = true;
        }
    }
}
