package io.samplesort.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.RecordCase;
import io.samplesort.SampleSort;
import io.samplesort.Sorter;
import io.samplesort.SorterBuilder;
import io.samplesort.testkit.KeyArrangement;
import io.samplesort.testkit.KeyShape;
import io.samplesort.testkit.KeyType;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Sorts what a trial says, and holds the result to that of the JDK's stable sort.
public final class TrialRun {
    private static final byte MARGIN = 0x5a;

    private final Trial trial;
    private final ElementType type;
    private final Order order;
    private final List<ElementType> payloadTypes;
    private final List<Column> columns = new ArrayList<>();

    /// Sorts columns of elements, keys first, through files.
    public interface FileWay {
        /// @param seed decides on what the trial says nothing of
        void sort(Sorter sorter, List<MemorySegment> columns, long seed) throws IOException;
    }

    /// The keys or one of the payloads, with what was there before the sort.
    private record Column(ElementType type, MemorySegment whole, MemorySegment elements, byte[] before) {}

    private TrialRun(Trial trial) {
        this.trial = trial;
        TrialType elements = trial.elements();
        this.type = elements.type();
        this.order = elements.order(trial.order());
        this.payloadTypes = trial.payloads().stream()
                .map(payload -> TrialType.parse(payload).type())
                .toList();
    }

    /// @param onGpu makes builders for trials on a GPU
    public static void check(Trial trial, Supplier<SorterBuilder> onGpu) throws IOException {
        check(trial, onGpu, (sorter, columns, seed) -> {
            throw new IllegalArgumentException("files are sorted by the tests of another module");
        });
    }

    /// @param onGpu  makes builders for trials on a GPU
    /// @param byFile runs trials of files
    public static void check(Trial trial, Supplier<SorterBuilder> onGpu, FileWay byFile) throws IOException {
        try (Arena shared = Arena.ofShared();
                Arena confined = Arena.ofConfined()) {
            new TrialRun(trial).run(trial.memory().equals("confined") ? confined : shared, onGpu, byFile);
        }
    }

    private void run(Arena arena, Supplier<SorterBuilder> onGpu, FileWay byFile) throws IOException {
        SplittableRandom random = new SplittableRandom(trial.seed());
        addColumn(arena, trial.type(), random);
        for (String payload : trial.payloads()) {
            addColumn(arena, payload, random);
        }
        MemorySegment keys = columns.getFirst().elements();
        int[] stableOrder = new RecordCase("", type, order).stableOrder(keys);
        boolean isOrdered = IntStream.range(0, stableOrder.length).allMatch(i -> stableOrder[i] == i);
        if (trial.engine().equals("tiny")) {
            TinyEngine engine = new TinyEngine(type, payloadTypes, order, trial.stable());
            switch (trial.operation()) {
                case "argsort" -> checkArgsort(arena, stableOrder, engine::argsort);
                default -> {
                    engine.sort(columns.stream().map(Column::elements).toList());
                    checkSorted(columns, stableOrder);
                }
            }
            return;
        }
        SorterBuilder builder = trial.engine().equals("gpu") ? onGpu.get() : SampleSort.onCpu();
        builder.order(order).payloads(payloadTypes.toArray(ElementType[]::new));
        try (Sorter sorter = (trial.stable() ? builder.stable() : builder).build(type)) {
            assertThat(sorter.isSorted(keys)).as("isSorted before").isEqualTo(isOrdered || isInOrder(keys));
            switch (trial.operation()) {
                case "argsort" -> checkArgsort(arena, stableOrder, sorter::argsort);
                case "copy" -> {
                    Column copy = column(arena, type, random);
                    sorter.sortedCopy(keys, copy.elements());
                    assertUnchanged(columns.getFirst());
                    checkSorted(
                            List.of(new Column(
                                    type,
                                    copy.whole(),
                                    copy.elements(),
                                    columns.getFirst().before())),
                            stableOrder);
                }
                case "file" -> {
                    byFile.sort(sorter, columns.stream().map(Column::elements).toList(), trial.seed());
                    checkSorted(columns, stableOrder);
                }
                default -> {
                    sorter.sort(
                            keys, columns.stream().skip(1).map(Column::elements).toArray(MemorySegment[]::new));
                    checkSorted(columns, stableOrder);
                    assertThat(sorter.isSorted(keys)).as("isSorted after").isTrue();
                }
            }
        }
    }

