package io.samplesort.gpu.launch;

import io.samplesort.emulator.Emulator;

/// The watch over the workspaces of all tests on a GPU. On the emulated one every access to a gap is an error where it
/// happens; on a real one the gaps are looked at after each test.
public final class WorkspaceWatch {
    private static final GuardBytes GUARD_BYTES = new GuardBytes();

    private WorkspaceWatch() {}

    /// Watches all workspaces from now on.
    ///
    /// @param emulator null on a real GPU
    public static void begin(Emulator emulator) {
        WorkspaceGuard.install(emulator == null ? GUARD_BYTES : new RedZones(emulator));
    }

    /// Fails if something has written to a gap of a workspace since the last check.
    public static void check() {
        GUARD_BYTES.check();
    }

    private static final class RedZones extends WorkspaceGuard {
        private final Emulator emulator;

        RedZones(Emulator emulator) {
            super(GuardBytes.GAP_BYTES);
            this.emulator = emulator;
        }

        @Override
        void opened(Workspace workspace) {
            for (Gap gap : workspace.layout().gaps()) {
                emulator.forbid(workspace.stream().handle(), workspace.address(gap.begin()), gap.byteSize());
            }
        }

        /// The memory may belong to a user who goes on using it.
        @Override
        void closing(Workspace workspace) {
            for (Gap gap : workspace.layout().gaps()) {
                emulator.permit(workspace.stream().handle(), workspace.address(gap.begin()), gap.byteSize());
            }
        }
    }
}
