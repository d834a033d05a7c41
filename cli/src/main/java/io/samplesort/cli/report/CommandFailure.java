package io.samplesort.cli.report;

/// A failure that is reported to the user in one line, which says what was wrong and what to do.
public class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandFailure(String message) {
        super(message);
    }

    public CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
