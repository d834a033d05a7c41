package io.samplesort.spark.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.util.Utils;

/// A folder for the temporary files of a task, in one of Spark's own local folders.
public final class TaskFolder {
    private TaskFolder() {}

    /// Makes a folder that is removed with all its files when the task ends, however it ends.
    public static Path create(TaskContext task, SparkConf settings) throws IOException {
        Path folder = Files.createTempDirectory(Path.of(Utils.getLocalDir(settings)), "samplesort-");
        TaskEnd.then(task, () -> Utils.deleteRecursively(folder.toFile()));
        return folder;
    }
}
