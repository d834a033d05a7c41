package io.samplesort.cli.options;

import picocli.CommandLine.Option;

/// The option that makes a sort overwrite output files that cannot be replaced.
public final class WriteThroughOption {
    @Heading("Memory and device")
    @Option(
            names = "--write-through",
            description = "Overwrite an existing output file instead of replacing it: for files that are mounted by"
                    + " themselves or lie in a folder that you may not write to. The complete result first lies in"
                    + " the folder for temporary files.")
    private boolean isAsked;

    /// Returns whether output files are to be overwritten.
    public boolean isAsked() {
        return isAsked;
    }
}
