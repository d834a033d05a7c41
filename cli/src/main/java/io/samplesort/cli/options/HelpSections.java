package io.samplesort.cli.options;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Lists the options in a command's help in the order of their declaration, in sections that [Heading] begins.
///
/// Picocli prints headings only for its argument groups, and these forget an option when another one of the same group
/// is given twice.
public final class HelpSections implements IHelpSectionRenderer {
    @Override
    public String render(Help help) {
        List<OptionSpec> options = help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
        StringBuilder text = new StringBuilder();
        sections(options).forEach((heading, section) -> {
            // The widths follow from all options, so that the columns of all sections are aligned.
            Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
            layout.addOptions(section, help.parameterLabelRenderer());
            text.append(above(heading, help.commandSpec())).append(layout);
        });
        return text.toString();
    }

    /// Returns the heading of a section. Options before the first heading follow the files, without a line in between.
    private static String above(String heading, CommandSpec command) {
        if (heading.isEmpty()) {
            return command.positionalParameters().isEmpty() ? "%n".formatted() : "";
        }
        return "%n%s:%n".formatted(heading);
    }

    /// Returns the options of a command in the order of their declaration, by the headings of their sections. The
    /// heading of options before the first one is empty.
    public static Map<String, List<OptionSpec>> sections(CommandSpec command) {
        return sections(
                command.options().stream().filter(option -> !option.hidden()).toList());
    }

    private static Map<String, List<OptionSpec>> sections(List<OptionSpec> options) {
        Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
        String heading = "";
        for (OptionSpec option : options) {
            Heading begun = option.userObject() instanceof AnnotatedElement element
                    ? element.getAnnotation(Heading.class)
                    : null;
            heading = begun == null ? heading : begun.value();
            sections.computeIfAbsent(heading, h -> new ArrayList<>()).add(option);
        }
        return sections;
    }
}
