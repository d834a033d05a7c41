package io.samplesort.errors;

/// The root of this library's own exceptions. Each message says what was wrong, what to do and, if that is in doubt, in
/// what state the input is.
public class SampleSortException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SampleSortException(String message) {
        super(message);
    }

    public SampleSortException(String message, Throwable cause) {
        super(message, cause);
    }
}
