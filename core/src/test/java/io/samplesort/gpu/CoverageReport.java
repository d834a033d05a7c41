package io.samplesort.gpu;

import io.samplesort.emulator.Emulator;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/// Prints which lines of the kernels the tests on the emulated GPU have run.
public final class CoverageReport implements LauncherSessionListener {
    private static final boolean COUNTS =
            Boolean.getBoolean("samplesort.emulated") && System.getenv("SAMPLESORT_EMULATOR_COVERAGE") != null;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        if (COUNTS && Emulator.unavailableReason().isEmpty()) {
            Emulator.start().clearCoverage();
        }
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        if (COUNTS && Emulator.unavailableReason().isEmpty()) {
            System.out.println(Emulator.start().coverage("sample_sort.cuh"));
        }
    }
}
