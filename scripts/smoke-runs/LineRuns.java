import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `samplesort lines`, compared with GNU's sort: of 17 MiB in all pairs of settings, and larger files in a few.
final class LineRuns {
    private record Job(Texts shape, List<String> options) {
        Job(Texts shape, String... options) {
            this(shape, List.of(options));
        }
    }

    private static final List<Job> JOBS = List.of(
            new Job(Texts.WORDS),
            new Job(Texts.TWO_VALUES),
            new Job(Texts.TABLE, "-t\t", "-k2,2n"),
            new Job(Texts.TABLE, "-k3,3", "-f", "-s"),
            new Job(Texts.WORDS, "-u"),
            new Job(Texts.WORDS, "--by-count"),
            new Job(Texts.TABLE, "-t\t", "-k2,2n", "--first=1000"),
            new Job(Texts.WORDS, "--by-count", "--first=1000"),
            new Job(Texts.NUMBERS, "-n", "-r"),
            new Job(Texts.BYTES, "-r"),
            new Job(Texts.LONG));

    /// The jobs whose results are merged.
    private static final List<Job> MERGED = JOBS.subList(0, 2);

    private enum Target {
        OTHER,
        INPUT,
        STANDARD_OUTPUT
    }

    private static final List<String> LIMITS = List.of("5M", "120M");
    private static final List<List<String>> REPORTS = List.of(List.of(), List.of("--report"), List.of("--json"));
    private static final List<List<String>> THREADS = List.of(List.of(), List.of("--parallel=1"));

