package io.samplesort.examples;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.FileSort;
import io.samplesort.files.types.FileColumn;
import io.samplesort.types.ElementType;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// Sorts a file of 8 MiB with 4 MiB of memory, and then checks the result. A file of 8 TiB is sorted in the same way:
/// in parts, which wait in a temporary file.
///
/// Run it with `examples/run SortLargeFile`. It prints:
///
/// ```
/// 1048576 numbers, in two steps: runs, buckets
/// sorted: true
/// ```
public final class SortLargeFile {
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("samplesort-example");
        Path input = folder.resolve("numbers.bin");
        Path output = folder.resolve("sorted.bin");
        long[] numbers = new Random(1).longs(1 << 20).toArray();
        Files.write(input, MemorySegment.ofArray(numbers).toArray(JAVA_BYTE));

        try (Sorter sorter = SampleSort.onBestDevice().build(ElementType.LONG)) {
            // The output appears when it is complete. Until then, and after a failure, there is none.
            SortReport report = FileSort.with(sorter)
                    .memory(4 << 20)
                    .temporaryFolder(folder)
                    .sort(FileColumn.of(input).to(output));
            System.out.println(report.elementCount() + " numbers, in two steps: "
                    + report.phases().get(0).name() + ", "
                    + report.phases().get(1).name());

            try (Arena arena = Arena.ofShared();
                    FileChannel channel = FileChannel.open(output)) {
                MemorySegment sorted = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                System.out.println("sorted: " + sorter.isSorted(sorted));
            }
        }
        Files.delete(input);
        Files.delete(output);
        Files.delete(folder);
    }
}
