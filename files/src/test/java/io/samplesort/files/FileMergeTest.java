package io.samplesort.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.files.types.FileColumn;
import io.samplesort.files.types.FileConversion;
import io.samplesort.files.types.FileListener;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Merges of sorted files, in one bucket and in hundreds, compared with sorts of all their elements by the JDK.
class FileMergeTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final String REPLAY = "replay with -Dtests.seed=" + SEED;

    /// So little that there are hundreds of buckets, and enough for a single one.
    private static final long[] MEMORIES = {3_000, 1 << 20, 1L << 30};

    private static final int COUNT = 20_000;

    @TempDir
    private Path folder;

    private final SplittableRandom random = new SplittableRandom(SEED);

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static byte[] bytes(ByteOrder order, long... elements) {
        ByteBuffer bytes = ByteBuffer.allocate(elements.length * Long.BYTES).order(order);
        bytes.asLongBuffer().put(elements);
        return bytes.array();
    }

    private static byte[] bytes(long... elements) {
        return bytes(ByteOrder.nativeOrder(), elements);
    }

    private void assertOnly(String... names) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(names);
        }
    }

    private static void assertSame(byte[] found, byte[] expected, String what) {
        assertThat(Arrays.mismatch(found, expected)).as("%s, %s", what, REPLAY).isEqualTo(-1);
    }

    /// Sorted longs, some of them often.
    private long[] drawSorted(int count) {
        return random.longs(count)
                .map(value -> random.nextInt(4) == 0 ? value >> 60 : value)
                .sorted()
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 40})
    void mergesNumbers(int files) throws IOException {
        for (long memory : MEMORIES) {
            List<Path> inputs = new ArrayList<>();
            LongStream all = LongStream.empty();
            for (int file = 0; file < files; file++) {
                // The first of several files is empty, and the others have different sizes.
                long[] sorted = drawSorted(file == 0 && files > 1 ? 0 : random.nextInt(2 * COUNT / files));
                inputs.add(write("in" + file, bytes(sorted)));
                all = LongStream.concat(all, Arrays.stream(sorted));
            }
            Path out = folder.resolve("out");
            byte[] expected = bytes(all.sorted().toArray());
            try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
                assertThat(FileSort.with(sorter)
                                .memory(memory)
                                .merge(inputs, out)
                                .elementCount())
                        .isEqualTo(expected.length / Long.BYTES);
            }
            assertSame(Files.readAllBytes(out), expected, files + " files within " + memory);
        }
    }

    @Test
    void aClosedSorterMergesNothing() throws IOException {
        Path in = write("in", bytes(1, 2));
        Sorter sorter = SampleSort.onCpu().build(ElementType.LONG);
        sorter.close();
        assertThatThrownBy(() -> FileSort.with(sorter).merge(List.of(in), folder.resolve("out")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertOnly("in");
    }

    @Test
    void equalRecordsComeInTheOrderOfTheirFiles() throws IOException {
        ElementType type = ElementType.of(MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("key"), ValueLayout.JAVA_INT.withName("origin")));
        int files = 5;
        List<long[]> all = new ArrayList<>();
        List<Path> inputs = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            int from = all.size();
            int count = random.nextInt(COUNT);
            int[] keys = random.ints(count, -20, 20).sorted().toArray();
            ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(ByteOrder.nativeOrder());
            for (int i = count - 1; i >= 0; i--) {
                all.add(new long[] {keys[i], from + count - 1 - i});
                bytes.putInt(keys[i]).putInt(from + count - 1 - i);
            }
            inputs.add(write("in" + file, bytes.array()));
        }
        ByteBuffer expected = ByteBuffer.allocate(8 * all.size()).order(ByteOrder.nativeOrder());
        all.stream()
                .sorted(Comparator.comparing((long[] record) -> -record[0]))
                .forEach(record -> expected.putInt((int) record[0]).putInt((int) record[1]));
        for (long memory : MEMORIES) {
            Path out = folder.resolve("out");
            try (Sorter sorter =
                    SampleSort.onCpu().order(Order.by("key").reversed()).build(type)) {
                FileSort.with(sorter).memory(memory).merge(inputs, out);
            }
            assertSame(Files.readAllBytes(out), expected.array(), "records within " + memory);
        }
    }

    @Test
    void headersAreSkippedAndElementsConverted() throws IOException {
        FileConversion bigEndian = new FileConversion() {
            @Override
            public void afterReading(MemorySegment elements) {
                for (long at = 0; at < elements.byteSize(); at += Long.BYTES) {
                    long element = elements.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
                    elements.set(ValueLayout.JAVA_LONG_UNALIGNED, at, Long.reverseBytes(element));
                }
            }

            @Override
            public void beforeWriting(MemorySegment elements) {
                afterReading(elements);
            }
        };
        long[] one = drawSorted(COUNT);
        long[] other = drawSorted(COUNT / 3);
        byte[] header = {1, 2, 3};
        Path out = folder.resolve("out");
        List<FileColumn> inputs = new ArrayList<>();
        for (long[] sorted : List.of(one, other)) {
            byte[] elements = bytes(ByteOrder.BIG_ENDIAN, sorted);
            byte[] file = ByteBuffer.allocate(5 + elements.length)
                    .put(new byte[] {9, 9, 9, 9, 9})
                    .put(elements)
                    .array();
            inputs.add(FileColumn.of(write("in" + inputs.size(), file))
                    .after(5)
                    .to(out)
                    .converted(bigEndian));
        }
        byte[] merged = bytes(
                ByteOrder.BIG_ENDIAN,
                LongStream.concat(Arrays.stream(one), Arrays.stream(other))
                        .sorted()
                        .toArray());
        byte[] expected =
                ByteBuffer.allocate(3 + merged.length).put(header).put(merged).array();
        for (long memory : MEMORIES) {
            try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
                FileSort.with(sorter).memory(memory).merge(inputs, header);
            }
            assertSame(Files.readAllBytes(out), expected, "big-endian numbers within " + memory);
        }
    }

    @Test
    void anInputThatIsNotInOrderIsNamedAndNothingIsChanged() throws IOException {
        byte[] old = {1, 2, 3};
        Path out = write("out", old);
        Path in = write("in", bytes(drawSorted(COUNT)));
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            for (long memory : MEMORIES) {
                for (int trial = 0; trial < 5; trial++) {
                    int index = trial == 0 ? 1 : trial == 1 ? COUNT - 1 : 1 + random.nextInt(COUNT - 1);
                    checkNamed(sorter, memory, COUNT, index, in, out);
                    assertThat(out).hasBinaryContent(old);
                }
            }
            // Each element is the first of a piece in one of these merges.
            for (int index = 1; index < 200; index++) {
                checkNamed(sorter, MEMORIES[0], 200, index, in, out);
            }
        }
        assertOnly("in", "out", "wrong");
    }

    /// Merges a file in which one element is out of order.
    private void checkNamed(Sorter sorter, long memory, int count, int index, Path in, Path out) throws IOException {
        long[] elements = LongStream.range(0, count).toArray();
        long swapped = elements[index];
        elements[index] = elements[index - 1];
        elements[index - 1] = swapped;
        Path wrong = write("wrong", bytes(elements));
        assertThatThrownBy(() -> FileSort.with(sorter).memory(memory).merge(List.of(in, wrong), out))
                .as("within %d, %s", memory, REPLAY)
                .isInstanceOf(IOException.class)
                .hasMessage(wrong + " is not in order: element " + index + ", counted from 0, belongs before element "
                        + (index - 1) + "; sort this file first, or name the order that it is in");
    }

    @Test
    void theResultMayReplaceAnInput() throws IOException {
        long[] one = drawSorted(COUNT);
        long[] other = drawSorted(COUNT);
        byte[] expected = bytes(LongStream.concat(Arrays.stream(one), Arrays.stream(other))
                .sorted()
                .toArray());
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            for (boolean overwrites : new boolean[] {false, true}) {
                Path first = write("one", bytes(one));
                Path second = write("other", bytes(other));
                FileSort merge = FileSort.with(sorter).memory(1 << 16);
                (overwrites ? merge.writeThrough() : merge).merge(List.of(first, second), second);
                assertSame(Files.readAllBytes(second), expected, "onto an input");
                assertThat(first).hasBinaryContent(bytes(one));
            }
        }
        assertOnly("one", "other");
    }

    @Test
    void theListenerIsToldHowFarTheMergeIs() throws IOException {
        Path in = write("in", bytes(drawSorted(COUNT)));
        Path out = folder.resolve("out");
        long[] last = new long[2];
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            FileSort.with(sorter)
                    .memory(1 << 16)
                    .listener(new FileListener() {
                        @Override
                        public void moved(long movedBytes, long totalBytes) {
                            assertThat(movedBytes).isGreaterThanOrEqualTo(last[0]);
                            last[0] = movedBytes;
                            last[1] = totalBytes;
                        }
                    })
                    .merge(List.of(in, in), out);
        }
        assertThat(last).containsExactly(4L * COUNT * Long.BYTES, 4L * COUNT * Long.BYTES);
    }

    @Test
    void anInputThatChangesMeanwhileEndsTheMerge() throws IOException {
        Path in = write("in", bytes(drawSorted(COUNT)));
        Path out = folder.resolve("out");
        boolean[] isDone = new boolean[1];
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG)) {
            FileSort merge = FileSort.with(sorter).memory(1 << 16).listener(new FileListener() {
                @Override
                public void moved(long movedBytes, long totalBytes) {
                    if (!isDone[0]) {
                        isDone[0] = true;
                        try {
                            Files.write(in, new byte[800], StandardOpenOption.TRUNCATE_EXISTING);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                }
            });
            assertThatThrownBy(() -> merge.merge(List.of(in, in), out)).isInstanceOf(IOException.class);
        }
        assertOnly("in");
    }

    @Test
    void mistakesAreNamedBeforeAnythingIsWritten() throws IOException {
        Path in = write("in", new byte[20]);
        Path out = folder.resolve("out");
        Path good = write("good", new byte[24]);
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.LONG);
                Sorter pairs =
                        SampleSort.onCpu().payload(ElementType.INT).stable().build(ElementType.LONG)) {
            assertThatThrownBy(() -> FileSort.with(sorter).merge(List.of(good, in), out))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in has 20 bytes of elements, which is not a multiple of 8");
            assertThatThrownBy(() -> FileSort.with(sorter).merge(List.of(good, folder.resolve("none")), out))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("none is not there");
            assertThatThrownBy(() -> FileSort.with(sorter).memory(20).merge(List.of(good), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("memory of 20 bytes is too little to merge 3 elements of 8 bytes: give ");
            Path large = write("large", bytes(LongStream.range(0, 1 << 18).toArray()));
            assertThatThrownBy(() -> FileSort.with(sorter).memory(64).merge(List.of(large, large), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(
                            "memory of 64 bytes is too little to merge 524288 elements of 8 bytes: give \\d+"
                                    + " or more");
            Files.delete(large);
            assertThatThrownBy(() -> FileSort.with(sorter).merge(List.of(), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("name at least one");
            assertThatThrownBy(() -> FileSort.with(sorter)
                            .merge(List.of(FileColumn.of(good).to(out), FileColumn.of(good)), new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("all inputs go to the same output");
            assertThatThrownBy(() -> FileSort.with(pairs).merge(List.of(good), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a merge takes a sorter without payloads");
        }
        assertOnly("in", "good");
    }

    @Test
    void filesOfNothingGiveNothing() throws IOException {
        Path empty = write("empty", new byte[0]);
        Path out = folder.resolve("out");
        try (Sorter sorter = SampleSort.onCpu().build(ElementType.DOUBLE)) {
            FileSort.with(sorter)
                    .merge(IntStream.range(0, 3).mapToObj(i -> empty).toList(), out);
        }
        assertThat(out).isEmptyFile();
    }
}
