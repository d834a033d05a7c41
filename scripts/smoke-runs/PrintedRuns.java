import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/// The commands that the documents print, run as they are printed, one after another in one folder. A command that no
/// line here knows fails, and so does a line here whose command no document prints.
final class PrintedRuns {
    private static final List<String> DOCUMENTS = List.of("README.md", "docs/command.md", "docs/library.md");
    private static final long MOST_SECONDS = 900;

    /// Looks at what a command did.
    private interface Check {
        /// Returns what is wrong, or null.
        ///
        /// @param before a copy of the input as it was before the command
        String check(Path folder, Path before) throws IOException, InterruptedException;
    }

    /// What is known of a printed command.
    ///
    /// @param input    which file is copied for the check; null for none
    /// @param check    null if the command is not run
    /// @param whyNot   why it is not run
    private record Known(String input, Check check, String whyNot) {}

    private static final Map<String, Known> KNOWN = new LinkedHashMap<>();

    private static void run(String command, String input, Check check) {
        KNOWN.put(command, new Known(input, check, null));
    }

    private static void leave(String command, String whyNot) {
        KNOWN.put(command, new Known(null, null, whyNot));
    }

    private static Check sorted(Numbers kind, String result) {
        return (folder, before) -> NumberReferee.check(kind, before, folder.resolve(result));
    }

    private static Check permutation(Numbers kind, String result) {
        return (folder, before) -> {
            Path file = folder.resolve(result);
            if (!result.endsWith(".npy")) {
                return NumberReferee.checkPermutation(kind, before, file);
            }
            Path raw = folder.resolve("raw");
            byte[] bytes = Files.readAllBytes(file);
            Files.write(raw, java.util.Arrays.copyOfRange(bytes, 10 + bytes[8] + (bytes[9] << 8), bytes.length));
            String fault = NumberReferee.checkPermutation(kind, before, raw);
            Files.delete(raw);
            return fault;
        };
    }

    private static Check text(String result, String... options) {
        return (folder, before) -> {
            Path right = folder.resolve("right");
            TextReferee.sort(right, List.of(options), List.of(before));
            String fault = TextReferee.compare(folder.resolve(result), right);
            Files.delete(right);
            return fault;
        };
    }

    /// @param bytes the sizes that the file may have
    private static Check holds(String result, Long... bytes) {
        return (folder, before) ->
                List.of(bytes).contains(Files.size(folder.resolve(result))) ? null : "the file has another size";
    }

    private static Check says(String words) {
        return (folder, before) -> {
            String said = Files.readString(folder.resolve("said"));
            return said.contains(words) ? null : "it does not say " + words + ": " + said;
        };
    }

