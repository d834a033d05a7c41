package io.samplesort.gpu;

import io.samplesort.emulator.Emulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Writes which lines of the kernels the tests on the emulated GPU have run, where the environment has
/// `SAMPLESORT_EMULATOR_COVERAGE` set and the property `samplesort.cache` names a folder for the caches. Tests run in
/// several processes that share the folder: each one writes what is known when it ends, so the last one writes all.
public final class CoverageReport implements LauncherSessionListener {
    private static final String CACHE = System.getProperty("samplesort.cache");
    private static final boolean COUNTS = Boolean.getBoolean("samplesort.emulated")
            && System.getenv("SAMPLESORT_EMULATOR_COVERAGE") != null
            && CACHE != null;

    private static final String FILE = "kernel-coverage.txt";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (COUNTS && Emulator.unavailableReason().isEmpty()) {
            Emulator.start().clearCoverage();
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (COUNTS && Emulator.unavailableReason().isEmpty()) {
            Path file = Path.of(CACHE).resolve(FILE);
            try {
                Files.writeString(file, Emulator.start().coverage("sample_sort.cuh"));
            } catch (IOException e) {
                throw new UncheckedIOException("the coverage of the kernels cannot be written to " + file, e);
            }
        }
    }
}