    private LineRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        List<int[]> rows = Settings.of(
                place,
                JOBS.size(),
                2,
                Run.Source.values().length,
                Target.values().length,
                LIMITS.size(),
                REPORTS.size(),
                THREADS.size());
        Set<Job> jobs = new LinkedHashSet<>(MERGED);
        rows.forEach(row -> jobs.add(JOBS.get(row[0])));
        Map<Texts, Path> inputs = new EnumMap<>(Texts.class);
        Map<Job, Path> right = new HashMap<>();
        for (Job job : jobs) {
            Path input = inputs.get(job.shape());
            if (input == null) {
                input = place.disk().resolve(job.shape() + ".txt");
                job.shape().write(input, Place.SMALL);
                inputs.put(job.shape(), input);
            }
            Path sorted = place.disk().resolve("right-" + right.size() + ".txt");
            TextReferee.sort(sorted, job.options(), List.of(input));
            right.put(job, sorted);
        }
        for (int[] row : rows) {
            Job job = JOBS.get(row[0]);
            List<String> options = new ArrayList<>(job.options());
            options.addAll(List.of("-S", LIMITS.get(row[4])));
            options.addAll(REPORTS.get(row[5]));
            options.addAll(THREADS.get(row[6]));
            Path folder = place.folder(row[1] == 1);
            Path input = Files.copy(inputs.get(job.shape()), folder.resolve("input.txt"));
            Target target = Target.values()[row[3]];
            Path result = folder.resolve(target == Target.INPUT ? "input.txt" : "result.txt");
            Run run = sort(place, folder, options, Run.Source.values()[row[2]], input, target, result)
                    .within(LIMITS.get(row[4]))
                    .go();
            run.judged(TextReferee.compare(result, right.get(job)));
            if (target != Target.INPUT) {
                run.judged(TextReferee.compare(input, inputs.get(job.shape())));
            }
            tally.note("lines " + job.shape() + ": " + run, run.faults());
            Place.remove(folder);
        }
        merge(place, tally, right.get(MERGED.getFirst()), right.get(MERGED.getLast()), List.of("-m"));
        if (place.sorts(Place.MEDIUM)) {
            large(place, tally);
        }
    }

    private static Run sort(
            Place place, Path folder, List<String> options, Run.Source source, Path input, Target target, Path result) {
        List<String> words = new ArrayList<>(List.of("lines"));
        words.addAll(options);
        if (source == Run.Source.FILE) {
            words.add(input.getFileName().toString());
        }
        if (target != Target.STANDARD_OUTPUT) {
            words.addAll(List.of("-o", result.getFileName().toString()));
        }
        Run run = new Run(place, folder, words).mayLeave(result.getFileName().toString());
        if (source != Run.Source.FILE) {
            run.from(input, source);
        }
        return target == Target.STANDARD_OUTPUT ? run.to(result) : run;
    }

    /// Merges two sorted texts, at once and, of many pieces, in rounds.
    private static void merge(Place place, Tally tally, Path first, Path second, List<String> options)
            throws IOException, InterruptedException {
        Path folder = place.folder(false);
        Path right = folder.resolve("right.txt");
        TextReferee.sort(right, options, List.of(first, second, first));
        List<List<String>> ways = List.of(List.of("-S", "5M"), List.of("--batch-size=2", "-S", "5M"));
        for (List<String> more : place.sorts(Place.MEDIUM) ? ways : ways.subList(1, 2)) {
            List<String> words = new ArrayList<>(List.of("lines", "-o", "result.txt"));
            words.addAll(options);
            words.addAll(more);
            words.addAll(List.of(first.toString(), second.toString(), first.toString()));
            Path result = folder.resolve("result.txt");
            Run run = new Run(place, folder, words)
                    .mayLeave("result.txt")
                    .within("5M")
                    .go();
            tally.note(
                    run.toString(),
                    run.judged(TextReferee.compare(result, right)).faults());
        }
        Place.remove(folder);
    }

    /// Files of 300 MiB and, where asked for, of 1.5 GiB.
    private static void large(Place place, Tally tally) throws IOException, InterruptedException {
        large(place, tally, Place.MEDIUM, new Job(Texts.WORDS), "30M", Run.Source.FILE, Target.OTHER);
        large(place, tally, Place.MEDIUM, new Job(Texts.WORDS), "1000M", Run.Source.PIPE, Target.STANDARD_OUTPUT);
        large(place, tally, Place.MEDIUM, new Job(Texts.TABLE, "-k2,2"), "60M", Run.Source.FILE, Target.INPUT);
        large(place, tally, Place.MEDIUM, new Job(Texts.TABLE, "--by-count"), "60M", Run.Source.FILE, Target.INPUT);
        large(
                place,
                tally,
                Place.MEDIUM,
                new Job(Texts.TABLE, "-k2,2", "--last=7"),
                "60M",
                Run.Source.PIPE,
                Target.OTHER);
        if (place.sorts(Place.LARGE)) {
            large(place, tally, Place.LARGE, new Job(Texts.WORDS), "100M", Run.Source.FILE, Target.INPUT);
            large(
                    place,
                    tally,
                    Place.LARGE,
                    new Job(Texts.TABLE, "-k2,2n"),
                    "400M",
                    Run.Source.REDIRECTED,
                    Target.OTHER);
            large(
                    place,
                    tally,
                    Place.LARGE,
                    new Job(Texts.WORDS, "--first=1000"),
                    "100M",
                    Run.Source.FILE,
                    Target.OTHER);
        }
    }

    private static void large(
            Place place, Tally tally, long size, Job job, String limit, Run.Source source, Target target)
            throws IOException, InterruptedException {
        Path folder = place.folder(false);
        Path input = folder.resolve("input.txt");
        job.shape().write(input, size);
        boolean isPiped = TextReferee.isPiped(job.options());
        TextReferee.Sum sum = isPiped ? null : TextReferee.Sum.of(input);
        Path right = place.disk().resolve("right-large.txt");
        if (isPiped) {
            TextReferee.sort(right, job.options(), List.of(input));
        }
        List<String> options = new ArrayList<>(job.options());
        options.addAll(List.of("-S", limit));
        Path result = folder.resolve(target == Target.INPUT ? "input.txt" : "result.txt");
        Run run = sort(place, folder, options, source, input, target, result)
                .within(limit)
                .go();
        run.judged(isPiped ? TextReferee.compare(result, right) : TextReferee.check(result, job.options(), sum));
        Files.deleteIfExists(right);
        tally.note("lines " + job.shape() + " of " + (size >> 20) + " MiB: " + run, run.faults());
        Place.remove(folder);
    }
}
