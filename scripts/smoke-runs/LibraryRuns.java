import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.FileSort;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// `FileSort` and `LineSort` as docs/library.md shows them, on files of 17 MiB.
final class LibraryRuns {
    private static final long MEMORY = 8L << 20;

    /// One use of the library.
    private interface Job {
        String run(Path folder) throws IOException, InterruptedException;
    }

    private LibraryRuns() {}

    static void run(Place place, Tally tally) throws IOException, InterruptedException {
        note(place, tally, "FileSort.sort onto the input", folder -> sort(folder, "keys.bin"));
        note(place, tally, "FileSort.argsort", LibraryRuns::argsort);
        note(place, tally, "LineSort.sort onto the input", folder -> lines(folder, "words.txt"));
        if (place.sorts(Place.MEDIUM)) {
            note(place, tally, "FileSort.sort to another file", folder -> sort(folder, "sorted.bin"));
            note(place, tally, "LineSort.sort", folder -> lines(folder, "sorted.txt"));
        }
    }

    private static void note(Place place, Tally tally, String name, Job job) throws IOException, InterruptedException {
        Path folder = place.folder(false);
        List<String> faults = new ArrayList<>();
        try {
            String fault = job.run(folder);
            if (fault != null) {
                faults.add(fault);
            }
        } catch (IOException | RuntimeException e) {
            faults.add(e.toString());
        }
        Set<String> left = Place.names(folder);
        left.removeAll(Set.of("keys.bin", "original.bin", "sorted.bin", "words.txt", "sorted.txt", "right.txt"));
        if (!left.isEmpty()) {
            faults.add("it left " + left + " behind");
        }
        tally.note(name, faults);
        Place.remove(folder);
    }

    private static Path keys(Path folder) throws IOException {
        Path keys = folder.resolve("keys.bin");
        Numbers.U64.write(keys, Place.SMALL);
        Files.copy(keys, folder.resolve("original.bin"));
        return keys;
    }

    private static String sort(Path folder, String target) throws IOException {
        Path keys = keys(folder);
        Path sorted = folder.resolve(target);
        try (Sorter sorter = SampleSort.onBestDevice().order(Order.unsigned()).build(ElementType.LONG)) {
            FileSort sort = FileSort.with(sorter).memory(MEMORY).temporaryFolder(folder);
            if (sorted.equals(keys)) {
                sort.sort(keys);
            } else {
                sort.sort(FileColumn.of(keys).to(sorted));
            }
        }
        return NumberReferee.check(Numbers.U64, folder.resolve("original.bin"), sorted);
    }

    private static String argsort(Path folder) throws IOException {
        Path keys = keys(folder);
        Path permutation = folder.resolve("sorted.bin");
        try (Sorter sorter = SampleSort.onBestDevice().order(Order.unsigned()).build(ElementType.LONG)) {
            FileSort.with(sorter).argsort(keys, permutation);
        }
        return NumberReferee.checkPermutation(Numbers.U64, keys, permutation);
    }

    private static String lines(Path folder, String target) throws IOException, InterruptedException {
        Path words = folder.resolve("words.txt");
        Texts.WORDS.write(words, Place.SMALL);
        Path right = folder.resolve("right.txt");
        TextReferee.sort(right, List.of(), List.of(words));
        Path sorted = folder.resolve(target);
        LineSort.with(SampleSort.onBestDevice(), LineOrder.bytes())
                .memory(MEMORY)
                .temporaryFolder(folder)
                .sort(List.of(words), sorted);
        return TextReferee.compare(sorted, right);
    }
}
