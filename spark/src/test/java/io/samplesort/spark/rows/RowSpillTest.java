package io.samplesort.spark.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.spark.LocalSpark;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sorts of rows for which Spark grants too little memory.
class RowSpillTest {
    private static final int COUNT = 80_003;

    private static final RowOrder ORDER = new RowOrder(
            DataTypes.createStructType(new StructField[] {
                DataTypes.createStructField("place", DataTypes.IntegerType, false),
                DataTypes.createStructField("name", DataTypes.StringType, true)
            }),
            List.of(new RowKey("name", 1, DataTypes.StringType, true, true)));

    @TempDir
    private static Path folder;

    private static JavaSparkContext spark;

    @BeforeAll
    static void start() {
        // Less than half of what all rows take.
        spark = LocalSpark.threads(Map.of(
                "spark.testing.memory", "6400000",
                "spark.testing.reservedMemory", "0",
                "spark.local.dir", folder.toString()));
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static UTF8String name(int place) {
        long number = new SplittableRandom(place).nextLong(3000);
        return number == 0 ? null : UTF8String.fromString("a name that many have " + number);
    }

    private static Iterator<InternalRow> rows(int count) {
        GenericInternalRow row = new GenericInternalRow(2);
        return IntStream.range(0, count)
                .<InternalRow>mapToObj(place -> {
                    row.update(0, place);
                    row.update(1, name(place));
                    return row;
                })
                .iterator();
    }

    /// Places of the rows in order: names descend, nulls come first, and equal names keep their order.
    private static List<Integer> expected(int count) {
        return IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(
                        RowSpillTest::name, Comparator.nullsFirst(Comparator.<UTF8String>reverseOrder())))
                .toList();
    }

    private static final class Spills implements RowMetrics {
        private final AtomicLong count = new AtomicLong();

        @Override
        public void spilled(long bytes) {
            count.incrementAndGet();
        }
    }

    /// What a task has found: places of rows, and how often it has spilled.
    private record Found(List<Integer> places, long spills) implements Serializable {}

    private interface Job extends Serializable {
        Found run(TaskContext task);
    }

    private static Found inTask(Job job) throws IOException {
        List<Found> found = spark.parallelize(List.of(0), 1)
                .map(ignored -> job.run(TaskContext.get()))
                .collect();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("samplesort-")))
                    .isEmpty();
        }
        return found.getFirst();
    }

    @Test
    void runsAreMergedStably() throws IOException {
        Found found = inTask(task -> {
            Spills spills = new Spills();
            List<Integer> places = new ArrayList<>();
            SortRows.sorted(rows(COUNT), ORDER, task, spills).forEachRemaining(row -> places.add(row.getInt(0)));
            return new Found(places, spills.count.get());
        });

        assertThat(found.places.equals(expected(COUNT))).isTrue();
        assertThat(found.spills).isPositive();
    }

    /// Blocks come from a shuffle in any order.
    @Test
    void blocksKeepTheOrderOfTheirOrigins() throws IOException {
        int blockRows = 1000;
        Found found = inTask(task -> {
            Spills spills = new Spills();
            List<RowBlock> blocks = new ArrayList<>();
            UnsafeProjection projection = UnsafeProjection.create(ORDER.type());
            RowBlockBuilder builder = new RowBlockBuilder(1 << 20);
            int row = 0;
            for (Iterator<InternalRow> rows = rows(COUNT); rows.hasNext(); row++) {
                builder.add(projection.apply(rows.next()));
                if (row % blockRows == blockRows - 1 || row == COUNT - 1) {
                    blocks.add((row / blockRows * 7919) % (blocks.size() + 1), builder.finish(row));
                }
            }
            List<Integer> places = new ArrayList<>();
            SortRows.sortedBlocks(blocks.iterator(), ORDER, task, spills)
                    .forEachRemaining(each -> places.add(each.getInt(0)));
            return new Found(places, spills.count.get());
        });

        assertThat(found.places.equals(expected(COUNT))).isTrue();
        assertThat(found.spills).isPositive();
    }

    /// The second sort of a task needs memory while the result of the first one is being read, as in a join.
    @Test
    void aSortMakesRoomForAnother() throws IOException {
        int first = 20_000;
        Found found = inTask(task -> {
            Spills spills = new Spills();
            Iterator<InternalRow> sorted = SortRows.sorted(rows(first), ORDER, task, spills);
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < 8000; i++) {
                places.add(sorted.next().getInt(0));
            }
            long before = spills.count.get();
            InternalRow next = sorted.next();
            Iterator<InternalRow> other = SortRows.sorted(rows(COUNT / 2), ORDER, task, RowMetrics.NONE);
            places.add(next.getInt(0));
            sorted.forEachRemaining(row -> places.add(row.getInt(0)));
            int others = 0;
            while (other.hasNext()) {
                other.next();
                others++;
            }
            return new Found(places, others == COUNT / 2 && before == 0 ? spills.count.get() : -1);
        });

        assertThat(found.places.equals(expected(first))).isTrue();
        assertThat(found.spills).isEqualTo(1);
    }

    @Test
    void hardlyAnyMemoryIsAnError() {
        GenericInternalRow row = new GenericInternalRow(2);
        row.update(0, 1);
        row.update(1, UTF8String.fromString("x".repeat(20_000_000)));
        assertThatThrownBy(() -> inTask(task -> {
                    SortRows.sorted(List.<InternalRow>of(row).iterator(), ORDER, task, RowMetrics.NONE);
                    return null;
                }))
                .hasMessageContaining("bytes of memory for the next 1 rows")
                .hasMessageContaining("spark.executor.memory");
    }
}
