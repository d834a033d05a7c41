package io.samplesort.cli;

import io.samplesort.cli.shell.ManualPage;
import io.samplesort.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;

/// Writes the manual pages and the shells' completions to the places of an installation: `share/man` and so on next to
/// the folder `bin` of the command. The bundle has them there.
final class SharedFiles {
    private SharedFiles() {}

    /// @param arguments the folder in which `share` is made
    public static void main(String[] arguments) throws IOException {
        Path installation = Path.of(arguments[0]);
        CommandLine command = Main.commandLine();
        for (Shell shell : Shell.values()) {
            write(installation.resolve(shell.place(command)), shell.completion(command));
        }
        for (ManualPage page : ManualPage.of(command)) {
            write(installation.resolve(page.place()), page.text());
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
