package io.samplesort.cli;

import io.samplesort.cli.report.Output;
import io.samplesort.cli.shell.Shell;
import io.samplesort.cli.values.TextConverter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `samplesort completion`.
@Command(
        name = "completion",
        customSynopsis = "samplesort completion SHELL [OPTIONS]",
        description = {
            "Prints a script with which a shell completes this command.",
            "",
            "Write one of these lines into a file that the shell reads when it starts:",
            "  ~/.bashrc                   source <(samplesort completion bash)",
            "  ~/.zshrc, after compinit    source <(samplesort completion zsh)",
            "  ~/.config/fish/config.fish  samplesort completion fish | source"
        },
        footerHeading = "%nExamples:%n",
        footer = "  samplesort completion fish")
final class CompletionCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "SHELL",
            converter = ShellConverter.class,
            description = "The shell: ${COMPLETION-CANDIDATES}.")
    private Shell shell;

    @Spec
    private CommandSpec command;

    /// Reads the name of a shell.
    static final class ShellConverter extends TextConverter<Shell> {
        ShellConverter() {
            super(Shell::parse);
        }
    }

    @Override
    public Integer call() {
        Output output =
                new Output(command.commandLine().getOut(), command.commandLine().getErr(), false, false);
        output.print(shell.completion(Main.commandLine()).stripTrailing());
        return 0;
    }
}
