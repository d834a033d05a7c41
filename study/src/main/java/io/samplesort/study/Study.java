package io.samplesort.study;

import io.samplesort.bench.Bench;
import io.samplesort.study.ablation.AblationCommand;
import io.samplesort.study.paper.StudyCommand;
import picocli.CommandLine;

/// The benchmark command with two more subcommands: the paper's study and the ablation. The launchers of `samplesort`
/// set its name there with `-Dsamplesort.command`.
public final class Study {
    private Study() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /// Returns the command, ready to run.
    public static CommandLine commandLine() {
        return Bench.commandLine()
                .setCommandName(System.getProperty("samplesort.command", "bench"))
                .addSubcommand(new StudyCommand())
                .addSubcommand(new AblationCommand());
    }
}