    static {
        String prices = "\"price:f64,id:u32,known:bool,_:3,name:bytes[16]\"";
        String byPrice = " --by \"price desc nulls last by known, id\" --stable";
        run("./samplesort demo", null, says("verified"));
        run("./samplesort info", null, says("GPU can be used"));
        run(
                "./samplesort generate keys.bin --type u64 --count 2^24 --distribution zipf",
                null,
                holds("keys.bin", 8L << 24, 8L << 22));
        run(
                "./samplesort sort keys.bin -o sorted.bin --type u64 --report",
                "keys.bin",
                sorted(Numbers.U64, "sorted.bin"));
        run(
                "./samplesort sort keys.bin -o greatest.bin --type u64 --last 10",
                "keys.bin",
                (folder, before) ->
                        NumberReferee.checkCut(Numbers.U64, before, folder.resolve("greatest.bin"), 10, true));
        run("./samplesort verify sorted.bin --type u64 --against keys.bin", null, says("sorted"));
        run("./samplesort sort values.npy --descending", "values.npy", PrintedRuns::descending);
        run(
                "./samplesort sort ids.bin --type u32 --payload f64 --payload-file weights.bin",
                null,
                PrintedRuns::weights);
        run(
                "./samplesort sort ids.bin --type u32 --payload f64 --payload-file weights.bin --device cpu",
                null,
                PrintedRuns::weights);
        run(
                "./samplesort sort trades.bin --layout \"price:f64,id:u32,_:4\" --by \"price desc, id\" --stable",
                "trades.bin",
                sorted(Numbers.RECORDS, "trades.bin"));
        run(
                "./samplesort sort large.bin -o sorted.bin --type u64 --memory 4G --temp /scratch",
                "large.bin",
                sorted(Numbers.U64, "sorted.bin"));
        run(
                "./samplesort sort keys.bin -o sorted.bin --type u64 --memory 4G --temp /scratch --report",
                "keys.bin",
                sorted(Numbers.U64, "sorted.bin"));
        run(
                "./samplesort argsort keys.bin -o permutation.npy --type u64",
                "keys.bin",
                permutation(Numbers.U64, "permutation.npy"));
        run(
                "./samplesort lines -t , -k 2,2n table.csv -o sorted.csv",
                "table.csv",
                text("sorted.csv", "-t", ",", "-k", "2,2n"));
        run("./samplesort generate words.txt --lines words --count 10M", null, PrintedRuns::lines10M);
        run("./samplesort generate words.txt --lines words --count 1M", null, (folder, before) -> null);
        run("./samplesort lines -u words.txt -o sorted.txt", "words.txt", text("sorted.txt", "-u"));
        run("./samplesort lines words.txt -o sorted.txt", "words.txt", text("sorted.txt"));
        run(
                "cat keys.bin | ./samplesort sort - --type u64 > sorted.bin",
                "keys.bin",
                sorted(Numbers.U64, "sorted.bin"));
        run(
                "./samplesort generate trades.bin --layout " + prices + " --count 1M",
                null,
                holds("trades.bin", 32L << 20));
        run(
                "./samplesort sort trades.bin -o by-price.bin --layout " + prices + byPrice,
                null,
                holds("by-price.bin", 32L << 20));
        run(
                "./samplesort verify by-price.bin --layout " + prices + byPrice + " --against trades.bin",
                null,
                says("sorted"));
        run(
                "./samplesort generate benchmark.bin --layout gensort --count 100000",
                null,
                holds("benchmark.bin", 10_000_000L));
        run(
                "./samplesort sort benchmark.bin --layout gensort",
                "benchmark.bin",
                sorted(Numbers.BENCHMARK, "benchmark.bin"));
        run("./samplesort merge monday.bin tuesday.bin -o both.bin --type u64", null, PrintedRuns::merged);
        run("cut -f 2 table.tsv | ./samplesort lines -u > names.txt", null, PrintedRuns::names);
        run(
                "./samplesort lines -t , -k 2,2nr -k 1,1 table.csv",
                "table.csv",
                text("said", "-t", ",", "-k", "2,2nr", "-k", "1,1"));
        run("./samplesort lines -S 4G -T /scratch log.1 log.2 -o log.sorted", null, PrintedRuns::logs);
        run(
                "./samplesort lines -t , -k 2,2nr --first 10 table.csv",
                "table.csv",
                text("said", "-t", ",", "-k", "2,2nr", "--first=10"));
        run("./samplesort lines --by-count --first 20 words.txt", "words.txt", PrintedRuns::frequent);
        run(
                "./samplesort argsort benchmark.bin -o permutation.bin --layout gensort --index-type i32",
                null,
                holds("permutation.bin", 400_000L));
        run("./samplesort sort times.npy -o sorted.npy", "times.npy", sorted(Numbers.F64_ARRAY, "sorted.npy"));
        run(
                "./samplesort sort trades.npy -o by-price.npy --by \"price desc, when\"",
                "trades.npy",
                sorted(Numbers.RECORD_ARRAY, "by-price.npy"));
        run("./samplesort sort keys.bin --type u64 --device-memory 4G", "keys.bin", sorted(Numbers.U64, "keys.bin"));
        run("./samplesort sort keys.bin --type u64 --lean", "keys.bin", sorted(Numbers.U64, "keys.bin"));
        run(
                "SAMPLESORT_JAVA_OPTIONS=-Dsamplesort.nvrtc.library=/opt/nvrtc/libnvrtc.so.13 ./samplesort info",
                null,
                says("GPU can be used"));
        leave("mvn -B -T2 verify", "it is the build");
        leave("./samplesort tune --device gpu:0", "it needs a GPU for minutes");
        leave("samplesort tune --types u64,u64+u64", "it needs a GPU for minutes");
        leave("samplesort tune --reset", "it would remove what the user has tuned");
        leave("examples/terasort 1000000", "Maven would fetch Spark, and the tests of Spark sort the same");
        leave("./samplesort study --quick", "it takes minutes");
        leave("./samplesort setup --yes", "it fetches 380 MB");
        leave("scripts/bundle", "it compiles kernels for half an hour");
        leave("docker build -t samplesort -f Containerfile .", "it needs Docker");
        leave(
                "docker run --rm --gpus all -v \"$PWD:/data\" --user \"$(id -u):$(id -g)\" samplesort sort keys.bin --type u64",
                "it needs Docker and a GPU");
    }