    private interface Argsort {
        void run(MemorySegment elements, MemorySegment permutation);
    }

    private void checkArgsort(Arena arena, int[] stableOrder, Argsort argsort) {
        boolean isLong = trial.seed() % 2 == 0;
        MemorySegment permutation = arena.allocate((isLong ? 8L : 4L) * trial.size(), 8);
        argsort.run(columns.getFirst().elements(), permutation);
        assertUnchanged(columns.getFirst());
        int[] found = isLong
                ? Arrays.stream(permutation.toArray(ValueLayout.JAVA_LONG))
                        .mapToInt(Math::toIntExact)
                        .toArray()
                : permutation.toArray(ValueLayout.JAVA_INT);
        assertThat(found).as("permutation").isEqualTo(stableOrder);
    }

    private void checkSorted(List<Column> sorted, int[] stableOrder) {
        for (Column column : sorted) {
            assertMargins(column);
        }
        List<byte[]> expected = new ArrayList<>();
        List<byte[]> actual = new ArrayList<>();
        for (Column column : sorted) {
            int bytes = column.type().byteSize();
            MemorySegment before = MemorySegment.ofArray(column.before());
            expected.add(RecordCase.gathered(before, bytes, stableOrder));
            actual.add(column.elements().toArray(ValueLayout.JAVA_BYTE));
        }
        if (trial.stable()) {
            for (int i = 0; i < expected.size(); i++) {
                assertThat(actual.get(i)).as("column %d", i).isEqualTo(expected.get(i));
            }
            return;
        }
        assertThat(isInOrder(sorted.getFirst().elements())).as("in order").isTrue();
        assertThat(rows(actual, sorted)).as("elements with their payloads").isDeepEqualTo(rows(expected, sorted));
    }

    /// Returns the rows of all columns in an order of their bytes.
    private byte[][] rows(List<byte[]> contents, List<Column> of) {
        List<byte[]> rows = new ArrayList<>();
        for (int row = 0; row < trial.size(); row++) {
            byte[] joined = {};
            for (int i = 0; i < of.size(); i++) {
                int bytes = of.get(i).type().byteSize();
                int end = joined.length;
                joined = Arrays.copyOf(joined, end + bytes);
                System.arraycopy(contents.get(i), row * bytes, joined, end, bytes);
            }
            rows.add(joined);
        }
        rows.sort(Arrays::compare);
        return rows.toArray(byte[][]::new);
    }

    private boolean isInOrder(MemorySegment elements) {
        Comparator<MemorySegment> comparator = order.toComparator(type);
        int bytes = type.byteSize();
        return IntStream.range(1, trial.size())
                .allMatch(i -> comparator.compare(
                                elements.asSlice((i - 1L) * bytes, bytes), elements.asSlice((long) i * bytes, bytes))
                        <= 0);
    }

    private static void assertUnchanged(Column column) {
        assertThat(column.elements().toArray(ValueLayout.JAVA_BYTE))
                .as("the source")
                .isEqualTo(column.before());
        assertMargins(column);
    }

    private static void assertMargins(Column column) {
        long elements = column.elements().byteSize();
        long margin = (column.whole().byteSize() - elements) / 2;
        for (long at = 0; at < margin; at++) {
            assertThat(column.whole().get(ValueLayout.JAVA_BYTE, at)).isEqualTo(MARGIN);
            assertThat(column.whole().get(ValueLayout.JAVA_BYTE, margin + elements + at))
                    .isEqualTo(MARGIN);
        }
    }

