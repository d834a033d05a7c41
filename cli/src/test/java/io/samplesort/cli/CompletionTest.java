package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/// The shells themselves complete lines with our scripts.
class CompletionTest extends CommandCase {
    private static final String FILES = "a-folder keys.bin sort weights.npy";
    private static final String FOLDERS = "a-folder";

    /// Lines up to the cursor, each with the words that a shell is to propose.
    private static final Map<String, String> PROPOSALS = new LinkedHashMap<>();

    static {
        PROPOSALS.put(
                "samplesort ",
                "argsort clean completion demo generate help info lines merge setup sort study tune verify");
        PROPOSALS.put("samplesort g", "generate");
        PROPOSALS.put("samplesort --ver", "--version");
        PROPOSALS.put("samplesort sort ", FILES);
        PROPOSALS.put("samplesort sort k", "keys.bin");
        PROPOSALS.put("samplesort sort --ty", "--type");
        PROPOSALS.put("samplesort sort --type u", "u16 u32 u64 u8");
        PROPOSALS.put("samplesort sort --type=f", "f32 f64");
        PROPOSALS.put("samplesort sort --payload f", "f32 f64");
        PROPOSALS.put("samplesort sort keys.bin -o ", FILES);
        PROPOSALS.put("samplesort sort keys.bin --output=w", "weights.npy");
        PROPOSALS.put("samplesort sort --temp ", FOLDERS);
        PROPOSALS.put("samplesort sort --device ", "auto cpu gpu gpus");
        PROPOSALS.put("samplesort sort --memory ", "");
        PROPOSALS.put("samplesort sort --layout=", "");
        PROPOSALS.put("samplesort sort --pay", "--payload --payload-file --payload-output");
        // The first word decides which subcommand it is, even where a file has the name of another.
        PROPOSALS.put("samplesort argsort sort --index-type ", "i32 i64");
        PROPOSALS.put("samplesort argsort sort --stab", "");
        PROPOSALS.put("samplesort merge keys.bin ", FILES);
        PROPOSALS.put("samplesort generate keys.bin --distribution e", "eight-duplicates exponential");
        PROPOSALS.put("samplesort clean ", FOLDERS);
        PROPOSALS.put("samplesort info ", "");
        PROPOSALS.put("samplesort completion ", "bash fish zsh");
        PROPOSALS.put("samplesort help a", "argsort");
    }

    /// Sources the script and lets the shell complete all lines. It prints each line after a `#`, and its proposals.
    private static final Map<Shell, String> PROBES = Map.of(Shell.BASH, """
                    source "$1"
                    # Bash completes names itself where a script has nothing to propose, but not where it is run like this.
                    compopt() { [[ "$*" == *+o\\ default* ]] && by_default=; [[ "$*" == *-o\\ dirnames* ]] && by_default=folders; }
                    while IFS= read -r line; do
                        echo "#$line"
                        for breaks in '([^ =]+|=)|( )' '([^ ]+)|( )'; do
                            COMP_WORDS=() rest=$line last=
                            while [[ $rest =~ ^($breaks) ]]; do
                                last=${BASH_REMATCH[1]}
                                [[ $last == ' ' ]] || COMP_WORDS+=("$last")
                                rest=${rest#"$last"}
                            done
                            [[ $last != ' ' ]] || COMP_WORDS+=("")
                            COMP_LINE=$line COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=() by_default=files
                            _samplesort
                            word=${COMP_WORDS[COMP_CWORD]}
                            word=${word#*=}
                            case $by_default in
                            files) compgen -f -- "$word" ;;
                            folders) compgen -d -- "$word" ;;
                            *) printf '%s\\n' "${COMPREPLY[@]}" ;;
                            esac
                        done
                    done
                    """, Shell.ZSH, """
                    zmodload zsh/zpty
                    export SCRIPT=$1 LINES_TO_COMPLETE="$(cat)" PROPOSED=$(mktemp)
                    zpty shell zsh -f -i
                    zpty -w shell '
                    autoload -U compinit && compinit -D -u && source $SCRIPT
                    compadd() {
                        local -a proposed
                        if [[ " $* " != *" -"[OAD]" "* ]]; then
                            builtin compadd -O proposed "$@"
                            print -rl -- $proposed >>$PROPOSED
                        fi
                        builtin compadd "$@"
                    }
                    probe() {
                        local line
                        for line in ${(f)LINES_TO_COMPLETE}; do
                            print -r -- "#$line" >>$PROPOSED
                            BUFFER=$line CURSOR=$#line
                            zle list-choices
                        done
                        exit
                    }
                    zle -N probe; bindkey ^X probe'
                    zpty -w -n shell $'\\C-x'
                    while zpty -r shell ignored; do :; done
                    cat $PROPOSED
                    rm $PROPOSED
                    """, Shell.FISH, """
                    source $argv[1]
                    while read --local line
                        echo "#$line"
                        complete -C $line | string replace -r '\\t.*' ''
                    end
                    exit 0
                    """);

