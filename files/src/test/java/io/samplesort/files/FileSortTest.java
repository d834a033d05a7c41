package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.files.types.FileColumn;
import io.samplesort.testkit.Fingerprint;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementCost;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.SortReport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files sorted in dozens of parts, compared with sorts of the same elements in memory.
class FileSortTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final String REPLAY = "replay with -Dtests.seed=" + SEED;

    /// Elements of a chunk, where a file is sorted in parts.
    private static final int CHUNK = 1000;

    @TempDir
    private Path folder;

    /// So much memory that a chunk has that many elements.
    private static long memory(Sorter sorter, int chunk) {
        ElementCost cost = sorter.elementCost(chunk);
        long bytes = (long) chunk * (3 * cost.elementBytes() + cost.nativeBytes() + cost.heapBytes());
        // Threads are counted, with no more than half of the memory.
        return bytes + Math.min(bytes, cost.threadBytes());
    }

    private Path write(String name, MemorySegment elements) throws IOException {
        return Files.write(folder.resolve(name), elements.toArray(ValueLayout.JAVA_BYTE));
    }

    private void assertNoLitter(int files) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).hasSize(files);
        }
    }

    /// Keys all different, few, in order and against it.
    @ParameterizedTest
    @EnumSource(names = {"UNIFORM", "FEW_DISTINCT", "SORTED", "ORGAN_PIPE"})
    void filesEqualSortsInMemory(InputDistribution distribution) throws IOException {
        checkFiles(KeyType.F64, List.of(distribution));
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @EnumSource(
            value = KeyType.class,
            names = {"U8", "I32", "U64", "F64"})
    void filesOfEveryDistributionEqualSortsInMemory(KeyType type) throws IOException {
        checkFiles(type, List.of(InputDistribution.values()));
    }

    private void checkFiles(KeyType type, List<InputDistribution> distributions) throws IOException {
        ElementType element = ElementType.of(type.layout());
        Order order = type.isUnsigned() ? Order.unsigned() : Order.natural();
        for (InputDistribution distribution : distributions) {
            try (Arena arena = Arena.ofConfined();
                    Sorter sorter = SampleSort.onCpu().order(order).build(element)) {
                MemorySegment keys = arena.allocate(30_011L * type.byteSize(), 8);
                distribution.fillWithSpecials(keys, type, SEED);
                Path in = write("in", keys);
                Path out = folder.resolve("out");
                SortReport report = FileSort.with(sorter)
                        .memory(memory(sorter, CHUNK))
                        .sort(FileColumn.of(in).to(out));
                assertThat(MemorySegment.ofArray(Files.readAllBytes(in)).mismatch(keys))
                        .as("the input, %s", REPLAY)
                        .isEqualTo(-1);
                sorter.sort(keys);
                assertThat(MemorySegment.ofArray(Files.readAllBytes(out)).mismatch(keys))
                        .as("%s %s, %s", distribution, type, REPLAY)
                        .isEqualTo(-1);
                assertThat(report.elementCount()).isEqualTo(30_011);
                assertThat(report.phases()).extracting(SortReport.Phase::name).containsExactly("runs", "buckets");
                assertThat(report.stages()).extracting(SortReport.Stage::name).containsExactly("read", "sort", "write");
                assertThat(report.stages())
                        .allSatisfy(stage -> assertThat(stage.bytes()).isEqualTo(2 * keys.byteSize()));
            }
        }
        assertNoLitter(2);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 1, 40 * CHUNK - 1, 40 * CHUNK + 1})
    void everySizeAroundTheChunks(int count) throws IOException {
        int headerBytes = 77;
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.INT)) {
            byte[] file = new byte[headerBytes + 4 * count];
            new Random(SEED).nextBytes(file);
            Path in = Files.write(folder.resolve("keys"), file);
            FileSort.with(sorter)
                    .memory(memory(sorter, CHUNK))
                    .sort(FileColumn.of(in).after(headerBytes));
            MemorySegment expected = MemorySegment.ofArray(new int[count]);
            MemorySegment.copy(MemorySegment.ofArray(file), headerBytes, expected, 0, 4L * count);
            sorter.sort(expected);
            MemorySegment.copy(expected, 0, MemorySegment.ofArray(file), headerBytes, 4L * count);
            assertThat(Files.readAllBytes(in)).as(REPLAY).isEqualTo(file);
        }
        assertNoLitter(1);
    }

    private static final List<String> FEW =
            List.of("nulls first, strings reversed", "sort benchmark", "custom numbers");

    /// Fields of several kinds, long records, and an order that only Java knows.
    static Stream<RecordCase> records() {
        return RecordCase.all().stream().filter(records -> FEW.contains(records.name()));
    }

    static Stream<RecordCase> otherRecords() {
        return RecordCase.all().stream().filter(records -> !FEW.contains(records.name()));
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @MethodSource("otherRecords")
    void otherRecordsEqualSortsInMemory(RecordCase records) throws IOException {
        recordsEqualSortsInMemory(records);
    }

    @ParameterizedTest
    @MethodSource("records")
    void recordsEqualSortsInMemory(RecordCase records) throws IOException {
        try (Arena arena = Arena.ofConfined();
                Sorter sorter =
                        SampleSort.onCpu().order(records.order()).stable().build(records.type())) {
            MemorySegment elements = arena.allocate(5003L * records.type().byteSize(), 16);
            records.fill(elements, new Random(SEED));
            Path file = write("records", elements);
            FileSort.with(sorter).memory(memory(sorter, 100)).sort(file);
            sorter.sort(elements);
            assertThat(MemorySegment.ofArray(Files.readAllBytes(file)).mismatch(elements))
                    .as("%s, %s", records.name(), REPLAY)
                    .isEqualTo(-1);
        }
        assertNoLitter(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void payloadsMoveAlong(boolean isStable) throws IOException {
        SorterBuilder builder = SampleSort.onCpu().payloads(ElementType.DOUBLE, ElementType.SHORT);
        if (isStable) {
            builder.stable();
        }
        try (Arena arena = Arena.ofConfined();
                Sorter sorter = builder.build(ElementType.INT)) {
            int count = 20_001;
            MemorySegment keys = arena.allocate(4L * count, 8);
            MemorySegment doubles = arena.allocate(8L * count, 8);
            MemorySegment shorts = arena.allocate(2L * count, 8);
            InputDistribution.ROOT_DUPLICATES.fill(keys, KeyType.I32, SEED);
            InputDistribution.UNIFORM.fill(doubles, KeyType.F64, SEED);
            InputDistribution.UNIFORM.fill(shorts, KeyType.I16, SEED);
            Path keyFile = write("keys", keys);
            Path doubleFile = write("doubles", doubles);
            Path shortFile = write("shorts", shorts);
            FileSort.with(sorter)
                    .memory(memory(sorter, CHUNK))
                    .temporaryFolder(Files.createDirectory(folder.resolve("temporary")))
                    .sort(
                            FileColumn.of(keyFile),
                            FileColumn.of(doubleFile).to(folder.resolve("moved")),
                            FileColumn.of(shortFile));
            sorter.sort(keys, doubles, shorts);
            // The CPU engine is stable with several payloads, so that all must be equal.
            assertThat(Files.readAllBytes(keyFile)).as(REPLAY).isEqualTo(keys.toArray(ValueLayout.JAVA_BYTE));
            assertThat(Files.readAllBytes(folder.resolve("moved")))
                    .as(REPLAY)
                    .isEqualTo(doubles.toArray(ValueLayout.JAVA_BYTE));
            assertThat(Files.readAllBytes(shortFile)).as(REPLAY).isEqualTo(shorts.toArray(ValueLayout.JAVA_BYTE));
        }
        assertNoLitter(5);
    }

    @Test
    void onePayloadThatIsSortedInPlaceMovesAlong() throws IOException {
        try (Arena arena = Arena.ofConfined();
                Sorter sorter = SampleSort.onCpu().payload(ElementType.LONG).build(ElementType.INT)) {
            MemorySegment keys = arena.allocate(4L * 30_000, 8);
            MemorySegment payloads = arena.allocate(8L * 30_000, 8);
            InputDistribution.FEW_DISTINCT.fill(keys, KeyType.I32, SEED);
            InputDistribution.UNIFORM.fill(payloads, KeyType.I64, SEED);
            Path keyFile = write("keys", keys);
            Path payloadFile = write("payloads", payloads);
            Fingerprint before = Fingerprint.of(keys, 4, payloads, 8);
            FileSort.with(sorter)
                    .memory(memory(sorter, CHUNK))
                    .sort(FileColumn.of(keyFile), FileColumn.of(payloadFile));
            MemorySegment sorted = MemorySegment.ofArray(Files.readAllBytes(keyFile));
            assertThat(Fingerprint.of(sorted, 4, MemorySegment.ofArray(Files.readAllBytes(payloadFile)), 8))
                    .as(REPLAY)
                    .isEqualTo(before);
            sorter.sort(keys, payloads);
            assertThat(sorted.mismatch(keys)).as(REPLAY).isEqualTo(-1);
        }
    }

    @Test
    void anOrderThatContradictsItselfKeepsEveryElement() throws IOException {
        Random random = new Random(SEED);
        Order order = Order.custom("a < b", (a, b) -> random.nextInt(3) - 1);
        try (Arena arena = Arena.ofConfined();
                Sorter sorter = SampleSort.onCpu().order(order).build(ElementType.LONG)) {
            MemorySegment keys = arena.allocate(8L * 30_000, 8);
            InputDistribution.UNIFORM.fill(keys, KeyType.I64, SEED);
            Path file = write("keys", keys);
            Fingerprint before = Fingerprint.of(keys, KeyType.I64);
            FileSort.with(sorter).memory(memory(sorter, CHUNK)).sort(file);
            assertThat(Fingerprint.of(MemorySegment.ofArray(Files.readAllBytes(file)), KeyType.I64))
                    .as(REPLAY)
                    .isEqualTo(before);
        }
        assertNoLitter(1);
    }
}
