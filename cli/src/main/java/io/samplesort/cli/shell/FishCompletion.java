package io.samplesort.cli.shell;

import io.samplesort.cli.shell.Outline.Option;
import io.samplesort.cli.shell.Outline.Values;
import java.util.stream.Collectors;

/// Writes the script for fish 3 and newer.
final class FishCompletion {
    private FishCompletion() {}

    /// The function in the script finds out whether the line has this subcommand, or whether it has none yet.
    static String script(Outline command) {
        StringBuilder script = new StringBuilder("""
            # Completion of %1$s in fish, printed by: %1$s completion fish
            function __%1$s_runs
                set -l words (commandline -opc)
                for word in $words[2..-1]
                    if not string match -q -- '-*' $word
                        test "$word" = "$argv[1]"
                        return
                    end
                end
                test -z "$argv[1]"
            end
            complete -c %1$s -f
            """.formatted(command.name()));
        String start = begin(command, "''");
        command.options().forEach(option -> script.append(start).append(ofOption(option)));
        for (Outline subcommand : command.subcommands()) {
            script.append(start + " -a " + subcommand.name() + " -d " + quoted(subcommand.summary()) + "\n");
        }
        for (Outline subcommand : command.subcommands()) {
            String after = begin(command, subcommand.name());
            if (subcommand.arguments().kind() != Outline.Kind.UNKNOWN) {
                script.append(after).append(values(subcommand.arguments(), "")).append("\n");
            }
            subcommand.options().forEach(option -> script.append(after).append(ofOption(option)));
        }
        return script.toString();
    }

    private static String begin(Outline command, String subcommand) {
        return "complete -c " + command.name() + " -n \"__" + command.name() + "_runs " + subcommand + "\"";
    }

    private static String ofOption(Option option) {
        String names = option.names().stream()
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
        String values = option.takesValue() ? values(option.values(), " -r") : "";
        return names + values + " -d " + quoted(option.summary()) + "\n";
    }

    /// @param required the flag that says that a value is necessary
    private static String values(Values values, String required) {
        return switch (values.kind()) {
            case FILES -> required + " -F";
            case FOLDERS -> required + " -f -a '(__fish_complete_directories)'";
            case WORDS -> required + " -f -a '" + String.join(" ", values.words()) + "'";
            case UNKNOWN -> required + " -f";
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
