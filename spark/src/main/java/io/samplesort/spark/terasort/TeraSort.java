package io.samplesort.spark.terasort;

import io.samplesort.spark.BlockSort;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.files.RecordFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/// Generates, sorts and validates the records of the sort benchmark, for `spark-submit`:
///
/// ```
/// TeraSort generate RECORDS FOLDER [FILES]
/// TeraSort sort INPUT OUTPUT [FILES]
/// TeraSort validate FOLDER [INPUT]
/// TeraSort all RECORDS FOLDER
/// ```
///
/// `validate` checks the order in and between all files and, if it is told the input, that both have the same records.
/// `all` does all three in `FOLDER/input` and `FOLDER/output`.
public final class TeraSort {
    private static final int BLOCK_RECORDS = 50_000;

    private final JavaSparkContext spark;
    private final PrintStream out;

    /// @param out where results are printed
    TeraSort(JavaSparkContext spark, PrintStream out) {
        this.spark = spark;
        this.out = out;
    }

    /// What is found in a folder.
    ///
    /// @param count    how many records
    /// @param checksum the sum of their CRC-32
    /// @param disorder where the order is broken; empty if it is not
    record Found(long count, long checksum, String disorder) {}

    public static void main(String[] arguments) throws IOException {
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("TeraSort"))) {
            new TeraSort(spark, System.out).run(arguments);
        }
    }

    /// Does what the arguments say.
    ///
    /// @throws IllegalArgumentException if they say nothing that this program knows
    /// @throws IllegalStateException    if the files are not what they should be
    void run(String... arguments) throws IOException {
        List<String> words = Arrays.asList(arguments);
        int count = words.size();
        String task = count == 0 ? "" : words.getFirst();
        if (task.equals("generate") && (count == 3 || count == 4)) {
            generate(Long.parseLong(words.get(1)), words.get(2), files(words));
        } else if (task.equals("sort") && (count == 3 || count == 4)) {
            sort(words.get(1), words.get(2), count == 4 ? files(words) : 0);
        } else if (task.equals("validate") && (count == 2 || count == 3)) {
            validate(words.get(1), count == 3 ? words.get(2) : null);
        } else if (task.equals("all") && count == 3) {
            String folder = words.get(2);
            generate(Long.parseLong(words.get(1)), folder + "/input", files(words));
            sort(folder + "/input", folder + "/output", 0);
            validate(folder + "/output", folder + "/input");
        } else {
            throw new IllegalArgumentException("usage: TeraSort generate RECORDS FOLDER [FILES] | sort INPUT OUTPUT"
                    + " [FILES] | validate FOLDER [INPUT] | all RECORDS FOLDER");
        }
    }

    private int files(List<String> words) {
        return words.size() == 4 ? Integer.parseInt(words.get(3)) : spark.defaultParallelism();
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

    private void sort(String input, String output, int files) throws IOException {
        long begin = System.nanoTime();
        JavaRDD<byte[]> blocks = RecordFiles.read(spark, input, TeraRecords.RECORD_BYTES);
        BlockSort<byte[]> sort = BlockSort.of(BlockType.records(TeraRecords.RECORD_BYTES, 0, TeraRecords.KEY_BYTES));
        RecordFiles.write((files == 0 ? sort : sort.partitions(files)).sort(blocks), output);
        long bytes = list(output).stream().mapToLong(FileStatus::getLen).sum();
        tell("sorted", bytes / TeraRecords.RECORD_BYTES, begin);
    }

    private void validate(String folder, String input) throws IOException {
        long begin = System.nanoTime();
        Found found = summary(folder);
        if (!found.disorder.isEmpty()) {
            throw new IllegalStateException(found.disorder);
        }
        if (input != null) {
            Found before = summary(input);
            if (before.count != found.count || before.checksum != found.checksum) {
                throw new IllegalStateException(folder + " does not have the records of " + input + ": " + found.count
                        + " with checksum " + Long.toHexString(found.checksum) + ", and not " + before.count
                        + " with checksum " + Long.toHexString(before.checksum));
            }
        }
        tell("validated", found.count, begin);
        out.println("checksum " + Long.toHexString(found.checksum));
    }

    /// Reads all files of a folder, in the order of their names.
    private Found summary(String folder) throws IOException {
        List<String> files = list(folder).stream()
                .map(file -> file.getPath().toString())
                .sorted()
                .toList();
        if (files.isEmpty()) {
            return new Found(0, 0, "");
        }
        Broadcast<SerializableConfiguration> settings =
                spark.broadcast(new SerializableConfiguration(spark.hadoopConfiguration()));
        List<FileSummary> summaries = spark.parallelize(files, files.size())
                .map(file -> FileSummary.of(file, settings.value().value()))
                .collect();
        String disorder = "";
        FileSummary before = null;
        for (FileSummary summary : summaries) {
            if (disorder.isEmpty() && summary.disorder() >= 0) {
                disorder = summary.file() + ": record " + summary.disorder() + " comes before its predecessor";
            }
            if (summary.count() > 0) {
                if (disorder.isEmpty()
                        && before != null
                        && TeraRecords.compareKeys(before.last(), 0, summary.first(), 0) > 0) {
                    disorder = summary.file() + " begins before " + before.file() + " ends";
                }
                before = summary;
            }
        }
        return new Found(
                summaries.stream().mapToLong(FileSummary::count).sum(),
                summaries.stream().mapToLong(FileSummary::checksum).sum(),
                disorder);
    }

    private List<FileStatus> list(String folder) throws IOException {
        Path path = new Path(folder);
        return Arrays.stream(path.getFileSystem(spark.hadoopConfiguration())
                        .listStatus(path, file -> file.getName().startsWith("part-")))
                .sorted(Comparator.comparing(FileStatus::getPath))
                .toList();
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
    }
}
