import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// `samplesort sort`, `argsort` and `merge`: files of 17 MiB in all pairs of settings, and larger ones in a few.
final class NumberRuns {
    private enum Target {
        OTHER,
        INPUT,
        STANDARD_OUTPUT
    }

    private static final List<String> LIMITS = List.of("8M", "120M");
    private static final List<List<String>> REPORTS =
            List.of(List.of(), List.of("--report"), List.of("--json"), List.of("--quiet"));
    private static final List<List<String>> THREADS = List.of(List.of(), List.of("--threads=1"));

    private NumberRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        Map<Numbers, Path> inputs = new EnumMap<>(Numbers.class);
        for (Numbers kind : Numbers.values()) {
            Path input = place.disk().resolve(kind + kind.suffix());
            kind.write(input, Place.SMALL);
            inputs.put(kind, input);
        }
        for (int[] row : Settings.of(
                place,
                Numbers.values().length,
                2,
                Run.Source.values().length,
                Target.values().length,
                LIMITS.size(),
                REPORTS.size(),
                THREADS.size())) {
            Numbers kind = Numbers.values()[row[0]];
            List<String> options = new ArrayList<>(REPORTS.get(row[5]));
            options.addAll(THREADS.get(row[6]));
            Path folder = place.folder(row[1] == 1);
            Path input = Files.copy(inputs.get(kind), folder.resolve("input" + kind.suffix()));
            sort(
                    place,
                    tally,
                    kind,
                    inputs.get(kind),
                    input,
                    Run.Source.values()[row[2]],
                    Target.values()[row[3]],
                    LIMITS.get(row[4]),
                    options);
            Place.remove(folder);
        }
        payloads(place, tally, inputs.get(Numbers.U64));
        List<Numbers> kinds = List.of(Numbers.values());
        for (Numbers kind : place.sorts(Place.MEDIUM) ? kinds : kinds.subList(0, 2)) {
            argsort(place, tally, kind, inputs.get(kind), kind.ordinal() % 2 == 0 ? "16M" : "200M");
            cut(place, tally, kind, inputs.get(kind), kind.ordinal() % 2 == 0, 1000, "8M");
        }
        if (place.sorts(Place.MEDIUM)) {
            large(place, tally);
        }
        MergeRuns.run(place, tally);
    }

    private static void sort(
            Place place,
            Tally tally,
            Numbers kind,
            Path original,
            Path input,
            Run.Source source,
            Target target,
            String limit,
            List<String> options)
            throws IOException, InterruptedException {
        Path folder = input.getParent();
        String inputName = input.getFileName().toString();
        Path result = folder.resolve(target == Target.INPUT ? inputName : "result" + kind.suffix());
        List<String> words =
                new ArrayList<>(List.of("sort", source == Run.Source.FILE ? inputName : "-", "--memory=" + limit));
        words.addAll(kind.options());
        words.addAll(options);
        if (target == Target.STANDARD_OUTPUT) {
            words.addAll(List.of("-o", "-"));
        } else if (target == Target.OTHER || source != Run.Source.FILE) {
            words.addAll(List.of("-o", result.getFileName().toString()));
        }
        Run run = new Run(place, folder, words)
                .mayLeave(result.getFileName().toString())
                .within(limit);
        if (source != Run.Source.FILE) {
            run.from(input, source);
        }
        if (target == Target.STANDARD_OUTPUT) {
            run.to(result);
        }
        run.go().judged(NumberReferee.check(kind, original, result));
        if (target != Target.INPUT && original != input && Files.mismatch(original, input) >= 0) {
            run.judged("the input has changed");
        }
        tally.note(kind + ": " + run, run.faults());
    }

    /// Payloads in a file of their own, onto the inputs and to other files.
    private static void payloads(Place place, Tally tally, Path original) throws IOException, InterruptedException {
        for (boolean isInPlace : new boolean[] {true, false}) {
            Path folder = place.folder(!isInPlace);
            Path keys = Files.copy(original, folder.resolve("keys.bin"));
            Path payloads = folder.resolve("payloads.bin");
            NumberReferee.writePayloads(keys, payloads);
            List<String> words = new ArrayList<>(List.of(
                    "sort", "keys.bin", "--type=u64", "--payload=i64", "--payload-file=payloads.bin", "--memory=20M"));
            Path sortedKeys = isInPlace ? keys : folder.resolve("k.bin");
            Path moved = isInPlace ? payloads : folder.resolve("p.bin");
            if (!isInPlace) {
                words.addAll(List.of("-o", "k.bin", "--payload-output=p.bin"));
            }
            Run run = new Run(place, folder, words).mayLeave("k.bin", "p.bin").go();
            run.judged(NumberReferee.check(Numbers.U64, original, sortedKeys));
            if (run.isGood()) {
                run.judged(NumberReferee.checkPayloads(sortedKeys, moved));
            }
            tally.note(run.toString(), run.faults());
            Place.remove(folder);
        }
    }

    private static void argsort(Place place, Tally tally, Numbers kind, Path original, String limit)
            throws IOException, InterruptedException {
        Path folder = place.folder(false);
        List<String> words =
                new ArrayList<>(List.of("argsort", original.toString(), "-o", "permutation.bin", "--memory=" + limit));
        words.addAll(kind.options());
        Run run = new Run(place, folder, words)
                .mayLeave("permutation.bin")
                .within(limit)
                .go();
        run.judged(NumberReferee.checkPermutation(kind, original, folder.resolve("permutation.bin")));
        tally.note(kind + ": " + run, run.faults());
        Place.remove(folder);
    }

    /// The first or last elements alone.
    private static void cut(
            Place place, Tally tally, Numbers kind, Path original, boolean isLast, int wanted, String limit)
            throws IOException, InterruptedException {
        Path folder = place.folder(false);
        String result = "part" + kind.suffix();
        List<String> words = new ArrayList<>(List.of("sort", original.toString(), "-o", result, "--memory=" + limit));
        words.add((isLast ? "--last=" : "--first=") + wanted);
        words.addAll(kind.options());
        Run run = new Run(place, folder, words).mayLeave(result).within(limit).go();
        run.judged(NumberReferee.checkCut(kind, original, folder.resolve(result), wanted, isLast));
        tally.note(kind + ": " + run, run.faults());
        Place.remove(folder);
    }

    /// Files of 300 MiB and, where asked for, of 1.5 GiB.
    private static void large(Place place, Tally tally) throws IOException, InterruptedException {
        large(place, tally, Place.MEDIUM, Numbers.U64, Run.Source.FILE, Target.INPUT, "50M");
        large(place, tally, Place.MEDIUM, Numbers.F64_ARRAY, Run.Source.PIPE, Target.STANDARD_OUTPUT, "1000M");
        large(place, tally, Place.MEDIUM, Numbers.RECORDS, Run.Source.FILE, Target.OTHER, "100M");
        if (place.sorts(Place.LARGE)) {
            large(place, tally, Place.LARGE, Numbers.U64, Run.Source.FILE, Target.INPUT, "300M");
        }
    }

    private static void large(
            Place place, Tally tally, long size, Numbers kind, Run.Source source, Target target, String limit)
            throws IOException, InterruptedException {
        Path folder = place.folder(false);
        Path original = place.disk().resolve("original" + kind.suffix());
        kind.write(original, size);
        Path input = Files.copy(original, folder.resolve("input" + kind.suffix()));
        sort(place, tally, kind, original, input, source, target, limit, List.of());
        Place.remove(folder);
        cut(place, tally, kind, original, target == Target.OTHER, 100_000, "60M");
        Files.delete(original);
    }
}
