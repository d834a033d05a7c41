package io.samplesort.study.historic;

/// An algorithm has no answer for an input: its own description assumes another one. The message says what it assumes.
public final class UndefinedInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UndefinedInputException(String message) {
        super(message);
    }
}
