import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// One run of the command in a folder, and what is expected of it. Afterwards [#faults] says what was wrong.
final class Run {
    /// How its input reaches the command.
    enum Source {
        FILE,
        REDIRECTED,
        PIPE
    }

    private static final long MOST_SECONDS = 900;

    /// What Java and the command itself may take beyond the limit of memory. The goal is 100 MiB, and now and then a
    /// run takes some more: Java's optimizing compiler needs as much as 17 MiB for one method, and when it does is
    /// chance.
    private static final long BESIDE_LIMIT = 128L << 20;

    private static final Pattern PEAK = Pattern.compile("VmHWM:\\s*(\\d+) kB");

    /// What the command may say on standard error of a sort that went well.
    private static final Pattern REMARK = Pattern.compile("samplesort: (sorted on the CPU|with this memory).*");

    private final Path folder;
    private final boolean isInMemory;
    private final List<String> words;
    private final List<String> faults = new ArrayList<>();
    private Path input;
    private boolean isPiped;
    private Path output;
    private int exitCode;
    private String[] mayAppear = {};
    private long limit;
    private String errors = "";
    private long peakBytes;

    Run(Place place, Path folder, List<String> arguments) {
        this.folder = folder;
        this.isInMemory = folder.startsWith(place.memory());
        this.words = new ArrayList<>(List.of(place.samplesort().toString()));
        words.addAll(arguments);
    }

    /// Gives the command a file as its standard input.
    Run from(Path file, Source source) {
        input = file;
        isPiped = source == Source.PIPE;
        return this;
    }

    /// Sends the standard output to a file.
    Run to(Path file) {
        output = file;
        return this;
    }

    Run expectExit(int code) {
        exitCode = code;
        return this;
    }

    /// Says which new files may be in the folder afterwards.
    Run mayLeave(String... names) {
        mayAppear = names;
        return this;
    }

    /// Says which limit of memory the command was given, as in `30M`. Its peak may be little more.
    Run within(String mebibytes) {
        limit = Long.parseLong(mebibytes.substring(0, mebibytes.length() - 1)) << 20;
        return this;
    }

    /// Runs the command. Everything but its result is checked here.
    Run go() throws IOException, InterruptedException {
        Path temporary = Files.createTempDirectory(folder, "tmp-");
        Path errorFile = folder.resolve("errors.txt");
        Files.deleteIfExists(errorFile);
        Set<String> before = Place.names(folder);
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        builder.environment().put("TMPDIR", temporary.toString());
        builder.redirectError(errorFile.toFile());
        builder.redirectOutput(output == null ? folder.resolve("output.txt").toFile() : output.toFile());
        if (input == null) {
            builder.redirectInput(Path.of("/dev/null").toFile());
        } else if (!isPiped) {
            builder.redirectInput(input.toFile());
        }
        Process process = builder.start();
        Thread feeder = isPiped ? Thread.ofPlatform().start(() -> feed(process)) : null;
        watch(process);
        if (feeder != null) {
            feeder.join();
        }
        errors = Files.readString(errorFile);
        Files.delete(errorFile);
        check(process, before, temporary);
        Place.remove(temporary);
        return this;
    }

    private void feed(Process process) {
        try (OutputStream target = process.getOutputStream()) {
            Files.copy(input, target);
        } catch (IOException e) {
            // The command says itself what is wrong if it does not read everything.
            return;
        }
    }

    /// Waits for the process, and looks again and again how much memory it had at its peak.
    private void watch(Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
            peakBytes = Math.max(peakBytes, peak(process.pid()));
            if (System.nanoTime() > end) {
                process.destroyForcibly().waitFor();
                faults.add("it did not end within " + MOST_SECONDS + " s");
            }
        }
    }

    private static long peak(long process) throws IOException {
        try {
            var peak = PEAK.matcher(Files.readString(Path.of("/proc/" + process + "/status")));
            return peak.find() ? Long.parseLong(peak.group(1)) << 10 : 0;
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            // The process has ended meanwhile.
            return 0;
        }
    }

    private void check(Process process, Set<String> before, Path temporary) throws IOException {
        if (process.exitValue() != exitCode) {
            faults.add("exit code " + process.exitValue() + " instead of " + exitCode + ": " + errors);
        }
        if (exitCode == 0 && !words.contains("--report") && !words.contains("--json")) {
            errors.lines()
                    .filter(line -> !REMARK.matcher(line).matches())
                    .limit(1)
                    .forEach(line -> faults.add("it says " + errors));
        }
        if (errors.contains("\tat ") || errors.contains("Exception")) {
            faults.add("a stack trace: " + errors);
        }
        if (words.contains("--json") && errors.concat(reported()).lines().noneMatch(Run::isJson)) {
            faults.add("no line of JSON: " + errors + reported());
        }
        if (words.contains("--report") && !errors.concat(reported()).contains("elements  ")) {
            faults.add("no report: " + errors + reported());
        }
        checkPeak();
        Set<String> after = Place.names(folder);
        after.removeAll(before);
        after.removeAll(List.of(mayAppear));
        after.remove("output.txt");
        if (output != null) {
            after.remove(output.getFileName().toString());
        }
        if (!after.isEmpty()) {
            faults.add("it left " + after + " behind");
        }
        TreeSet<String> temporaries = Place.names(temporary);
        if (!temporaries.isEmpty()) {
            faults.add("it left temporary files behind: " + temporaries);
        }
    }

    /// The peak may be the limit and what Java takes. A result on a file system in memory is memory itself, and while
    /// it is written it belongs to the process.
    private void checkPeak() throws IOException {
        long most = limit + BESIDE_LIMIT;
        for (String name : mayAppear) {
            Path result = folder.resolve(name);
            most += isInMemory && Files.exists(result) ? Files.size(result) : 0;
        }
        if (limit > 0 && peakBytes > most) {
            faults.add("a peak of " + (peakBytes >> 20) + " MiB, where " + (most >> 20) + " are the most");
        }
    }

    private static boolean isJson(String line) {
        return line.startsWith("{\"device\":") && line.endsWith("}");
    }

    /// Returns what the command wrote to the standard output, where that is not the result.
    String reported() throws IOException {
        return output == null ? Files.readString(folder.resolve("output.txt")) : "";
    }

    String errors() {
        return errors;
    }

    /// Adds what a referee found; null if the result is right.
    Run judged(String fault) {
        if (fault != null) {
            faults.add(fault);
        }
        return this;
    }

    List<String> faults() {
        return faults;
    }

    /// Returns whether the command did what was expected of it so far.
    boolean isGood() {
        return faults.isEmpty();
    }

    @Override
    public String toString() {
        return String.join(" ", words.subList(1, words.size()))
                + (input == null ? "" : (isPiped ? " from a pipe" : " from a redirected file"))
                + (isInMemory ? " in memory" : " on the disk")
                + ", peak " + (peakBytes >> 20) + " MiB";
    }
}
