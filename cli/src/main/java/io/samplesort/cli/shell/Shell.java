package io.samplesort.cli.shell;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;

/// A shell that can complete the command.
///
/// Picocli has a generator of its own for bash, whose script zsh runs as well. It offers the values of one option for
/// all options with the same label, does not complete `--type=u64`, and changes settings of the user's zsh; it knows no
/// fish. So each shell has a small script in its own terms.
public enum Shell {
    BASH("share/bash-completion/completions/%s", BashCompletion::script),
    ZSH("share/zsh/site-functions/_%s", ZshCompletion::script),
    FISH("share/fish/vendor_completions.d/%s.fish", FishCompletion::script);

    private final String place;
    private final Function<Outline, String> writer;

    Shell(String place, Function<Outline, String> writer) {
        this.place = place;
        this.writer = writer;
    }

    /// @throws IllegalArgumentException if no shell has this name; the message names all
    public static Shell parse(String text) {
        for (Shell shell : values()) {
            if (shell.toString().equals(text)) {
                return shell;
            }
        }
        throw new IllegalArgumentException("shell '" + text + "': use one of "
                + Arrays.stream(values()).map(Shell::toString).collect(Collectors.joining(", ")));
    }

    /// Returns the script with which this shell completes a command, with the options of all its subcommands.
    public String completion(CommandLine command) {
        return writer.apply(Outline.of(command.getCommandSpec()));
    }

    /// Returns where this shell looks for the script of a command, relative to the folder it is installed in, such as
    /// `/usr/local`.
    public String place(CommandLine command) {
        return place.formatted(command.getCommandName());
    }

    /// Returns the name in lower case, as users write it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
