package io.samplesort.spark.terasort;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/// Checks folders of records.
///
/// @param spark reads the files
record Validation(JavaSparkContext spark) {
    /// The records that are found in a folder.
    ///
    /// @param count    how many records there are
    /// @param checksum the sum of their CRC-32
    /// @param disorder where the order is broken; empty if it is not
    record Found(long count, long checksum, String disorder) {}

    /// Checks that the records of a folder are in order, in each file and from one file to the next.
    ///
    /// @param input a folder that must have the same records; null for any
    /// @throws IllegalStateException if the records differ or are in another order
    Found validate(String folder, String input) throws IOException {
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
        return found;
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

    /// Returns the files of a folder with records, in the order of their names.
    List<FileStatus> list(String folder) throws IOException {
        Path path = new Path(folder);
        return Arrays.stream(path.getFileSystem(spark.hadoopConfiguration())
                        .listStatus(path, file -> file.getName().startsWith("part-")))
                .sorted(Comparator.comparing(FileStatus::getPath))
                .toList();
    }
}
