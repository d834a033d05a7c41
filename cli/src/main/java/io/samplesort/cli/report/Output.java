package io.samplesort.cli.report;

import java.io.PrintWriter;
import java.util.Map;

/// Where a command prints: results on the output stream, and everything else on the error stream.
///
/// @param isForPrograms whether results are lines of JSON, and progress is not shown
/// @param isQuiet       whether only results and failures are printed
public record Output(PrintWriter out, PrintWriter err, boolean isForPrograms, boolean isQuiet) {
    /// Returns an output that prints results on the error stream if data goes to the output stream.
    public Output withDataOnOut(boolean isDataOnOut) {
        return isDataOnOut ? new Output(err, err, isForPrograms, isQuiet) : this;
    }

    /// Prints a result for people.
    ///
    /// @throws CommandFailure if it cannot be printed, as on a full disk
    public void print(String text) {
        out.println(text);
        if (out.checkError()) {
            throw unprinted();
        }
    }

    /// Returns the failure to report if the standard output has not accepted what was printed.
    public static CommandFailure unprinted() {
        return new CommandFailure("cannot write to the standard output: is it full or closed?");
    }

    /// Prints a result for programs, as one line of JSON.
    public void print(Map<String, ?> object) {
        print(Json.line(object));
    }

    /// Says something that is neither a result nor a failure.
    public void remark(String text) {
        if (!isQuiet) {
            remark(err, text);
        }
    }

    /// Says something that is not a result, even if the command is quiet.
    public static void remark(PrintWriter err, String text) {
        err.println("samplesort: " + text);
        err.flush();
    }

    /// Shows how far a task has come, until it is closed, if the error stream is a terminal.
    public Progress progress(String task, long totalBytes) {
        boolean isWanted = !isForPrograms && !isQuiet;
        return new Progress(task, totalBytes, err, isWanted ? Terminal::columns : () -> 0, System::nanoTime);
    }
}
