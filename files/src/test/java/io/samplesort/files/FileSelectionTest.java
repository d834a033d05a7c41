package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.files.types.FileColumn;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The first and the last elements of files, compared with those of the same elements sorted in memory.
class FileSelectionTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final String REPLAY = "replay with -Dtests.seed=" + SEED;
    private static final int COUNT = 100_000;
    private static final long[] MANY = {0, 1, 2, 1000, 60_000, COUNT - 1, COUNT, COUNT + 7};
    private static final long[] FEW = {1, 1000, COUNT - 1};
    private static final byte[] HEADER = {7, 8, 9};

    @TempDir
    private Path folder;

    private Path write(byte... bytes) throws IOException {
        return Files.write(folder.resolve("in"), bytes);
    }

    private void assertOnly(String... names) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(names);
        }
    }

    /// Checks the first and last elements of a file within little memory and within much.
    ///
    /// @param least  memory that is enough for a thousand elements and a few, but not for all
    /// @param counts how many elements are wanted
    private void check(byte[] elements, ElementType type, Order order, long least, long[] counts, String name)
            throws IOException {
        Path in = write(elements);
        Path out = folder.resolve("out");
        int width = type.byteSize();
        byte[] sorted = elements.clone();
        SorterBuilder builder = SampleSort.onCpu().order(order);
        try (Sorter sorter = (type.isPrimitive() ? builder : builder.stable()).build(type)) {
            sorter.sort(MemorySegment.ofArray(sorted));
            for (long wanted : counts) {
                int bytes = (int) Math.min(wanted, COUNT) * width;
                for (long memory : wanted == 1000 ? new long[] {least, 1L << 30} : new long[] {1L << 30}) {
                    FileSort.with(sorter)
                            .memory(memory)
                            .first(wanted)
                            .sort(FileColumn.of(in).to(out));
                    assertSame(out, Arrays.copyOf(sorted, bytes), name, wanted);
                    FileSort.with(sorter)
                            .memory(memory)
                            .last(wanted)
                            .sort(FileColumn.of(in).to(out));
                    assertSame(out, Arrays.copyOfRange(sorted, sorted.length - bytes, sorted.length), name, wanted);
                }
            }
        }
        assertThat(in).hasBinaryContent(elements);
        assertOnly("in", "out");
    }

    private static void assertSame(Path out, byte[] expected, String name, long wanted) throws IOException {
        assertThat(Arrays.mismatch(Files.readAllBytes(out), expected))
                .as("%d elements of %s, %s", wanted, name, REPLAY)
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    void numbersOfEveryTypeInBothDirections(KeyType type) throws IOException {
        ElementType element = ElementType.of(type.layout());
        Order ascending = type.isUnsigned() ? Order.unsigned() : Order.natural();
        for (boolean isReversed : new boolean[] {false, true}) {
            InputDistribution distribution = isReversed ? InputDistribution.FEW_DISTINCT : InputDistribution.UNIFORM;
            Order order = isReversed ? ascending.reversed() : ascending;
            check(draw(distribution, type), element, order, 100_000, FEW, distribution + " " + type);
        }
    }

    private static byte[] draw(InputDistribution distribution, KeyType type) {
        MemorySegment elements = MemorySegment.ofArray(new byte[COUNT * type.byteSize()]);
        distribution.fill(elements, type, SEED);
        return elements.toArray(ValueLayout.JAVA_BYTE);
    }

    /// Sorted input brings a better element each time when the last ones are wanted.
    @Test
    void manyCountsOfSortedNumbers() throws IOException {
        byte[] sorted = draw(InputDistribution.SORTED, KeyType.I64);
        check(sorted, ElementType.LONG, Order.natural(), 100_000, MANY, "sorted longs");
    }

    /// Among random bits there are zeros of both signs and NaNs of all kinds.
    @Test
    void specialNumbers() throws IOException {
        byte[] bytes = new byte[COUNT * Double.BYTES];
        new Random(SEED).nextBytes(bytes);
        for (int i = 0; i < bytes.length; i += 64) {
            bytes[i + 7] |= 0x7f;
            bytes[i + 6] |= (byte) 0xf0;
            Arrays.fill(bytes, i + 8, i + 15, (byte) 0);
        }
        check(bytes, ElementType.DOUBLE, Order.natural(), 100_000, FEW, "special doubles");
        check(
                Arrays.copyOf(bytes, COUNT * Float.BYTES),
                ElementType.FLOAT,
                Order.natural().reversed(),
                100_000,
                FEW,
                "special floats");
    }

    @Test
    void equalRecordsKeepTheirOrder() throws IOException {
        ElementType type = ElementType.of(MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("key"), ValueLayout.JAVA_INT.withName("place")));
        MemorySegment records = MemorySegment.ofArray(new byte[COUNT * 8]);
        Random random = new Random(SEED);
        for (int i = 0; i < COUNT; i++) {
            records.set(ValueLayout.JAVA_INT_UNALIGNED, 8L * i, random.nextInt(200));
            records.set(ValueLayout.JAVA_INT_UNALIGNED, 8L * i + 4, i);
        }
        byte[] bytes = records.toArray(ValueLayout.JAVA_BYTE);
        check(bytes, type, Order.by("key"), 300_000, MANY, "records");
        check(bytes, type, Order.by("key").reversed(), 300_000, FEW, "reversed records");
    }

    @Test
    void theHeaderIsKeptOrReplaced() throws IOException {
        Path in = write((byte) 1, (byte) 2, (byte) 30, (byte) 20, (byte) 10);
        Path out = folder.resolve("out");
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.BYTE)) {
            FileColumn column = FileColumn.of(in).after(2).to(out);
            FileSort.with(sorter).first(2).sort(column);
            assertThat(out).hasBinaryContent(new byte[] {1, 2, 10, 20});
            FileSort.with(sorter).last(1).sort(column, HEADER);
            assertThat(out).hasBinaryContent(new byte[] {7, 8, 9, 30});
            FileSort.with(sorter).last(2).sort(FileColumn.of(in).after(2));
            assertThat(in).hasBinaryContent(new byte[] {1, 2, 20, 30});
        }
    }

    @Test
    void mistakesAreNamed() throws IOException {
        Path in = write(new byte[80_000]);
        Path out = folder.resolve("out");
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG);
                Sorter pairs = SampleSort.onCpu().payload(ElementType.INT).build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(sorter).first(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the first -1 elements: must not be negative");
            FileSort sort = FileSort.with(sorter).first(5000).memory(20_000);
            assertThatThrownBy(() -> sort.sort(FileColumn.of(in).to(out)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "memory of 20000 bytes is too little to hold 5000 elements of 8 bytes: give 180000 or more, or sort all");
            long enough = 4 * 5625 * 8;
            assertThat(sort.memory(enough).sort(FileColumn.of(in).to(out)).elementCount())
                    .isEqualTo(10_000);
            Files.delete(out);
            assertThatThrownBy(() -> sort.merge(List.of(in), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("merge with first: only a sort of one file");
            assertThatThrownBy(() -> sort.argsort(in, out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("argsort with first");
            FileColumn column = FileColumn.of(in).to(out);
            assertThatThrownBy(() -> FileSort.with(pairs).last(1).sort(column, column))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("payloads with last");
            assertThatThrownBy(() -> FileSort.with(sorter).sort(column, HEADER))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("it is for the first or last elements");
        }
        assertOnly("in");
    }
}
