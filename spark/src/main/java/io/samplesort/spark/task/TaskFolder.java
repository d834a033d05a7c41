package io.samplesort.spark.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.util.Utils;

/// A folder for the temporary files of a task, in one of Spark's own local folders.
public final class TaskFolder {
    private TaskFolder() {}

    /// Makes a folder that is removed with all its files when the task ends, however it ends.
    public static Path create(TaskContext task, SparkConf settings) throws IOException {
        Path folder = Files.createTempDirectory(Path.of(Utils.getLocalDir(settings)), "samplesort-");
        TaskEnd.then(task, () -> remove(folder));
        return folder;
    }

    /// Spark's own function starts a process to remove the files, and ends it at once if the thread was interrupted, as
    /// that of a killed task is.
    private static void remove(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            List<Path> innermostFirst = found.sorted(Comparator.reverseOrder()).toList();
            for (Path file : innermostFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
