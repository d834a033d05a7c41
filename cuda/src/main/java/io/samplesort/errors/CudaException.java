package io.samplesort.errors;

/// Thrown when a call to the CUDA driver or to NVRTC fails. The message names the call, the symbolic code, and what to
/// do.
public class CudaException extends SampleSortException {
    private static final long serialVersionUID = 1L;

    private final int code;

    /// @param message names the call, the symbolic code and what to do
    /// @param code    the numeric result of the call
    public CudaException(String message, int code) {
        super(message);
        this.code = code;
    }

    /// Returns the numeric result of the failed call, such as 2 for `CUDA_ERROR_OUT_OF_MEMORY`.
    public int code() {
        return code;
    }
}
