package io.samplesort.study.historic;

/// Says that an algorithm cannot sort an input, because its own description assumes something else about inputs. The
/// message says what it assumes.
public final class UndefinedInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UndefinedInputException(String message) {
        super(message);
    }
}
