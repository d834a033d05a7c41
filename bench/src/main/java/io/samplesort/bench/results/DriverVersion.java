package io.samplesort.bench.results;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// The version of the NVIDIA driver. Only the driver's management library has it; CUDA itself only knows the CUDA
/// version that the driver supports.
public final class DriverVersion {
    private static final int VERSION_BYTES = 80;

    private DriverVersion() {}

    /// Returns the version, such as `580.159.04`, or nothing if the management library is missing or does not answer.
    static Optional<String> read() {
        return read(System.getProperty("os.name").startsWith("Windows") ? "nvml.dll" : "libnvidia-ml.so.1");
    }

    public static Optional<String> read(String library) {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup symbols = SymbolLookup.libraryLookup(library, arena);
            MemorySegment version = arena.allocate(VERSION_BYTES);
            // nvmlReturn_t nvmlInit_v2(void)
            if (call(symbols, "nvmlInit_v2") != 0) {
                return Optional.empty();
            }
            // nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length)
            int result = call(symbols, "nvmlSystemGetDriverVersion", version, VERSION_BYTES);
            // nvmlReturn_t nvmlShutdown(void)
            call(symbols, "nvmlShutdown");
            return result == 0 ? Optional.of(version.getString(0)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            // libraryLookup throws this if there is no such library.
            return Optional.empty();
        }
    }

    private static int call(SymbolLookup symbols, String function, Object... arguments) {
        FunctionDescriptor descriptor = FunctionDescriptor.of(
                JAVA_INT, arguments.length == 0 ? new ValueLayout[0] : new ValueLayout[] {ADDRESS, JAVA_INT});
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(symbols.findOrThrow(function), descriptor)
                    .invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new AssertionError(function + " could not be called", e);
        }
    }
}
