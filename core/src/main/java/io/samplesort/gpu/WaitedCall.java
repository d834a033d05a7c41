package io.samplesort.gpu;

import io.samplesort.cuda.Context;

/// A call of an engine that its caller waits for. The context of the GPU is current until it is closed. Then no work of
/// the call is on the stream any more, even if the call has failed half way: the kernels that it launched before use
/// the caller's memory, which the caller may change or free as soon as the failure is thrown.
final class WaitedCall implements AutoCloseable {
    private final GpuResources gpu;
    private final Context.Scope scope;
    private boolean isAtRest;

    WaitedCall(GpuResources gpu) {
        this.gpu = gpu;
        scope = gpu.context().enter();
    }

    /// Waits for the work of the call, which is complete then. An error of the device shows here.
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
