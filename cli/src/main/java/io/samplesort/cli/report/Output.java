package io.samplesort.cli.report;

import java.io.PrintWriter;
import java.util.Map;

/// Where a command prints: results on the output stream, and all else on the error stream.
///
/// @param isForPrograms whether results are lines of JSON, and progress is not shown
public record Output(PrintWriter out, PrintWriter err, boolean isForPrograms) {
    /// Returns an output that prints results on the error stream if data goes to the output stream.
    public Output withDataOnOut(boolean isDataOnOut) {
        return isDataOnOut ? new Output(err, err, isForPrograms) : this;
    }

    /// Prints a result for people.
    public void print(String text) {
        out.println(text);
        out.flush();
    }

    /// Prints a result for programs, as one line of JSON.
    public void print(Map<String, ?> object) {
        print(Json.line(object));
    }

    /// Says something that is not a result.
    public void remark(String text) {
        remark(err, text);
    }

    /// Says something that is not a result, where no command has begun yet.
    public static void remark(PrintWriter err, String text) {
        err.println("samplesort: " + text);
        err.flush();
    }

    /// Shows how far a task is, until it is closed.
    public Progress progress(String task, long totalBytes) {
        boolean isTerminal = System.console() != null && System.console().isTerminal();
        return new Progress(task, totalBytes, isTerminal && !isForPrograms);
    }
}
