package io.samplesort.emulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Which lines of the kernels have run, in all libraries of kernels of an emulator. A line counts as covered if it ran
/// in one of them. The counts are g++'s own, read by gcov.
final class CoverageTable {
    private static final String COUNTS = "library.gcda";
    private static final Pattern LINE = Pattern.compile("\\s*([^:]+):\\s*(\\d+):(.*)");
    /// The generated header does not count, as its text differs for each type of elements.
    private static final Pattern KERNEL_SOURCE = Pattern.compile("(?!config\\.).*\\.cuh?");

    private final Map<String, TreeMap<Integer, Line>> files = new TreeMap<>();

    private static final class Line {
        final String text;
        boolean ran;

        Line(String text) {
            this.text = text;
        }
    }

    /// A line of one library of kernels.
    private record CountedLine(String file, int number, String text, boolean ran) {}

    /// Deletes counts from before `start`. Later ones may belong to a process that runs at the same time.
    static void clear(Path home, Instant start) {
        for (Path counts : counts(home)) {
            try {
                if (Files.getLastModifiedTime(counts).toInstant().isBefore(start)) {
                    Files.deleteIfExists(counts);
                }
            } catch (NoSuchFileException e) {
                // Another process has deleted them.
            } catch (IOException e) {
                throw new UncheckedIOException("the old counts of lines cannot be deleted", e);
            }
        }
    }

    /// Reads which lines of the program of this name have run since [#clear]. Only libraries that have been unloaded
    /// since then count.
    static CoverageTable read(Path home, String program) {
        CoverageTable table = new CoverageTable();
        counts(home).parallelStream()
                .filter(counts -> Files.exists(counts.resolveSibling(program)))
                .map(counts -> lines(counts.getParent()))
                .forEach(table::add);
        return table;
    }

    private static List<Path> counts(Path home) {
        Path kernels = home.resolve("kernels");
        if (!Files.isDirectory(kernels)) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(kernels)) {
            return folders.map(folder -> folder.resolve(COUNTS))
                    .filter(Files::exists)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the counts of lines cannot be listed", e);
        }
    }

    private static List<CountedLine> lines(Path folder) {
        List<CountedLine> lines = new ArrayList<>();
        try {
            Process process = new ProcessBuilder("gcov", "--stdout", COUNTS)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            String file = "";
            for (String text : new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                Matcher line = LINE.matcher(text);
                if (!line.matches()) {
                    continue;
                }
                int number = Integer.parseInt(line.group(2));
                if (number == 0) {
                    if (line.group(3).startsWith("Source:")) {
                        file = Path.of(line.group(3).substring("Source:".length()))
                                .getFileName()
                                .toString();
                    }
                } else if (!line.group(1).equals("-")
                        && KERNEL_SOURCE.matcher(file).matches()) {
                    boolean ran =
                            !line.group(1).startsWith("#") && !line.group(1).startsWith("=");
                    lines.add(new CountedLine(file, number, line.group(3).strip(), ran));
                }
            }
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("gcov, which comes with g++, cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return lines;
    }

    private synchronized void add(List<CountedLine> lines) {
        for (CountedLine line : lines) {
            files.computeIfAbsent(line.file(), k -> new TreeMap<>())
                            .computeIfAbsent(line.number(), k -> new Line(line.text()))
                            .ran |=
                    line.ran();
        }
    }

    /// Returns a table of the files, then the lines that did not run.
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder("CUDA source             lines  covered\n");
        int allLines = 0;
        int allCovered = 0;
        for (Map.Entry<String, TreeMap<Integer, Line>> file : files.entrySet()) {
            int lines = file.getValue().size();
            int covered = (int)
                    file.getValue().values().stream().filter(line -> line.ran).count();
            table.append(row(file.getKey(), lines, covered));
            allLines += lines;
            allCovered += covered;
        }
        table.append(row("all", allLines, allCovered));
        files.forEach((file, byNumber) -> byNumber.forEach((number, line) -> {
            if (!line.ran) {
                table.append("not run: ")
                        .append(file)
                        .append(':')
                        .append(number)
                        .append("  ")
                        .append(line.text)
                        .append('\n');
            }
        }));
        return table.toString();
    }

    private static String row(String name, int lines, int covered) {
        return String.format(
                Locale.ROOT, "%-22s %6d   %5.1f%%%n", name, lines, lines == 0 ? 0.0 : 100.0 * covered / lines);
    }
}
