package io.samplesort.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.emulator.Emulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The emulated GPU, and libraries for tests on it.
public final class EmulatedGpu {
    private EmulatedGpu() {}

    /// Has this process use the emulated GPU. Where the emulator cannot be built, the tests are skipped; in CI they
    /// fail.
    public static void start() {
        Optional<String> reason = Emulator.unavailableReason();
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            assertThat(reason).isEmpty();
        }
        assumeTrue(reason.isEmpty(), () -> reason.orElseThrow());
        Emulator.start();
    }

    /// Compiles a C++ source to a shared library in the folder.
    public static Path compile(Path folder, String source, String... libraries)
            throws IOException, InterruptedException {
        Path file = folder.resolve("library.cpp");
        Path library = folder.resolve("library.so");
        Files.writeString(file, source);
        List<String> command =
                new ArrayList<>(List.of("g++", "-shared", "-fPIC", "-o", library.toString(), file.toString()));
        command.addAll(List.of(libraries));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        return library;
    }

    /// Makes a library that sorts u32 as the baselines do, from `in` to `out` or in place. It leaves 33 elements in
    /// place as they are.
    public static Path baselines(Path folder) throws IOException, InterruptedException {
        return compile(folder, """
                #include <algorithm>
                #include <cstddef>
                #include <cstring>
                extern "C" int cuStreamSynchronize(void* stream);
                extern "C" int baseline_sort(
                    int algorithm, int type, void* temporary, size_t* bytes, const void* in, void* out, const void*,
                    void*, long long count, void* stream) {
                    const size_t needed = algorithm == 0 ? 1000 : 2000;
                    if (temporary == nullptr) {
                        *bytes = needed;
                        return 0;
                    }
                    if (*bytes < needed || type != 5 || in == out) return 1;
                    cuStreamSynchronize(stream);
                    unsigned* keys = (unsigned*)out;
                    if (algorithm == 0) memcpy(keys, in, count * sizeof(unsigned));
                    if (algorithm == 0 || count != 33) std::sort(keys, keys + count);
                    return 0;
                }
                extern "C" int baseline_cub_version() { return 300102; }
                """, System.getProperty("samplesort.cuda.library"));
    }
}
