package io.samplesort.cli;

import io.samplesort.cli.options.OutputOptions;
import io.samplesort.cli.report.CommandFailure;
import io.samplesort.cli.report.Output;
import io.samplesort.disk.FileFailure;
import io.samplesort.disk.Leftovers;
import io.samplesort.disk.Leftovers.Fate;
import io.samplesort.disk.Leftovers.Leftover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `samplesort clean`.
@Command(
        name = "clean",
        customSynopsis = "samplesort clean [DIR...] [OPTIONS]",
        description = {
            "Removes the temporary files of sorts that were killed.",
            "",
            "A temporary file lies in the folder of the output or in the folder that --temp named, and its name is"
                    + " .NAME.HEX.samplesort. Files that a running sort uses stay."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  samplesort clean", "  samplesort clean /scratch /data"})
final class CleanCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..*",
            description = "The folders to clean; folders in them are left alone. Default: the working folder.")
    private List<Path> folders = List.of(Path.of("."));

    @Mixin
    private OutputOptions outputOptions;

    @Override
    public Integer call() throws IOException {
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                throw new CommandFailure(
                        folder + (Files.exists(folder) ? " is not a folder: name folders" : " is not there"));
            }
        }
        List<Leftover> leftovers = new ArrayList<>();
        for (Path folder : folders) {
            try {
                leftovers.addAll(Leftovers.clean(folder));
            } catch (IOException e) {
                throw new FileFailure("cannot look into " + folder, e);
            }
        }
        print(leftovers, outputOptions.output());
        return withFate(leftovers, Fate.STUCK).isEmpty() ? 0 : 1;
    }

    private static void print(List<Leftover> leftovers, Output output) {
        for (Leftover stuck : withFate(leftovers, Fate.STUCK)) {
            output.remark("cannot remove " + stuck.path() + ": " + stuck.reason());
        }
        if (output.isForPrograms()) {
            output.print(toMap(leftovers));
            return;
        }
        List<Leftover> removed = withFate(leftovers, Fate.REMOVED);
        for (Leftover leftover : removed) {
            output.print(String.format(Locale.ROOT, "removed %s, %,d bytes", leftover.path(), leftover.bytes()));
        }
        for (Leftover used : withFate(leftovers, Fate.IN_USE)) {
            output.print("left " + used.path() + ", which a running sort uses");
        }
        output.print(String.format(
                Locale.ROOT,
                "%d %s removed, %,d bytes",
                removed.size(),
                removed.size() == 1 ? "file" : "files",
                bytes(removed)));
    }

    private static Map<String, Object> toMap(List<Leftover> leftovers) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("removed", paths(withFate(leftovers, Fate.REMOVED)));
        map.put("removedBytes", bytes(withFate(leftovers, Fate.REMOVED)));
        map.put("inUse", paths(withFate(leftovers, Fate.IN_USE)));
        map.put("stuck", paths(withFate(leftovers, Fate.STUCK)));
        return map;
    }

    private static List<Leftover> withFate(List<Leftover> leftovers, Fate fate) {
        return leftovers.stream().filter(leftover -> leftover.fate() == fate).toList();
    }

    private static List<String> paths(List<Leftover> leftovers) {
        return leftovers.stream().map(leftover -> leftover.path().toString()).toList();
    }

    private static long bytes(List<Leftover> leftovers) {
        return leftovers.stream().mapToLong(Leftover::bytes).sum();
    }
}
