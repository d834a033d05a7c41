package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Context;
import io.samplesort.cuda.CudaDevice;
import io.samplesort.emulator.Emulator;
import io.samplesort.gpu.launch.WorkspaceWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The device of the tests that need a GPU: a real one, or, with `-Dsamplesort.emulated=true`, the emulated one, on
/// which each class is also held to leave nothing behind. On both, the memory between the regions of workspaces is
/// watched. Where the emulator cannot be built, the tests are skipped with the reason; in CI that is a failure.
public final class GpuEnvironment
        implements ExecutionCondition, BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    /// Whether the tests run on the emulated GPU.
    public static final boolean IS_EMULATED = Boolean.getBoolean("samplesort.emulated");

    private static final List<Context> KEPT = new ArrayList<>();

    private List<String> before = List.of();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (!IS_EMULATED) {
            // Tests of the compiler alone run where there is no driver.
            if (!context.getTags().contains("nvrtc")) {
                keepContexts();
            }
            WorkspaceWatch.begin(null);
            return ConditionEvaluationResult.enabled("on a real GPU");
        }
        Optional<String> reason = Emulator.unavailableReason();
        if (reason.isEmpty()) {
            WorkspaceWatch.begin(Emulator.start());
            return ConditionEvaluationResult.enabled("on the emulated GPU");
        }
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            throw new IllegalStateException(reason.get());
        }
        return ConditionEvaluationResult.disabled(reason.get());
    }

    /// Keeps the contexts of all GPUs until the process ends: the watch reads from them after each test, when sorters
    /// may have let go of them.
    private static void keepContexts() {
        for (int gpu = KEPT.size(); gpu < CudaDevice.count(); gpu++) {
            KEPT.add(Context.retainPrimary(gpu));
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        before = IS_EMULATED ? Emulator.start().leftovers() : List.of();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        WorkspaceWatch.check();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (IS_EMULATED) {
            assertThat(Emulator.start().leftovers())
                    .as("left behind by %s", context.getDisplayName())
                    .isEqualTo(before);
        }
    }
}
