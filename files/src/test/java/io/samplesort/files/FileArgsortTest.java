package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileListener;
import io.samplesort.files.types.FilePlan;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Permutations of files, found in dozens of parts and at once, compared with those of the same elements in memory.
class FileArgsortTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final String REPLAY = "replay with -Dtests.seed=" + SEED;
    private static final byte[] HEADER = {1, 2, 3, 4, 5};
    private static final long MEMORY = 100_000;

    @TempDir
    private Path folder;

    private Path write(MemorySegment elements) throws IOException {
        return Files.write(folder.resolve("in"), elements.toArray(ValueLayout.JAVA_BYTE));
    }

    private void assertOnly(String... names) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(names);
        }
    }

    /// Compares a permutation of the elements in the file with that of [Sorter#argsort], in parts and at once.
    private void check(MemorySegment elements, ElementType type, ElementType index, Order order, String name)
            throws IOException {
        try (Sorter sorter = SampleSort.onCpu().order(order).build(type)) {
            Path in = write(elements);
            Path out = folder.resolve("out");
            int count = (int) (elements.byteSize() / type.byteSize());
            MemorySegment expected = MemorySegment.ofArray(new byte[HEADER.length + count * index.byteSize()]);
            MemorySegment permutation =
                    MemorySegment.ofArray(new long[count]).asSlice(0, (long) count * index.byteSize());
            sorter.argsort(elements, permutation);
            MemorySegment.copy(MemorySegment.ofArray(HEADER), 0, expected, 0, HEADER.length);
            MemorySegment.copy(permutation, 0, expected, HEADER.length, permutation.byteSize());
            for (long memory : new long[] {MEMORY, 1L << 30}) {
                SortReport report = FileSort.with(sorter)
                        .memory(memory)
                        .argsort(FileColumn.of(in).to(out), index, HEADER);
                assertThat(MemorySegment.ofArray(Files.readAllBytes(out)).mismatch(expected))
                        .as("%s within %d bytes, %s", name, memory, REPLAY)
                        .isEqualTo(-1);
                assertThat(MemorySegment.ofArray(Files.readAllBytes(in)).mismatch(elements))
                        .as("the input, %s", REPLAY)
                        .isEqualTo(-1);
                assertThat(report.elementCount()).isEqualTo(count);
                assertThat(report.phases().stream()
                                .anyMatch(phase -> phase.name().equals("buckets")))
                        .isEqualTo(memory == MEMORY);
            }
        }
        assertOnly("in", "out");
    }

    @Test
    void permutationsOfNumbersEqualThoseInMemory() throws IOException {
        checkNumbers(
                KeyType.F64,
                List.of(
                        InputDistribution.UNIFORM,
                        InputDistribution.FEW_DISTINCT,
                        InputDistribution.SORTED,
                        InputDistribution.ORGAN_PIPE));
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            value = KeyType.class,
            names = {"U8", "I32", "F64"})
    void permutationsOfEveryDistributionEqualThoseInMemory(KeyType type) throws IOException {
        checkNumbers(type, List.of(InputDistribution.values()));
    }

    private void checkNumbers(KeyType type, List<InputDistribution> distributions) throws IOException {
        Order order = type.isUnsigned() ? Order.unsigned() : Order.natural().reversed();
        for (InputDistribution distribution : distributions) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment keys = arena.allocate(30_011L * type.byteSize(), 8);
                distribution.fillWithSpecials(keys, type, SEED);
                ElementType index = distribution.ordinal() % 2 == 0 ? ElementType.INT : ElementType.LONG;
                check(keys, ElementType.of(type.layout()), index, order, distribution + " " + type);
            }
        }
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("io.samplesort.files.FileSortTest#otherRecords")
    void permutationsOfOtherRecordsEqualThoseInMemory(RecordCase records) throws IOException {
        permutationsOfRecordsEqualThoseInMemory(records);
    }

    @ParameterizedTest
    @MethodSource("io.samplesort.files.FileSortTest#records")
    void permutationsOfRecordsEqualThoseInMemory(RecordCase records) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment elements = arena.allocate(20_003L * records.type().byteSize(), 16);
            records.fill(elements, new Random(SEED));
            check(elements, records.type(), ElementType.LONG, records.order(), records.name());
        }
    }

    @Test
    void progressAndReportTellWhatIsReadAndWritten() throws IOException {
        Path in = write(MemorySegment.ofArray(new Random(SEED).longs(20_000).toArray()));
        AtomicLong moved = new AtomicLong();
        AtomicLong planned = new AtomicLong();
        FileListener listener = new FileListener() {
            @Override
            public void planned(FilePlan plan) {
                planned.set(plan.movedBytes());
            }

            @Override
            public void moved(long movedBytes, long totalBytes) {
                moved.set(movedBytes);
            }
        };
        FileColumn column = FileColumn.of(in).to(folder.resolve("out"));
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            FileSort sort = FileSort.with(sorter).listener(listener);
            SortReport atOnce = sort.argsort(column, ElementType.INT, new byte[0]);
            assertThat(moved).hasValue(20_000 * (8 + 4)).hasValue(planned.get());
            assertThat(atOnce.stages())
                    .extracting(SortReport.Stage::bytes)
                    .containsExactly(160_000L, 240_000L, 80_000L);
            SortReport inParts = sort.memory(MEMORY).argsort(column, ElementType.INT, new byte[0]);
            assertThat(moved).hasValue(20_000 * (8 + 2 * 12 + 4)).hasValue(planned.get());
            assertThat(inParts.stages())
                    .extracting(SortReport.Stage::bytes)
                    .containsExactly(400_000L, 480_000L, 320_000L);
        }
    }

    @Test
    void whatCannotBeIsToldAndNothingIsChanged() throws IOException {
        Path in = write(MemorySegment.ofArray(new long[] {3, 1, 2}));
        byte[] before = Files.readAllBytes(in);
        Path out = folder.resolve("out");
        try (Sorter pairs =
                SampleSort.onCpu().stable().payload(ElementType.LONG).build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(pairs).argsort(in, out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("this sorter is for 1 payloads: an argsort takes a sorter without payloads");
        }
        Sorter closed = SampleSort.onCpu().build(ElementType.LONG);
        closed.close();
        assertThatThrownBy(() -> FileSort.with(closed).argsort(in, out))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            assertThatThrownBy(() ->
                            FileSort.with(sorter).argsort(FileColumn.of(in).to(out), ElementType.SHORT, new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a permutation has indexes of type INT or LONG");
            assertThatThrownBy(() -> FileSort.with(sorter).argsort(in, in))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the permutation would replace " + in);
            Path link = Files.createSymbolicLink(folder.resolve("link"), in);
            assertThatThrownBy(() -> FileSort.with(sorter).argsort(in, link))
                    .hasMessageContaining("the permutation would replace " + in);
            Files.delete(link);
        }
        assertThat(Files.readAllBytes(in)).isEqualTo(before);
        assertOnly("in");
    }

    @Test
    void aFileThatChangesMeanwhileHasNoPermutation() throws IOException {
        Path in = write(MemorySegment.ofArray(new Random(SEED).longs(20_000).toArray()));
        FileListener writer = new FileListener() {
            @Override
            public void planned(FilePlan plan) {
                try (RandomAccessFile file = new RandomAccessFile(in.toFile(), "rw")) {
                    file.setLength(150_000);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        };
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(sorter)
                            .memory(MEMORY)
                            .listener(writer)
                            .argsort(in, folder.resolve("out")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("was it truncated meanwhile?");
        }
        assertOnly("in");
    }

    @Test
    void moreElementsThanIntsCanCountAreRefused() throws IOException {
        Path in = folder.resolve("in");
        try (RandomAccessFile sparse = new RandomAccessFile(in.toFile(), "rw")) {
            sparse.setLength((1L << 31) + 1);
        }
        FileColumn column = FileColumn.of(in).to(folder.resolve("out"));
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.BYTE)) {
            assertThatThrownBy(() -> FileSort.with(sorter).argsort(column, ElementType.INT, new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has 2147483649 elements, too many for indexes of 4 bytes: use longs");
        }
        assertOnly("in");
    }
}
