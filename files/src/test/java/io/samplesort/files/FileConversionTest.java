package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileConversion;
import io.samplesort.types.ElementType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that store elements in another way than they are sorted.
class FileConversionTest {
    private static final int COUNT = 10_000;

    /// Swaps the bytes of longs.
    private static final class Swap implements FileConversion {
        @Override
        public void afterReading(MemorySegment elements) {
            for (long i = 0; i < elements.byteSize() / Long.BYTES; i++) {
                long bits = elements.getAtIndex(ValueLayout.JAVA_LONG, i);
                elements.setAtIndex(ValueLayout.JAVA_LONG, i, Long.reverseBytes(bits));
            }
        }

        @Override
        public void beforeWriting(MemorySegment elements) {
            afterReading(elements);
        }
    }

    @TempDir
    private Path folder;

    private final long[] keys = new Random(1).longs(COUNT).toArray();

    private Path write(String name, LongStream bigEndian) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(COUNT * Long.BYTES);
        bigEndian.forEach(bytes::putLong);
        return Files.write(folder.resolve(name), bytes.array());
    }

    private static long[] read(Path path) throws IOException {
        long[] numbers = new long[COUNT];
        ByteBuffer.wrap(Files.readAllBytes(path)).asLongBuffer().get(numbers);
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 100_000_000})
    void bigEndianFilesStayBigEndian(long memory) throws IOException {
        Path file = write("keys", LongStream.of(keys));
        Path moved = write("moved", LongStream.of(keys));
        Path swapped = write("swapped", LongStream.of(keys));
        Swap swap = new Swap();
        try (Sorter sorter =
                SampleSort.onCpu().payloads(ElementType.LONG, ElementType.LONG).build(ElementType.LONG)) {
            FileSort.with(sorter)
                    .memory(memory)
                    .sort(
                            FileColumn.of(file).converted(swap).to(folder.resolve("sorted")),
                            FileColumn.of(moved),
                            FileColumn.of(swapped).converted(swap));
        }
        long[] sorted = LongStream.of(keys).sorted().toArray();
        assertThat(read(folder.resolve("sorted"))).isEqualTo(sorted);
        assertThat(read(moved)).isEqualTo(sorted);
        assertThat(read(swapped)).isEqualTo(sorted);
        assertThat(read(file)).isEqualTo(keys);
    }

    @Test
    void aFailingConversionChangesNothing() throws IOException {
        Path file = write("keys", IntStream.range(0, COUNT).mapToLong(i -> -i));
        byte[] before = Files.readAllBytes(file);
        FileConversion failing = new FileConversion() {
            @Override
            public void afterReading(MemorySegment elements) {}

            @Override
            public void beforeWriting(MemorySegment elements) {
                throw new IllegalStateException("no way back");
            }
        };
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            FileSort sort = FileSort.with(sorter).memory(100_000);
            assertThatThrownBy(() -> sort.sort(FileColumn.of(file).converted(failing)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no way back");
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }
}