    @TempDir
    private static Path scripts;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeFiles() throws IOException {
        Files.createDirectory(folder.resolve("a-folder"));
        for (String name : List.of("keys.bin", "sort", "weights.npy")) {
            Files.createFile(folder.resolve(name));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theShellProposesWhatFits(Shell shell) throws Exception {
        Map<String, Set<String>> proposals = proposals(shell, PROPOSALS.keySet());
        Map<String, Set<String>> expected = new LinkedHashMap<>();
        PROPOSALS.forEach((line, words) -> expected.put(line, words(words)));
        assertThat(proposals).containsExactlyEntriesOf(expected);
    }

    @ParameterizedTest
    @EnumSource
    void theShellKnowsEveryOption(Shell shell) throws Exception {
        Map<String, Set<String>> expected = new LinkedHashMap<>();
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            Set<String> options = new TreeSet<>();
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (!option.hidden()) {
                    options.addAll(List.of(option.names()));
                }
            }
            expected.put("samplesort " + name + " -", options);
        });
        assertThat(proposals(shell, expected.keySet())).containsExactlyEntriesOf(expected);
    }

    private static Set<String> words(String text) {
        return text.isEmpty() ? new TreeSet<>() : new TreeSet<>(List.of(text.split(" ")));
    }

    private static Map<String, Set<String>> proposals(Shell shell, Set<String> lines) throws Exception {
        Programs.require(shell.toString());
        CommandLine command = Main.commandLine();
        Path script = Files.writeString(scripts.resolve(shell + "-script"), shell.completion(command));
        Path probe = Files.writeString(scripts.resolve(shell + "-probe"), PROBES.get(shell));
        Path input = Files.writeString(scripts.resolve("lines"), String.join("\n", lines) + "\n");
        List<String> words = new ArrayList<>(List.of(shell.toString()));
        words.addAll(
                switch (shell) {
                    case BASH -> List.of("--norc");
                    case ZSH -> List.of("-f");
                    case FISH -> List.of("--no-config");
                });
        words.addAll(List.of(probe.toString(), script.toString()));
        String out = Programs.run(folder, input, words);
        Map<String, Set<String>> proposals = new LinkedHashMap<>();
        Set<String> proposed = null;
        for (String line : out.split("\n")) {
            if (line.startsWith("#")) {
                proposed = proposals.computeIfAbsent(line.substring(1), l -> new TreeSet<>());
            } else if (!line.isBlank()) {
                // Fish and bash propose --type=u64 as a whole, and a folder may end in a slash.
                proposed.add(line.replaceFirst("^--[a-z-]+=(?=.)", "").replaceFirst("/$", ""));
            }
        }
        return proposals;
    }

    @Test
    void anUnknownShellIsNamed() {
        assertDone("completion", "fish");
        assertThat(out()).startsWith("# Completion of samplesort in fish");
        assertFails(2, "shell 'tcsh': use one of bash, zsh, fish", "completion", "tcsh");
    }
}