    private PrintedRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        Path folder = place.folder(false);
        inputs(place, folder);
        List<String> left = new ArrayList<>(KNOWN.keySet());
        for (String document : DOCUMENTS) {
            for (String command : commands(place.root().resolve(document))) {
                Known known = KNOWN.get(command);
                String name = document + ": " + command;
                if (known == null) {
                    tally.note(name, List.of("no run is known for it: add one to PrintedRuns"));
                } else if (left.remove(command) && known.check() != null && isRun(place, document)) {
                    tally.note(name, faults(folder, sized(place, command), known));
                }
            }
        }
        Place.remove(folder);
        for (String command : left) {
            tally.note(command, List.of("no document prints it: remove it from PrintedRuns"));
        }
    }

    /// Returns whether the commands of a document are run: if only small files are sorted, those of README alone.
    private static boolean isRun(Place place, String document) {
        return place.sorts(Place.MEDIUM) || document.equals(DOCUMENTS.getFirst());
    }

    /// Returns the command as it is printed or, where only small files are sorted, of fewer elements.
    private static String sized(Place place, String command) {
        return place.sorts(Place.MEDIUM)
                ? command
                : command.replace(" 2^24", " 2^22").replace(" 10M", " 1M");
    }

    /// Returns the commands in the blocks of a document that name no language.
    private static List<String> commands(Path document) throws IOException {
        List<String> commands = new ArrayList<>();
        String block = null;
        for (String line : Files.readAllLines(document)) {
            if (line.startsWith("```")) {
                block = block == null ? line : null;
            } else if ("```".equals(block) && !line.isBlank()) {
                commands.add(line);
            }
        }
        return commands;
    }

    /// Makes the files that printed commands sort and none of them makes.
    private static void inputs(Place place, Path folder) throws IOException {
        Files.createDirectory(folder.resolve("scratch"));
        Files.createSymbolicLink(folder.resolve("samplesort"), place.samplesort());
        Numbers.F64_ARRAY.write(folder.resolve("values.npy"), Place.SMALL);
        Numbers.F64_ARRAY.write(folder.resolve("times.npy"), Place.SMALL);
        Numbers.RECORD_ARRAY.write(folder.resolve("trades.npy"), Place.SMALL);
        Numbers.RECORDS.write(folder.resolve("trades.bin"), Place.SMALL);
        Numbers.U64.write(folder.resolve("large.bin"), Math.min(Place.MEDIUM, place.largest()));
        for (String day : List.of("monday.bin", "tuesday.bin")) {
            Path file = folder.resolve(day);
            Numbers.U64.write(file, day.startsWith("m") ? Place.SMALL : 2 * Place.SMALL);
            sortInMemory(file);
        }
        Texts.TABLE.write(folder.resolve("table.tsv"), Place.SMALL);
        Files.writeString(
                folder.resolve("table.csv"),
                Files.readString(folder.resolve("table.tsv")).replace('\t', ','));
        Texts.WORDS.write(folder.resolve("log.1"), Place.SMALL);
        Texts.NUMBERS.write(folder.resolve("log.2"), Place.SMALL);
        Weights.write(folder);
    }

    private static List<String> faults(Path folder, String command, Known known)
            throws IOException, InterruptedException {
        Path before = folder.resolve("before");
        if (known.input() != null) {
            Files.copy(folder.resolve(known.input()), before);
        }
        Path said = folder.resolve("said");
        Path errors = folder.resolve("errors");
        String words = "set -o pipefail\n"
                + command.replace("/scratch", folder.resolve("scratch").toString());
        Process process = new ProcessBuilder("bash", "-c", words)
                .directory(folder.toFile())
                .redirectOutput(said.toFile())
                .redirectError(errors.toFile())
                .start();
        List<String> faults = new ArrayList<>();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            faults.add("it did not end within " + MOST_SECONDS + " s");
        }
        String wrong = Files.readString(errors);
        if (process.exitValue() != 0 || wrong.contains("\tat ")) {
            faults.add("exit code " + process.exitValue() + ": " + wrong);
        }
        String fault = known.check().check(folder, before);
        if (fault != null) {
            faults.add(fault);
        }
        Files.deleteIfExists(before);
        Files.delete(said);
        return faults;
    }

    private static String descending(Path folder, Path before) throws IOException {
        Path expected = folder.resolve("expected");
        byte[] bytes = Files.readAllBytes(folder.resolve("values.npy"));
        int width = Numbers.F64_ARRAY.width();
        for (int i = Numbers.F64_ARRAY.header(), j = bytes.length - width; i < j; i += width, j -= width) {
            for (int k = 0; k < width; k++) {
                byte kept = bytes[i + k];
                bytes[i + k] = bytes[j + k];
                bytes[j + k] = kept;
            }
        }
        Files.write(expected, bytes);
        String fault = NumberReferee.check(Numbers.F64_ARRAY, before, expected);
        Files.delete(expected);
        return fault;
    }

    private static void sortInMemory(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        long[] numbers = new long[bytes.remaining() / Long.BYTES];
        bytes.asLongBuffer().get(numbers);
        long[] sorted = LongStream.of(numbers)
                .map(number -> number ^ Long.MIN_VALUE)
                .sorted()
                .map(number -> number ^ Long.MIN_VALUE)
                .toArray();
        bytes.asLongBuffer().put(sorted);
        Files.write(file, bytes.array());
    }

    private static String merged(Path folder, Path before) throws IOException {
        Path all = folder.resolve("all");
        Files.copy(folder.resolve("monday.bin"), all);
        Files.write(all, Files.readAllBytes(folder.resolve("tuesday.bin")), StandardOpenOption.APPEND);
        String fault = NumberReferee.check(Numbers.U64, all, folder.resolve("both.bin"));
        Files.delete(all);
        return fault;
    }

    private static String weights(Path folder, Path before) throws IOException {
        return Weights.check(folder);
    }

    private static String lines10M(Path folder, Path before) throws IOException {
        long lines = TextReferee.Sum.of(folder.resolve("words.txt")).lines();
        return lines == 10 << 20 || lines == 1 << 20 ? null : "there are " + lines + " lines";
    }

    private static String names(Path folder, Path before) throws IOException, InterruptedException {
        Path right = folder.resolve("right");
        new ProcessBuilder("bash", "-c", "cut -f 2 table.tsv | LC_ALL=C sort -u > right")
                .directory(folder.toFile())
                .start()
                .waitFor();
        return TextReferee.compare(folder.resolve("names.txt"), right);
    }

    private static String logs(Path folder, Path before) throws IOException, InterruptedException {
        Path right = folder.resolve("right");
        TextReferee.sort(right, List.of(), List.of(folder.resolve("log.1"), folder.resolve("log.2")));
        return TextReferee.compare(folder.resolve("log.sorted"), right);
    }

    private static String frequent(Path folder, Path before) throws IOException, InterruptedException {
        Path right = folder.resolve("right");
        Path all = folder.resolve("all");
        TextReferee.sort(all, List.of("--by-count"), List.of(before));
        Files.write(right, Files.readAllLines(all).subList(0, 20));
        Files.delete(all);
        return TextReferee.compare(folder.resolve("said"), right);
    }
}
