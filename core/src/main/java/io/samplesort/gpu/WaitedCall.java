package io.samplesort.gpu;

import io.samplesort.cuda.Context;

/// One call of an engine whose caller waits for it. The context of the GPU is current until this is closed. Closing
/// waits for all work of the call, even if the call has failed half way: kernels that are already launched use the
/// caller's memory, which the caller may change or free as soon as the failure is thrown.
final class WaitedCall implements AutoCloseable {
    private final GpuResources gpu;
    private final Context.Scope scope;
    private boolean isAtRest;

    WaitedCall(GpuResources gpu) {
        this.gpu = gpu;
        scope = gpu.context().enter();
    }

    /// Waits until the work of the call is complete, and throws errors of the device.
    void finish() {
        gpu.stream().synchronize();
        isAtRest = true;
    }

    @Override
    public void close() {
        try (scope) {
            if (!isAtRest) {
                gpu.stream().synchronize();
            }
        }
    }
}
