package io.samplesort.gpu.sort;

import io.samplesort.gpu.launch.Kernels;
import io.samplesort.gpu.plan.DeviceElements;
import io.samplesort.gpu.plan.Workspace;

/// Launches the phases of sorts of keys of 8 and 16 bits by their values, and times them: keys alone are counted, and
/// payloads are moved by one byte of the key in each pass.
record ValuePhases(
        Kernels kernels, Workspace workspace, PhaseTimer timer, DeviceElements input, DeviceElements output) {
    /// Sorts keys without payloads.
    void countValues() {
        timer.phase("count_values");
        kernels.values().countValues(workspace, input);
        timer.phase("scan_values");
        kernels.values().scanValues(workspace);
        timer.phase("fill_values");
        kernels.values().fillValues(workspace, output);
    }

    /// Counts the bytes that the first pass divides by.
    void countBytes() {
        timer.phase("count_bytes");
        kernels.bytes().countBytes(workspace, input);
        placeBytes(0);
    }

    private void placeBytes(int pass) {
        timer.phase("place_bytes");
        kernels.bytes().placeBytes(workspace, pass);
    }

    /// Moves payloads to their places, and writes the keys that belong there. Where one pass sorts an array in its
    /// place, it cannot write there what it has still to read, and a copy follows.
    void moveByValue() {
        DeviceElements placed = workspace.placed(output);
        boolean hasTwoPasses = workspace.layout().plan.passCount() > 1;
        if (hasTwoPasses) {
            timer.phase("scatter_high_bytes");
            kernels.bytes().scatterHighBytes(workspace, input, placed);
            timer.phase("count_low_bytes");
            kernels.bytes().countLowBytes(workspace, placed);
            placeBytes(1);
        }
        boolean isCopied = !hasTwoPasses && input.payloads() == output.payloads();
        timer.phase("scatter_low_bytes");
        kernels.bytes().scatterLowBytes(workspace, hasTwoPasses ? placed : input, isCopied ? placed : output);
        if (isCopied) {
            timer.phase("copy_payloads");
            kernels.bytes().copyPayloads(workspace, placed, output);
        }
        timer.phase("fill_bytes");
        kernels.bytes().fillBytes(workspace, output);
    }
}
