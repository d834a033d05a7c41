package io.samplesort.gpu.sort;

import io.samplesort.cuda.Stream;
import io.samplesort.gpu.launch.DeviceElements;
import io.samplesort.gpu.launch.KernelLaunch;
import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.launch.Workspace;
import io.samplesort.gpu.launch.WorkspaceLayout;

/// What a [SortStrategy] is asked to sort.
///
/// @param output     where the result goes: the input itself, or another array if the strategy leaves the input
///     unchanged
/// @param leastBytes the least number of bytes to allocate, as the caller needs this much after the sort: on the same
///     stream the pool can give them the same memory
public record SortCall(
        SortLauncher launcher,
        Stream on,
        DeviceElements input,
        DeviceElements output,
        PhaseTimer timer,
        HostWait host,
        long leastBytes) {
    Kernels kernels() {
        return launcher.kernels();
    }

    /// Begins a phase that is timed, and returns the kernel of the same name.
    KernelLaunch phase(String name) {
        timer.phase(name);
        return kernels().of(name);
    }

    /// Takes the memory of the sort.
    Workspace allocate(WorkspaceLayout layout) {
        return new Workspace(launcher.context(), on, layout, leastBytes);
    }

    /// Launches the phases of a sort, and ends the timing of the last one.
    ///
    /// @param workspace where the memory of the sort begins; 0 without any
    void launch(SortStrategy strategy, long workspace, RepeatedSorts.Launches launches) {
        if (timer.isOn()) {
            launches.begin();
            if (!launches.endsEarly()) {
                launches.goOn();
            }
            timer.end();
        } else {
            launcher.repeated().launch(this, strategy, workspace, launches);
        }
    }
}
