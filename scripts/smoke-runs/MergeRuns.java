import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `samplesort merge`: a file is split, its parts are sorted, and merged again.
final class MergeRuns {
    private static final int PARTS = 3;

    private MergeRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        List<Numbers> kinds = List.of(Numbers.values());
        for (Numbers kind : place.sorts(Place.MEDIUM) ? kinds : kinds.subList(0, 2)) {
            merge(place, tally, kind, Place.SMALL, kind.ordinal() % 2 == 0 ? "8M" : "120M");
        }
        if (place.sorts(Place.MEDIUM)) {
            merge(place, tally, Numbers.U64, Place.MEDIUM, "50M");
            merge(place, tally, Numbers.RECORDS, Place.MEDIUM, "300M");
        }
        if (place.sorts(Place.LARGE)) {
            merge(place, tally, Numbers.U64, Place.LARGE, "300M");
        }
    }

    private static void merge(Place place, Tally tally, Numbers kind, long size, String limit)
            throws IOException, InterruptedException {
        Path folder = place.folder(false);
        Path original = folder.resolve("original" + kind.suffix());
        kind.write(original, size);
        List<String> parts = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            parts.add("part" + part + kind.suffix());
        }
        kind.split(original, parts.stream().map(folder::resolve).toList());
        List<String> words = new ArrayList<>(List.of("merge", "-o", "result" + kind.suffix(), "--memory=" + limit));
        words.addAll(kind.options());
        words.addAll(parts);
        Path result = folder.resolve("result" + kind.suffix());
        for (String part : parts) {
            if (part.equals(parts.getLast())) {
                // This part is not sorted yet, which must be found before anything is published.
                Run wrong = new Run(place, folder, words)
                        .within(limit)
                        .expectExit(1)
                        .go();
                boolean isNamed = wrong.errors().contains(part + " is not in order: element ");
                wrong.judged(isNamed && !Files.exists(result) ? null : "it says " + wrong.errors());
                tally.note(kind + ", not sorted: " + wrong, wrong.faults());
            }
            List<String> sort = new ArrayList<>(List.of("sort", part, "--stable"));
            sort.addAll(kind.options());
            Run sorted = new Run(place, folder, sort).go();
            tally.note(kind + ": " + sorted, sorted.faults());
        }
        Run run = new Run(place, folder, words)
                .mayLeave("result" + kind.suffix())
                .within(limit)
                .go();
        run.judged(NumberReferee.check(kind, original, result));
        tally.note(kind + ": " + run, run.faults());
        Place.remove(folder);
    }
}