    private void addColumn(Arena arena, String text, SplittableRandom random) throws IOException {
        TrialType columnType = TrialType.parse(text);
        Column column = column(arena, columnType.type(), random);
        columnType.fill(column.elements(), trial.values(), random);
        if (columns.isEmpty()) {
            giveShape(column.elements(), random);
        }
        columns.add(new Column(
                column.type(),
                column.whole(),
                column.elements(),
                column.elements().toArray(ValueLayout.JAVA_BYTE)));
    }

    private void giveShape(MemorySegment keys, SplittableRandom random) {
        if (trial.shape().equals("random")) {
            return;
        }
        if (trial.shape().contains("/")) {
            String[] names = trial.shape().split("/");
            KeyShape.valueOf(names[0])
                    .fill(keys, KeyType.parse(trial.type()), KeyArrangement.valueOf(names[1]), trial.seed());
            return;
        }
        int[] indexes = new RecordCase("", type, order).stableOrder(keys);
        if (trial.shape().equals("reversed")) {
            int[] sorted = indexes.clone();
            for (int i = 0; i < indexes.length; i++) {
                indexes[i] = sorted[indexes.length - 1 - i];
            }
        }
        for (int i = 0; trial.shape().equals("nearly") && i < 3 && indexes.length > 0; i++) {
            int from = random.nextInt(indexes.length);
            int to = random.nextInt(indexes.length);
            int moved = indexes[from];
            indexes[from] = indexes[to];
            indexes[to] = moved;
        }
        keys.copyFrom(MemorySegment.ofArray(RecordCase.gathered(keys, type.byteSize(), indexes)));
    }

    private Column column(Arena arena, ElementType of, SplittableRandom random) throws IOException {
        long margin = (long) trial.margin() * of.byteSize();
        long bytes = (long) trial.size() * of.byteSize();
        MemorySegment whole = memory(arena, of, bytes + 2 * margin);
        whole.fill(MARGIN);
        return new Column(of, whole, whole.asSlice(margin, bytes), new byte[0]);
    }

    private MemorySegment memory(Arena arena, ElementType of, long bytes) throws IOException {
        return switch (trial.memory()) {
            case "heap" -> heap(of, bytes);
            case "mapped" -> {
                Path file = Files.createTempFile("trial", ".bin");
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    yield channel.map(FileChannel.MapMode.READ_WRITE, 0, Math.max(1, bytes), arena)
                            .asSlice(0, bytes);
                } finally {
                    Files.delete(file);
                }
            }
            case "bytes" ->
                MemorySegment.ofArray(new byte[Math.toIntExact(bytes) + 1]).asSlice(1);
            case "shifted" -> heap(of, bytes + of.byteSize()).asSlice(1, bytes);
            case "odd" -> arena.allocate(bytes + 1, 8).asSlice(1);
            default -> arena.allocate(bytes, 8);
        };
    }

    /// Returns an array of the type itself, or of longs where there is none.
    private static MemorySegment heap(ElementType of, long bytes) {
        int count = Math.toIntExact(bytes / of.byteSize());
        if (of.layout() instanceof ValueLayout value) {
            return switch (value) {
                case ValueLayout.OfByte v -> MemorySegment.ofArray(new byte[count]);
                case ValueLayout.OfShort v -> MemorySegment.ofArray(new short[count]);
                case ValueLayout.OfChar v -> MemorySegment.ofArray(new char[count]);
                case ValueLayout.OfInt v -> MemorySegment.ofArray(new int[count]);
                case ValueLayout.OfFloat v -> MemorySegment.ofArray(new float[count]);
                case ValueLayout.OfDouble v -> MemorySegment.ofArray(new double[count]);
                default -> MemorySegment.ofArray(new long[count]);
            };
        }
        return MemorySegment.ofArray(new long[Math.toIntExact((bytes + 7) / 8)]).asSlice(0, bytes);
    }
}
