package io.samplesort.cli.shell;

import io.samplesort.cli.options.HelpSections;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The manual page of a command or a subcommand, with what its help says.
///
/// Picocli's generator for manual pages writes AsciiDoc, which would need one more tool in the build to become a page.
public final class ManualPage {
    /// Commands for users are in the first chapter of the manual.
    private static final String CHAPTER = "1";

    private final CommandSpec command;
    private final Roff page = new Roff();

    private ManualPage(CommandSpec command) {
        this.command = command;
    }

    /// Returns the pages of a command and of its subcommands that have options of their own.
    public static List<ManualPage> of(CommandLine command) {
        List<CommandSpec> commands = new ArrayList<>(List.of(command.getCommandSpec()));
        command.getSubcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(subcommand -> !subcommand.helpCommand())
                .forEach(commands::add);
        return commands.stream().map(ManualPage::new).toList();
    }

    /// Returns where `man` looks for the page, relative to the folder that the command is installed in, such as
    /// `/usr/local`.
    public String place() {
        return "share/man/man" + CHAPTER + "/" + name(command) + "." + CHAPTER;
    }

    /// Returns the page in roff.
    public String text() {
        String version = String.join(" ", command.root().version());
        page.macro("TH %s %s \"\" \"%s\" \"User Commands\""
                .formatted(Roff.literal(name(command).toUpperCase(Locale.ROOT)), CHAPTER, Roff.literal(version)));
        // Words of options and files are not to be divided, nor blanks to be stretched.
        page.macro("nh");
        page.macro("ad l");
        page.section("NAME");
        page.lines(name(command) + " - " + Summary.of(command.usageMessage().description()));
        page.section("SYNOPSIS");
        synopsis();
        page.section("DESCRIPTION");
        page.lines(command.usageMessage().description());
        commands();
        options();
        page.section("\"EXIT STATUS\"");
        command.usageMessage().exitCodeList().forEach((code, meaning) -> page.term(Roff.bold(code), meaning));
        if (command.usageMessage().footer().length > 0) {
            page.section("EXAMPLES");
            page.lines(command.usageMessage().footer());
        }
        seeAlso();
        return page.toString();
    }

    private static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    private void synopsis() {
        String[] custom = command.usageMessage().customSynopsis();
        String[] lines = custom.length > 0
                ? custom
                : new Help(command, Help.defaultColorScheme(Help.Ansi.OFF))
                        .synopsis(0)
                        .split("\n");
        page.macro("nf");
        page.lines(lines);
        page.macro("fi");
    }

    private void commands() {
        if (command.subcommands().isEmpty()) {
            return;
        }
        page.section("COMMANDS");
        command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .forEach(subcommand -> page.term(
                        Roff.bold(subcommand.name()), Outline.of(subcommand).summary() + "."));
    }

    private void options() {
        if (!command.positionalParameters().isEmpty()) {
            page.section("ARGUMENTS");
        }
        for (PositionalParamSpec argument : command.positionalParameters()) {
            page.term(Roff.italic(argument.paramLabel()), argument.description());
        }
        page.section("OPTIONS");
        HelpSections.sections(command).forEach((heading, options) -> {
            if (!heading.isEmpty()) {
                page.macro("SS \"" + Roff.literal(heading) + "\"");
            }
            options.forEach(option -> page.term(term(option), option.description()));
        });
    }

    private static String term(OptionSpec option) {
        String names = Stream.of(option.names()).map(Roff::bold).collect(Collectors.joining(", "));
        return option.arity().max() == 0 ? names : names + "=" + Roff.italic(option.paramLabel());
    }

    private void seeAlso() {
        page.section("\"SEE ALSO\"");
        page.lines(of(command.root().commandLine()).stream()
                .filter(other -> !other.command.equals(command))
                .map(other -> name(other.command) + "(" + CHAPTER + ")")
                .collect(Collectors.joining(", ")));
    }
}
