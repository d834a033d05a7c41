package io.samplesort.cli.report;

/// A failure because the command line is wrong, or does not fit the files that it names.
public final class UsageFailure extends CommandFailure {
    private static final long serialVersionUID = 1L;

    public UsageFailure(String message) {
        super(message);
    }
}
