package io.samplesort.spark.files;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/// Writes blocks one after the other, and nothing between them.
public final class RecordOutputFormat extends FileOutputFormat<NullWritable, BytesWritable> {
    /// For Hadoop, which makes one by reflection; [RecordFiles#write] uses it.
    public RecordOutputFormat() {}

    @Override
    public RecordWriter<NullWritable, BytesWritable> getRecordWriter(TaskAttemptContext task) throws IOException {
        Path path = getDefaultWorkFile(task, "");
        FSDataOutputStream file = path.getFileSystem(task.getConfiguration()).create(path, false);
        return new RecordWriter<>() {
            @Override
            public void write(NullWritable key, BytesWritable block) throws IOException {
                file.write(block.getBytes(), 0, block.getLength());
            }

            @Override
            public void close(TaskAttemptContext ended) throws IOException {
                file.close();
            }
        };
    }
}
