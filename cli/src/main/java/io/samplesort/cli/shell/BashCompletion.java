package io.samplesort.cli.shell;

import io.samplesort.cli.shell.Outline.Option;
import io.samplesort.cli.shell.Outline.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Writes the script for bash, for 3.2 (of macOS) and newer.
final class BashCompletion {
    private BashCompletion() {}

    /// In the script, `kind` and `words` say what may stand at the cursor: the value of the option before it, or an
    /// argument of the command. If nothing is proposed, bash completes names of files itself, with their quotes and
    /// blanks, unless it is told not to; bash 3.2 cannot be told.
    static String script(Outline command) {
        StringBuilder cases = new StringBuilder(ofCommand("''", command));
        command.subcommands().forEach(subcommand -> cases.append(ofCommand(subcommand.name(), subcommand)));
        return """
            # Completion of %1$s in bash, printed by: %1$s completion bash
            _%1$s() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} prefix=
                # Bash takes --type=u64 for three words, unless the user has it otherwise.
                if [[ $current == "=" ]]; then
                    current=
                elif [[ $previous == "=" ]]; then
                    previous=${COMP_WORDS[COMP_CWORD - 2]}
                elif [[ $current == --*=* ]]; then
                    previous=${current%%%%=*}
                    prefix=$previous=
                    current=${current#*=}
                fi
                local command= index
                for ((index = 1; index < COMP_CWORD; index++)); do
                    if [[ ${COMP_WORDS[index]} != -* ]]; then
                        command=${COMP_WORDS[index]}
                        break
                    fi
                done
                local options= is_value=yes kind= words=
                case $command in
            %2$s    esac
                if [[ -z $is_value && $current == -* ]]; then
                    kind=words words=$options
                fi
                case $kind in
                files) ;;
                folders) compopt +o default -o dirnames 2>/dev/null ;;
                *)
                    compopt +o default 2>/dev/null
                    COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "$current"))
                    ;;
                esac
                return 0
            }
            complete -o default -F _%1$s %1$s
            """.formatted(command.name(), cases);
    }

    private static String ofCommand(String name, Outline command) {
        String options = command.options().stream()
                .flatMap(option -> option.names().stream())
                .collect(Collectors.joining(" "));
        StringBuilder text = new StringBuilder("    " + name + ")\n");
        text.append("        options='").append(options).append("'\n");
        text.append("        case $previous in\n");
        byValues(command.options())
                .forEach((values, names) -> text.append("        " + String.join(" | ", names))
                        .append(") " + assignment(values))
                        .append(" ;;\n"));
        text.append("        *) is_value= ")
                .append(assignment(command.arguments()))
                .append(" ;;\n");
        return text.append("        esac\n        ;;\n").toString();
    }

    /// Returns the names of options that take a value, those with the same values together.
    private static Map<Values, List<String>> byValues(List<Option> options) {
        return options.stream()
                .filter(Option::takesValue)
                .collect(Collectors.groupingBy(
                        Option::values,
                        LinkedHashMap::new,
                        Collectors.flatMapping(option -> option.names().stream(), Collectors.toList())));
    }

    private static String assignment(Values values) {
        return switch (values.kind()) {
            case FILES -> "kind=files";
            case FOLDERS -> "kind=folders";
            case WORDS -> "kind=words words='" + String.join(" ", values.words()) + "'";
            case UNKNOWN -> "kind=unknown";
        };
    }
}
