package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.LineKey;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Sorts the lines of two files by the number in their second field, the greatest first, and writes them to a third, as
/// `LC_ALL=C sort -t , -k 2,2nr` does. Files that are larger than the memory are sorted in the same way.
///
/// Run it with `examples/run SortLines`. It prints:
///
/// ```
/// fig,11
/// apple,9.5
/// plum,9.5
/// pear,-3
/// ```
public final class SortLines {
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("samplesort-example");
        Path monday = Files.writeString(folder.resolve("monday.csv"), "pear,-3\nplum,9.5\n");
        Path tuesday = Files.writeString(folder.resolve("tuesday.csv"), "fig,11\napple,9.5\n");
        Path week = folder.resolve("week.csv");

        LineKey price = LineKey.fields(2, 2).as(LineKey.Kind.NUMERIC).reversed();
        LineSort.with(SampleSort.onBestDevice(), LineOrder.by(price).separatedBy(','))
                .memory(1 << 20)
                .sort(List.of(monday, tuesday), week);

        System.out.print(Files.readString(week).replace("\n", System.lineSeparator()));
        for (Path file : List.of(monday, tuesday, week, folder)) {
            Files.delete(file);
        }
    }
}
