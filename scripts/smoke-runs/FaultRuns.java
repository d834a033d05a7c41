import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// Command lines of a shell that once lost lines, failed or said nothing. Each does what another one does with GNU's
/// sort: it prints the same, writes the same to the file `out`, ends with the same exit code, and leaves nothing else.
final class FaultRuns {
    private static final long MOST_SECONDS = 900;

    /// Made before the others, in the folder where they run.
    private static final String INPUTS = """
            printf 'bb\\naa\\n' > two
            printf 'x\\t10\\ny\\t9\\n' > table.tsv
            printf 'b\\3512\\na\\3511\\n' > latin
            printf 'a\\0\\0b\\0' > empty-name
            : > empty
            mkdir many && (cd many && seq -f '%05g' 100000 | split -l 1000 -a 3)
            """;

    /// `SORT` stands for GNU's sort first and then for samplesort. These have more than 17 MiB.
    private static final List<String> SAME_OF_MORE = List.of(
            "(yes 404 | head -n 3000000; yes 10 | head -n 8000000) | SORT -S 33M -o out",
            "seq 5000000 | tr 0-9 j-s | SORT -S 33M -o out");

    private static final List<String> SAME = List.of(
            "yes abcdefghijklmno | head -c 16777215 > f; SORT f -o out",
            "yes abcdefghijklmno | head -c 16777216 > f; SORT f -o out",
            "yes abcdefghijklmno | head -c 16777216 > f; SORT f > out",
            "yes abcdefghijklmno | head -c 16777217 > f; SORT -u f -o out",
            "SORT -k1,1 -S 10k two",
            "cp two f; SORT -k1,1 -S 10k -o f f; cat f",
            "seq 20000 | SORT -S 1b -k1,1n --parallel=8 -o out",
            "SORT -t$'\\t' -k2n table.tsv",
            "SORT -t$'\\t' table.tsv",
            "SORT --field-separator=$'\\t' -k2,2n table.tsv",
            "SORT -t' ' -k2 two",
            "SORT -t$'\\351' -k2,2 latin",
            "SORT --uniq --rev two",
            "SORT --sort=n two",
            "SORT -m many/* > out",
            "(ulimit -n 64; SORT -m many/* -o out)",
            "(ulimit -n 64; SORT many/* -o out)",
            "TMPDIR=/nonexistent SORT two",
            "SORT -T /nonexistent two",
            "env -u HOME SORT two",
            "(yes a | head -c 5000000; echo; yes b | head -c 5000000) | tr -d '\\n' | SORT -S 1M -o out",
            "seq 10 | SORT -C");

    /// What GNU's sort refuses, too, with the same exit code. One line or more on standard error says why.
    private static final List<String> REFUSED = List.of(
            "SORT two <&- | cat; SORT <&-",
            "seq 10 | SORT -c",
            "SORT --files0-from=empty",
            "SORT --files0-from=empty-name",
            "SORT -c -C two",
            "SORT -c -o out two",
            "SORT -o x -o y two",
            "SORT -ta -tb two",
            "SORT missing",
            "SORT two missing -o out");

    private FaultRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        Path folder = place.folder(false);
        bash(folder, INPUTS, folder.resolve("made"));
        boolean isQuick = !place.sorts(Place.MEDIUM);
        // Every third of them in a quick run.
        for (int i = 0; i < SAME.size(); i += isQuick ? 3 : 1) {
            compare(place, tally, folder, SAME.get(i), true);
        }
        for (String command : isQuick ? List.<String>of() : SAME_OF_MORE) {
            compare(place, tally, folder, command, true);
        }
        for (String command : REFUSED) {
            compare(place, tally, folder, command, false);
        }
        cannotStart(place, tally, folder);
        Place.remove(folder);
    }

    private static void compare(Place place, Tally tally, Path folder, String command, boolean isDone)
            throws IOException, InterruptedException {
        List<String> faults = new ArrayList<>();
        Path out = folder.resolve("out");
        Path right = folder.resolve("right");
        Path said = folder.resolve("said");
        Path rightSaid = folder.resolve("right-said");
        int rightExit = bash(folder, command.replace("SORT", "sort"), rightSaid);
        if (Files.exists(out)) {
            Files.move(out, right);
        }
        Set<String> before = Place.names(folder);
        int exit = bash(folder, command.replace("SORT", place.samplesort() + " lines"), said);
        String errors = Files.readString(folder.resolve("errors"));
        if (exit != rightExit) {
            faults.add("exit code " + exit + " instead of " + rightExit + ": " + errors);
        }
        if (errors.contains("\tat ")) {
            faults.add("a stack trace: " + errors);
        }
        if (isDone == !errors.isEmpty()) {
            faults.add("on standard error: '" + errors + "'");
        }
        add(faults, TextReferee.compare(said, rightSaid));
        if (Files.exists(right)) {
            add(faults, TextReferee.compare(out, right));
            Files.delete(right);
        }
        Files.deleteIfExists(out);
        Set<String> after = Place.names(folder);
        after.removeAll(before);
        after.removeAll(Set.of("said", "errors"));
        if (!after.isEmpty()) {
            faults.add("it left " + after + " behind");
        }
        tally.note(command, faults);
    }

    private static void add(List<String> faults, String fault) {
        if (fault != null) {
            faults.add(fault);
        }
    }

    /// Java that gets too little memory to start says so where errors go, and ends as other trouble does.
    private static void cannotStart(Place place, Tally tally, Path folder) throws IOException, InterruptedException {
        String command = "ulimit -v 2000000; " + place.samplesort() + " lines two";
        List<String> faults = new ArrayList<>();
        int exit = bash(folder, command, folder.resolve("said"));
        if (exit != 2) {
            faults.add("exit code " + exit + " instead of 2");
        }
        if (Files.size(folder.resolve("said")) > 0 || Files.size(folder.resolve("errors")) == 0) {
            faults.add("it complains on standard output: " + Files.readString(folder.resolve("said")));
        }
        tally.note("lines where Java cannot start", faults);
    }

    private static int bash(Path folder, String command, Path said) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(folder.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(said.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return process.waitFor();
    }
}
