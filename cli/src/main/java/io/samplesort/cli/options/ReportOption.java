package io.samplesort.cli.options;

import io.samplesort.SampleSort;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.cli.report.Reports;
import io.samplesort.types.SortReport;
import picocli.CommandLine.Option;

/// The option that makes a command report what its sort did.
public final class ReportOption {
    @Heading("What is printed")
    @Option(
            names = "--report",
            description = "Print what the sort did: its device, its passes, the time of each phase, and memory.")
    private boolean isReporting;

    /// Returns whether people get a report.
    boolean isReporting() {
        return isReporting;
    }

    /// Prints what a sort did, in the form that the user asked for.
    ///
    /// @return whether the user asked for it
    /// @throws CommandFailure if it cannot be printed; the message says that the result is there even so
    public boolean print(SortReport report, Output output) {
        try {
            if (output.isForPrograms()) {
                output.print(Reports.toMap(report, SampleSort.cpuKernels()));
            } else if (isReporting) {
                output.print(Reports.toText(report, SampleSort.cpuKernels()));
            }
        } catch (CommandFailure failure) {
            throw new CommandFailure(
                    "the sort is done and its result is complete, but its report is lost: " + failure.getMessage());
        }
        return output.isForPrograms() || isReporting;
    }
}
