package io.samplesort;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The snippets of docs/records.md, run. Each block of Java there stands here, word for word.
class RecordsTutorialTest {
    private final ElementType trade = ElementType.of(MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("price"),
            JAVA_INT.withName("id"),
            JAVA_BOOLEAN.withName("isOpen"),
            MemoryLayout.paddingLayout(3),
            MemoryLayout.sequenceLayout(16, JAVA_BYTE).withName("name")));

    @TempDir
    private Path folder;

    @Test
    void everySnippetOfTheTutorialStandsHere() throws IOException {
        Snippets.assertStandIn(RecordsTutorialTest.class, "docs/records.md", 7);
    }

    private MemorySegment trades(Arena arena, int count) {
        MemorySegment trades = arena.allocate((long) count * trade.byteSize(), 8);
        Random random = new Random(1);
        for (long at = 0; at < trades.byteSize(); at += trade.byteSize()) {
            trades.set(JAVA_DOUBLE, at, random.nextInt(100) / 4.0);
            trades.set(JAVA_INT, at + 8, random.nextInt());
            trades.set(JAVA_BYTE, at + 12, (byte) random.nextInt(2));
            trades.setString(at + 16, "trader " + random.nextInt(1000));
        }
        return trades;
    }

    @Test
    void sortsByFields() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment trades = trades(arena, 10_000);
            Order order = Order.by("price").reversed().thenBy("id");
            try (Sorter sorter = SampleSort.onBestDevice().order(order).build(trade)) {
                sorter.sort(trades);
            }
            assertThat(trades.get(JAVA_DOUBLE, 0)).isEqualTo(24.75);
            assertThat(trades.get(JAVA_DOUBLE, trades.byteSize() - trade.byteSize()))
                    .isEqualTo(0);
        }
    }

    @Test
    void sortsAFile() throws IOException {
        Path file = folder.resolve("trades.bin");
        Order order = Order.by("name");
        try (Arena arena = Arena.ofShared()) {
            Files.write(file, trades(arena, 5000).toArray(JAVA_BYTE));
        }
        try (Arena arena = Arena.ofShared();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                Sorter sorter = SampleSort.onBestDevice().order(order).build(trade)) {
            MemorySegment trades = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
            sorter.sort(trades);
            trades.force();
        }
        MemorySegment sorted = MemorySegment.ofArray(Files.readAllBytes(file));
        try (Sorter sorter = SampleSort.onCpu().order(order).build(trade)) {
            assertThat(sorter.isSorted(sorted)).isTrue();
        }
    }

    @Test
    void putsNullsLast() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment trades = trades(arena, 1000);
            Order order = Order.by("price").nullsLast("isOpen").thenBy("name").reversed();
            try (Sorter sorter = SampleSort.onBestDevice().order(order).build(trade)) {
                sorter.sort(trades);
            }
            assertThat(trades.get(JAVA_BYTE, 12)).isEqualTo((byte) 0);
        }
    }

    @Test
    void movesPayloadsAlong() {
        long[] times = new Random(2).longs(10_000, 0, 100).toArray();
        double[] values = new Random(3).doubles(times.length).toArray();
        byte[] flags = new byte[times.length];
        try (Sorter sorter = SampleSort.onBestDevice()
                .payloads(ElementType.DOUBLE, ElementType.BYTE)
                .stable()
                .build(ElementType.LONG)) {
            sorter.sort(MemorySegment.ofArray(times), MemorySegment.ofArray(values), MemorySegment.ofArray(flags));
        }
        assertThat(times).isSorted();
    }

    @Test
    void findsTheOrder() {
        double[] scores = new Random(4).doubles(10_000).toArray();
        int[] ids = new Random(5).ints(scores.length).toArray();
        int[] idsByScore = new int[ids.length];
        try (Sorter sorter = SampleSort.onBestDevice().build(ElementType.DOUBLE)) {
            int[] byScore = sorter.argsort(MemorySegment.ofArray(scores));
            Sorter.applyPermutation(
                    MemorySegment.ofArray(byScore),
                    ElementType.INT,
                    MemorySegment.ofArray(ids),
                    MemorySegment.ofArray(idsByScore));
            assertThat(idsByScore[0]).isEqualTo(ids[byScore[0]]);
        }
    }

    @Test
    void sortsByAnOrderOfOnesOwn() {
        ElementType box = ElementType.of(MemoryLayout.structLayout(
                JAVA_INT.withName("width"), JAVA_INT.withName("height"), JAVA_LONG.withName("id")));
        Order byArea = Order.custom(
                "(long long)a.width * a.height < (long long)b.width * b.height",
                Comparator.comparingLong(element -> (long) element.get(JAVA_INT, 0) * element.get(JAVA_INT, 4)));
        int[] boxes = {3, 4, 0, 0, 2, 5, 1, 0, 1, 1, 2, 0};
        try (Arena arena = Arena.ofShared();
                Sorter sorter = SampleSort.onBestDevice().order(byArea).build(box)) {
            MemorySegment elements = arena.allocate(boxes.length * 4L, 8).copyFrom(MemorySegment.ofArray(boxes));
            sorter.sort(elements);
            assertThat(elements.toArray(JAVA_INT)).containsExactly(1, 1, 2, 0, 2, 5, 1, 0, 3, 4, 0, 0);
        }
    }
}
