package io.samplesort.gpu;

import io.samplesort.emulator.Emulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Writes which lines of the kernels the tests on the emulated GPU have run, where the environment has
/// `SAMPLESORT_EMULATOR_COVERAGE` set and the property `samplesort.cache` names a cache folder of this process. Tests
/// run in several processes, with their folders beside each other: each one writes what is known when it ends, so the
/// last one writes all.
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
            Path folder = Path.of(CACHE).getParent();
            try (Stream<Path> caches = Files.list(folder)) {
                List<Path> all = caches.filter(Files::isDirectory).toList();
                Files.writeString(folder.resolve(FILE), Emulator.start().coverage(all, "sample_sort.cuh"));
            } catch (IOException e) {
                throw new UncheckedIOException("the coverage of the kernels cannot be written to " + folder, e);
            }
        }
    }
}
