package io.samplesort.gpu;

import io.samplesort.emulator.Emulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Writes which lines of the kernels the tests on the emulated GPU have run, where the environment has
/// `SAMPLESORT_EMULATOR_COVERAGE` set and the property `samplesort.cache` names a folder for the caches. Tests run in
/// several processes that share the folder. The last one writes, as reading all counts takes a while: each process
/// shares a lock until it ends, and then only processes that are still running have it.
public final class CoverageReport implements LauncherSessionListener {
    private static final String CACHE = System.getProperty("samplesort.cache");
    private static final boolean COUNTS = Boolean.getBoolean("samplesort.emulated")
            && System.getenv("SAMPLESORT_EMULATOR_COVERAGE") != null
            && CACHE != null;

    private static final String FILE = "kernel-coverage.txt";
    private static final String LOCK = "kernel-coverage.lock";

    private FileChannel channel;
    private FileLock shared;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (COUNTS && Emulator.unavailableReason().isEmpty()) {
            try {
                Path folder = Files.createDirectories(Path.of(CACHE));
                channel = FileChannel.open(
                        folder.resolve(LOCK),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                shared = channel.lock(0, Long.MAX_VALUE, true);
            } catch (IOException e) {
                throw new UncheckedIOException("there is no lock for the coverage of the kernels in " + CACHE, e);
            }
            Emulator.start().clearCoverage();
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (shared != null) {
            Path file = Path.of(CACHE).resolve(FILE);
            try (FileChannel open = channel) {
                shared.release();
                if (open.tryLock() != null) {
                    Files.writeString(file, Emulator.start().coverage("parts/primitives.cuh"));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the coverage of the kernels cannot be written to " + file, e);
            }
        }
    }
}
