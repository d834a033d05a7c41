package io.samplesort.errors;

/// Thrown when NVRTC refuses the kernels. It carries the log of the compiler and the generated source.
public class KernelCompilationException extends SampleSortException {
    private static final long serialVersionUID = 1L;

    private final String log;
    private final String source;

    public KernelCompilationException(String message, String log, String source) {
        super(message + System.lineSeparator() + log);
        this.log = log;
        this.source = source;
    }

    /// Returns what the compiler printed.
    public String log() {
        return log;
    }

    /// Returns the generated header that was compiled with the kernels.
    public String source() {
        return source;
    }
}
