package io.samplesort.spark.terasort;

import io.samplesort.spark.BlockSort;
import io.samplesort.spark.SampleSortSpark;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.files.RecordFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/// Generates, sorts and validates the records of the sort benchmark, for `spark-submit`:
///
/// ```
/// TeraSort generate RECORDS FOLDER [FILES]
/// TeraSort sort INPUT OUTPUT [FILES]
/// TeraSort validate FOLDER [INPUT]
/// TeraSort all RECORDS FOLDER
/// TeraSort compare RECORDS FOLDER [REPETITIONS]
/// ```
///
/// `validate` checks the order in and between all files and, if it is told the input, that both have the same records.
/// `all` does all three in `FOLDER/input` and `FOLDER/output`. `compare` generates the input unless it is there, and
/// sorts it in turns in three ways: as blocks, as rows by [SampleSortSpark#sort], and as rows by `Dataset.sort`. Each
/// sort reports, stage by stage, how its time was spent.
public final class TeraSort {
    private static final int BLOCK_RECORDS = 50_000;

    private final JavaSparkContext spark;
    private final PrintStream out;
    private final Validation validation;
    private final StageReport stages;

    /// @param out where results are printed
    TeraSort(JavaSparkContext spark, PrintStream out) {
        this.spark = spark;
        this.out = out;
        this.validation = new Validation(spark);
        this.stages = new StageReport(spark.sc());
    }

    /// How records are sorted.
    private enum Way {
        BLOCKS,
        ROWS,
        ROWS_BY_SPARK;

        JavaRDD<byte[]> sort(JavaSparkContext spark, JavaRDD<byte[]> blocks, int files) {
            return switch (this) {
                case BLOCKS -> {
                    BlockSort<byte[]> sort =
                            BlockSort.of(BlockType.records(TeraRecords.RECORD_BYTES, 0, TeraRecords.KEY_BYTES));
                    yield (files == 0 ? sort : sort.partitions(files)).sort(blocks);
                }
                case ROWS -> TeraRows.blocks(SampleSortSpark.sort(TeraRows.of(spark, blocks), "key"));
                case ROWS_BY_SPARK -> TeraRows.blocks(TeraRows.of(spark, blocks).sort("key"));
            };
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("TeraSort"))) {
            new TeraSort(spark, System.out).run(arguments);
        }
    }

    /// Does what the arguments say.
    ///
    /// @throws IllegalArgumentException if this program does not know them
    /// @throws IllegalStateException    if the files are not what they should be
    void run(String... arguments) throws IOException {
        List<String> words = Arrays.asList(arguments);
        int count = words.size();
        String task = count == 0 ? "" : words.getFirst();
        if (task.equals("generate") && (count == 3 || count == 4)) {
            generate(Long.parseLong(words.get(1)), words.get(2), number(words, spark.defaultParallelism()));
        } else if (task.equals("sort") && (count == 3 || count == 4)) {
            sort(Way.BLOCKS, words.get(1), words.get(2), number(words, 0));
        } else if (task.equals("validate") && (count == 2 || count == 3)) {
            validate(words.get(1), count == 3 ? words.get(2) : null);
        } else if (task.equals("all") && count == 3) {
            String folder = words.get(2);
            generate(Long.parseLong(words.get(1)), folder + "/input", spark.defaultParallelism());
            sort(Way.BLOCKS, folder + "/input", folder + "/output", 0);
            validate(folder + "/output", folder + "/input");
        } else if (task.equals("compare") && (count == 3 || count == 4)) {
            compare(Long.parseLong(words.get(1)), words.get(2), number(words, 1));
        } else {
            throw new IllegalArgumentException("usage: TeraSort generate RECORDS FOLDER [FILES] | sort INPUT OUTPUT"
                    + " [FILES] | validate FOLDER [INPUT] | all RECORDS FOLDER | compare RECORDS FOLDER"
                    + " [REPETITIONS]");
        }
    }

    private static int number(List<String> words, int otherwise) {
        return words.size() == 4 ? Integer.parseInt(words.get(3)) : otherwise;
    }

    private void generate(long records, String folder, int files) {
        long begin = System.nanoTime();
        JavaRDD<byte[]> blocks = spark.parallelize(
                        IntStream.range(0, files).boxed().toList(), files)
                .flatMap(file -> {
                    long from = part(records, file, files);
                    long to = part(records, file + 1, files);
                    return LongStream.iterate(from, first -> first < to, first -> first + BLOCK_RECORDS)
                            .mapToObj(first -> TeraRecords.block(first, (int) Math.min(BLOCK_RECORDS, to - first)))
                            .iterator();
                });
        RecordFiles.write(blocks, folder);
        tell("generated", records, begin);
    }

    private static long part(long records, int file, int files) {
        return records / files * file + Math.min(file, records % files);
    }

    private void sort(Way way, String input, String output, int files) throws IOException {
        long begin = System.nanoTime();
        JavaRDD<byte[]> blocks = RecordFiles.read(spark, input, TeraRecords.RECORD_BYTES);
        RecordFiles.write(way.sort(spark, blocks, files), output);
        tell("sorted", count(output), begin);
    }

    private long count(String folder) throws IOException {
        return validation.list(folder).stream().mapToLong(FileStatus::getLen).sum() / TeraRecords.RECORD_BYTES;
    }

    private void validate(String folder, String input) throws IOException {
        long begin = System.nanoTime();
        Validation.Found found = validation.validate(folder, input);
        tell("validated", found.count(), begin);
        out.println("checksum " + Long.toHexString(found.checksum()));
    }

    private void compare(long records, String folder, int repetitions) throws IOException {
        Path input = new Path(folder, "input");
        if (!input.getFileSystem(spark.hadoopConfiguration()).exists(input)) {
            generate(records, input.toString(), spark.defaultParallelism());
        }
        long found = count(input.toString());
        if (found != records) {
            throw new IllegalStateException(
                    input + " has " + found + " records, and not " + records + ": name another folder, or remove it");
        }
        for (int i = 0; i < repetitions; i++) {
            for (Way way : Way.values()) {
                Path output = new Path(folder, "output");
                out.println(way.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ":");
                sort(way, input.toString(), output.toString(), 0);
                validate(output.toString(), input.toString());
                output.getFileSystem(spark.hadoopConfiguration()).delete(output, true);
            }
        }
    }

    private void tell(String what, long records, long begin) {
        double seconds = (System.nanoTime() - begin) * 1e-9;
        out.printf(
                Locale.ROOT,
                "%s %d records in %.2f s, %.1f MB/s%n",
                what,
                records,
                seconds,
                records * TeraRecords.RECORD_BYTES * 1e-6 / seconds);
        stages.print(out);
    }
}
