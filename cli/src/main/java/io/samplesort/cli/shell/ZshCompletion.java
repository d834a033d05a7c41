package io.samplesort.cli.shell;

import io.samplesort.cli.shell.Outline.Option;
import io.samplesort.cli.shell.Outline.Values;
import java.util.stream.Collectors;

/// Writes the script for zsh, which may be sourced or lie in a folder of `fpath`.
final class ZshCompletion {
    private ZshCompletion() {}

    static String script(Outline command) {
        String names = command.subcommands().stream()
                .map(subcommand -> "        "
                        + quoted(subcommand.name() + ":" + subcommand.summary().replace(":", "\\:")) + "\n")
                .collect(Collectors.joining());
        String cases =
                command.subcommands().stream().map(ZshCompletion::ofCommand).collect(Collectors.joining());
        return """
            #compdef %1$s
            # Completion of %1$s in zsh, printed by: %1$s completion zsh
            _%1$s() {
                local curcontext=$curcontext state line
                local -A opt_args
                local -a commands=(
            %2$s    )
                _arguments -C -S \\
            %3$s        '1: :->command' \\
                    '*:: :->words' && return
                case $state in
                command) _describe command commands ;;
                words)
                    curcontext=${curcontext%%:*:*}:%1$s-$line[1]:
                    case $line[1] in
            %4$s        esac
                    ;;
                esac
            }
            if [[ $funcstack[1] == _%1$s ]]; then
                _%1$s "$@"
            elif (( $+functions[compdef] )); then
                compdef _%1$s %1$s
            else
                print -u 2 '%1$s: run "autoload -U compinit && compinit" before this script'
            fi
            """.formatted(command.name(), names, options(command, "        "), cases);
    }

    private static String ofCommand(Outline command) {
        return "        " + command.name() + ")\n"
                + "            _arguments -S \\\n"
                + options(command, "                ")
                + "                " + quoted("*:" + kind(command.arguments()) + ":" + action(command.arguments()))
                + "\n"
                + "            ;;\n";
    }

    private static String options(Outline command, String indent) {
        return command.options().stream()
                .flatMap(option -> option.names().stream().map(name -> indent + specification(option, name) + " \\\n"))
                .collect(Collectors.joining());
    }

    /// Returns one word of `_arguments`: the names that this one excludes, the name, what it does, and its value.
    private static String specification(Option option, String name) {
        String excluded = "(" + String.join(" ", option.names()) + ")";
        String summary = "[" + option.summary().replace("[", "\\[").replace("]", "\\]") + "]";
        if (!option.takesValue()) {
            return quoted(excluded + name + summary);
        }
        String form = name.startsWith("--") ? "=" : "+";
        String label = option.label().replace(":", "\\:");
        return quoted(excluded + name + form + summary + ":" + label + ":" + action(option.values()));
    }

    private static String kind(Values values) {
        return switch (values.kind()) {
            case FILES -> "file";
            case FOLDERS -> "folder";
            case WORDS -> "word";
            case UNKNOWN -> "nothing else";
        };
    }

    private static String action(Values values) {
        return switch (values.kind()) {
            case FILES -> "_files";
            case FOLDERS -> "_files -/";
            case WORDS -> "(" + String.join(" ", values.words()) + ")";
            // A space stands for a value that is necessary and cannot be proposed.
            case UNKNOWN -> " ";
        };
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
