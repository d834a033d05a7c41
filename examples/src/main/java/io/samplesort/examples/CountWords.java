package io.samplesort.examples;

import io.samplesort.SampleSort;
import io.samplesort.files.LineSort;
import io.samplesort.files.types.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Writes the distinct words of a text with their counts, the most frequent first, as
/// `tr -s ' ' '\n' | LC_ALL=C sort | uniq -c | LC_ALL=C sort -rn` does. Texts that are larger than the memory are
/// counted in the same way.
///
/// Run it with `examples/run CountWords`. It prints:
///
/// ```
///       3 rose
///       3 a
///       2 is
/// ```
public final class CountWords {
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("samplesort-example");
        String text = "a rose is a rose is a rose";
        Path words = Files.writeString(folder.resolve("words.txt"), text.replace(' ', '\n'));
        Path counts = folder.resolve("counts.txt");

        LineSort.with(SampleSort.onBestDevice(), LineOrder.bytes())
                .byCount()
                .memory(1 << 20)
                .sort(List.of(words), counts);

        System.out.print(Files.readString(counts).replace("\n", System.lineSeparator()));
        for (Path file : List.of(words, counts, folder)) {
            Files.delete(file);
        }
    }
}
