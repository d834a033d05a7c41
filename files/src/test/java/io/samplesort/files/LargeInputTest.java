package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.LineOrder;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Inputs with names that are large enough to be read past the system's cache of files.
class LargeInputTest {
    private static final int BYTES = 16 << 20;

    @TempDir
    Path folder;

    @Test
    void linesAreSortedOntoTheirInput() throws IOException {
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) 'x');
        int lineBytes = BYTES / 16;
        for (int line = 0; line < 16; line++) {
            content[line * lineBytes] = (byte) ('p' - line);
            content[(line + 1) * lineBytes - 1] = '\n';
        }
        Path file = Files.write(folder.resolve("lines"), content);
        LineSort.with(SampleSort.onCpu(), LineOrder.bytes()).sort(List.of(file), file);
        assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
        byte[] sorted = Files.readAllBytes(file);
        assertThat(sorted).hasSize(BYTES);
        assertThat(IntStream.range(0, 16)
                        .mapToObj(line -> sorted[line * lineBytes] - 'a')
                        .toList())
                .isEqualTo(IntStream.range(0, 16).boxed().toList());
    }

    @Test
    void numbersAreSortedOntoTheirInput() throws IOException {
        ByteBuffer content = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long number = BYTES / Long.BYTES - 1; number >= 0; number--) {
            content.putLong(number);
        }
        Path file = Files.write(folder.resolve("numbers"), content.array());
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            FileSort.with(sorter).sort(file);
        }
        assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
        ByteBuffer sorted = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(sorted.capacity()).isEqualTo(BYTES);
        for (long number = 0; number < BYTES / Long.BYTES; number++) {
            if (sorted.getLong() != number) {
                throw new AssertionError("number " + number + " is not in its place");
            }
        }
    }
}
