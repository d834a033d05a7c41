package io.samplesort.cli.options;

import picocli.CommandLine.Option;

/// The option that makes a sort overwrite output files that cannot be replaced.
public final class WriteThroughOption {
    @Heading("Memory and device")
    @Option(
            names = "--write-through",
            description = "Overwrite an output file that is there, and do not replace it: for files that are mounted by"
                    + " themselves or lie in a folder that may not be written to. The result is complete in the"
                    + " folder for temporary files before.")
    private boolean isAsked;

    /// Returns whether output files are to be overwritten.
    public boolean isAsked() {
        return isAsked;
    }
}
