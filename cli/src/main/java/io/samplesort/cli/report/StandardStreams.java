package io.samplesort.cli.report;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.stream.Stream;

/// The streams that the process began with, any of which may be closed.
///
/// If one is closed, the next file to be opened gets its number: one of Java's own, or what the launcher puts there,
/// which can only be written in place of the standard input, and only be read in place of the standard output. Linux
/// tells which file has a number; elsewhere this is not noticed.
public final class StandardStreams {
    private static final Path NULL_DEVICE = Path.of("/dev/null");
    private static final Path NUMBERS = Path.of("/proc/self/fd");
    private static final Path STATES = Path.of("/proc/self/fdinfo");
    private static final Set<Path> INPUT = Set.of(Path.of("/dev/stdin"), Path.of("/dev/fd/0"), NUMBERS.resolve("0"));

    private static final int ONLY_READ = 0;
    private static final int ONLY_WRITTEN = 1;
    private static final int ACCESS_MASK = 3;
    private static final int OCTAL = 8;

    private StandardStreams() {}

    /// Makes sure that no file of a sort gets the number of the error stream, to which messages go. Java's own files
    /// would have the two numbers before it.
    // It stays open as long as the process lives.
    @SuppressWarnings({"resource", "StreamResourceLeak"})
    public static void keepNumbers() {
        try {
            if (Files.isDirectory(NUMBERS) && !Files.exists(NUMBERS.resolve("2"))) {
                FileChannel.open(NULL_DEVICE, StandardOpenOption.WRITE);
            }
        } catch (IOException e) {
            // Without this device, there is nothing that could take the number.
        }
    }

    /// Checks that an input is not a closed standard input.
    ///
    /// @throws CommandFailure if it is
    public static void checkInput(Path path) {
        if (INPUT.contains(path) && (isOpenFor(0, ONLY_WRITTEN) || isJavas(0))) {
            throw new CommandFailure(
                    "the standard input is closed: name a file, or send one (<) or the output of another"
                            + " program (|) to it");
        }
    }

    /// Checks that the standard output is not closed.
    ///
    /// @throws CommandFailure if it is
    public static void checkOutput() {
        if (isOpenFor(1, ONLY_READ)) {
            throw new CommandFailure(
                    "the standard output is closed: name an output with -o, or send it to a file (>) or to"
                            + " another program (|)");
        }
    }

    private static boolean isOpenFor(int number, int access) {
        try (Stream<String> lines = Files.lines(STATES.resolve(Integer.toString(number)))) {
            return lines.filter(line -> line.startsWith("flags:"))
                    .anyMatch(line -> (Integer.parseInt(line.replaceAll("\\D", ""), OCTAL) & ACCESS_MASK) == access);
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns whether Java has opened one of its own files under this number.
    private static boolean isJavas(int number) {
        try {
            Path file = Files.readSymbolicLink(NUMBERS.resolve(Integer.toString(number)));
            boolean isOfClassPath = Stream.of(
                            System.getProperty("java.class.path").split(File.pathSeparator))
                    .anyMatch(
                            entry -> file.equals(Path.of(entry).toAbsolutePath().normalize()));
            return isOfClassPath
                    || file.startsWith(Path.of(System.getProperty("java.home")).toRealPath());
        } catch (IOException e) {
            return false;
        }
    }
}
