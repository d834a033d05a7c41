package io.samplesort.cli.options;

import io.samplesort.cli.report.Output;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The options that say how a command prints, the same for every command.
public final class OutputOptions {
    @Heading("What is printed")
    @Option(names = "--json", description = "Print results for programs, each as one line of JSON.")
    private boolean isJson;

    @Option(
            names = "--quiet",
            description = "Print results and failures, and nothing else: no progress and no remarks. The environment"
                    + " variable SAMPLESORT_QUIET=1 says the same.")
    private boolean isQuiet;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /// Null if the parser knows the streams.
    private PrintWriter out;

    private PrintWriter err;

    /// Sets where a command that was read without the parser prints.
    public void printTo(PrintWriter givenOut, PrintWriter givenErr) {
        out = givenOut;
        err = givenErr;
    }

    /// Returns where the command prints.
    public Output output() {
        boolean isSilent = isQuiet || isQuietEverywhere();
        return out == null
                ? new Output(
                        command.commandLine().getOut(), command.commandLine().getErr(), isJson, isSilent)
                : new Output(out, err, isJson, isSilent);
    }

    private static boolean isQuietEverywhere() {
        String quiet = System.getenv("SAMPLESORT_QUIET");
        return quiet != null && !quiet.isEmpty() && !quiet.equals("0");
    }
}
