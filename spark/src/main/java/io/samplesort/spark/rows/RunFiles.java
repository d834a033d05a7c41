package io.samplesort.spark.rows;

import io.samplesort.spark.task.TaskFolder;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;

/// The sorted runs of a task in temporary files, which are removed when the task ends, however it ends.
///
/// For each row, a file has its size (4 bytes), its origin (8 bytes) and the row itself.
final class RunFiles {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int ROWS_BETWEEN_CHECKS = 1 << 14;

    private final int fields;
    private final TaskContext task;
    private final SparkConf settings;
    private Path folder;
    private int count;

    RunFiles(int fields, TaskContext task, SparkConf settings) {
        this.fields = fields;
        this.task = task;
        this.settings = settings;
    }

    /// Writes the remaining rows of a run, and returns a run that reads them.
    FileRun write(RowRun run) throws IOException {
        if (folder == null) {
            folder = TaskFolder.create(task, settings);
        }
        Path file = folder.resolve("run-" + count++);
        long rows = 0;
        byte[] copied = new byte[BUFFER_BYTES];
        try (DataOutputStream target =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES))) {
            while (run.advance()) {
                if (++rows % ROWS_BETWEEN_CHECKS == 0) {
                    task.killTaskIfInterrupted();
                }
                target.writeInt(run.row().getSizeInBytes());
                target.writeLong(run.origin());
                run.row().writeToStream(target, copied);
            }
        }
        return new FileRun(file, fields, task);
    }
}
