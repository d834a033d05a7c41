package io.samplesort.errors;

/// Thrown when a GPU was requested and cannot be used. The message says why and what to install.
public class GpuUnavailableException extends SampleSortException {
    private static final long serialVersionUID = 1L;

    public GpuUnavailableException(String message) {
        super(message);
    }

    public GpuUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
