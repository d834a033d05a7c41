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

/// The emulated GPU, and libraries to go with it.
public final class EmulatedGpu {
    private EmulatedGpu() {}

    /// Has this process use the emulated GPU; skips the tests where there is none, but for those of CI.
    public static void start() {
        Optional<String> reason = Emulator.unavailableReason();
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            assertThat(reason).isEmpty();
        }
        assumeTrue(reason.isEmpty(), () -> reason.orElseThrow());
        Emulator.start();
    }

    /// A shared library of this C++ source, in the folder.
    static Path compile(Path folder, String source, String... libraries) throws IOException, InterruptedException {
        Path file = folder.resolve("library.cpp");
        Path library = folder.resolve("library.so");
        Files.writeString(file, source);
        List<String> command =
                new ArrayList<>(List.of("g++", "-shared", "-fPIC", "-o", library.toString(), file.toString()));
        command.addAll(List.of(libraries));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        return library;
    }
}
