import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Sorts of several times the memory that they may take, of everything that could make them take more: keys, long
/// lines, merges, stability, records, permutations.
final class MemoryRuns {
    private static final long SIZE = (70L << 20) + 3;
    private static final String LIMIT = "24M";

    private record Job(Texts shape, String limit, List<String> options) {
        Job(Texts shape, String limit, String... options) {
            this(shape, limit, List.of(options));
        }
    }

    private static final List<Job> JOBS = List.of(
            new Job(Texts.WORDS, LIMIT, "-u"),
            new Job(Texts.WORDS, LIMIT, "-f"),
            new Job(Texts.WORDS, LIMIT, "-k1.3,1.5", "-s"),
            new Job(Texts.TABLE, LIMIT, "-t\t", "-k3"),
            new Job(Texts.TABLE, "1M"),
            new Job(Texts.LONG, LIMIT),
            new Job(Texts.LONG, LIMIT, "-k1.2"),
            new Job(Texts.LONG, LIMIT, "-f"));

    private MemoryRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        lines(place, tally);
        numbers(place, tally);
    }

    private static void lines(Place place, Tally tally) throws IOException, InterruptedException {
        Path folder = place.folder(false);
        Map<Texts, Path> inputs = new EnumMap<>(Texts.class);
        Path right = place.disk().resolve("right.txt");
        for (Job job : JOBS) {
            Path input = inputs.get(job.shape());
            if (input == null) {
                input = folder.resolve(job.shape() + ".txt");
                job.shape().write(input, SIZE);
                inputs.put(job.shape(), input);
            }
            TextReferee.sort(right, job.options(), List.of(input));
            judge(place, tally, folder, job, right, List.of(input));
        }
        Path sorted = folder.resolve("sorted.txt");
        TextReferee.sort(sorted, List.of(), List.of(inputs.get(Texts.WORDS)));
        List<Path> both = List.of(sorted, sorted);
        TextReferee.sort(right, List.of("-m"), both);
        judge(place, tally, folder, new Job(Texts.WORDS, LIMIT, "-m"), right, both);
        Run check = new Run(place, folder, List.of("lines", "-c", "-S", LIMIT, sorted.toString())).within(LIMIT);
        tally.note(check.go().toString(), check.faults());
        Place.remove(folder);
        Files.delete(right);
    }

    private static void judge(Place place, Tally tally, Path folder, Job job, Path right, List<Path> inputs)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("lines", "-o", "result.txt", "-S", job.limit()));
        words.addAll(job.options());
        inputs.forEach(input -> words.add(input.getFileName().toString()));
        Path result = folder.resolve("result.txt");
        Run run = new Run(place, folder, words)
                .mayLeave("result.txt")
                .within(job.limit())
                .go();
        tally.note(
                run.toString(), run.judged(TextReferee.compare(result, right)).faults());
        Files.deleteIfExists(result);
    }

    private static void numbers(Place place, Tally tally) throws IOException, InterruptedException {
        for (Numbers kind : List.of(Numbers.U64, Numbers.RECORDS)) {
            Path folder = place.folder(false);
            Path input = folder.resolve("input" + kind.suffix());
            kind.write(input, SIZE);
            Path result = folder.resolve("result.bin");
            for (List<String> job : List.of(List.of("sort", "--stable"), List.of("argsort"))) {
                List<String> words = new ArrayList<>(job);
                words.addAll(List.of(input.toString(), "-o", "result.bin", "--memory=" + LIMIT));
                words.addAll(kind.options());
                Run run = new Run(place, folder, words)
                        .mayLeave("result.bin")
                        .within(LIMIT)
                        .go();
                boolean isSort = job.contains("sort");
                run.judged(
                        isSort
                                ? NumberReferee.check(kind, input, result)
                                : NumberReferee.checkPermutation(kind, input, result));
                tally.note(run.toString(), run.faults());
                Files.deleteIfExists(result);
            }
            Place.remove(folder);
        }
    }
}
