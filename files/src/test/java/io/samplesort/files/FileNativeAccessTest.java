package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.ChildJvm;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Files are sorted in parts where Java allows no native access.
class FileNativeAccessTest {
    @Test
    void filesNeedNone() throws Exception {
        assertThat(ChildJvm.run(List.of("--illegal-native-access=deny"), FileNativeAccessTest.class))
                .isEqualToIgnoringNewLines("sorted");
    }

    public static void main(String[] arguments) throws IOException {
        Path file = Files.createTempFile("samplesort", ".bin");
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            byte[] random = new byte[2_400_000];
            new Random(300_000).nextBytes(random);
            FileSort.with(sorter).memory(1 << 20).sort(Files.write(file, random));
            byte[] sorted = Files.readAllBytes(file);
            long[] aligned = new long[sorted.length / Long.BYTES];
            MemorySegment elements = MemorySegment.ofArray(aligned).copyFrom(MemorySegment.ofArray(sorted));
            System.out.println(sorter.isSorted(elements) ? "sorted" : "not sorted");
        } finally {
            Files.delete(file);
        }
    }
}
