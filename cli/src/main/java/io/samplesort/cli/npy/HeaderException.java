package io.samplesort.cli.npy;

/// A header that cannot be read, or an array that cannot be sorted. The message says why and what to do; code that
/// knows the file puts its name in front.
public final class HeaderException extends Exception {
    private static final long serialVersionUID = 1L;

    HeaderException(String message) {
        super(message);
    }
}
