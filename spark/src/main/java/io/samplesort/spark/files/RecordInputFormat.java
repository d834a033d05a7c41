package io.samplesort.spark.files;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/// Divides files between records, and reads several megabytes of records at a time.
public final class RecordInputFormat extends FileInputFormat<NullWritable, BytesWritable> {
    static final String RECORD_BYTES = "samplesort.record.bytes";

    private static final int BLOCK_BYTES = 8 << 20;

    /// Hadoop makes one, and asks for the splits with the settings of the job.
    private int recordBytes = 1;

    /// For Hadoop, which makes one by reflection; [RecordFiles#read] uses it.
    public RecordInputFormat() {}

    @Override
    public List<InputSplit> getSplits(JobContext job) throws IOException {
        recordBytes = job.getConfiguration().getInt(RECORD_BYTES, 1);
        return super.getSplits(job);
    }

    /// Returns a size of whole records, so that a file is divided between records.
    @Override
    protected long computeSplitSize(long blockSize, long minSize, long maxSize) {
        long size = super.computeSplitSize(blockSize, minSize, maxSize);
        return Math.max(1, size / recordBytes) * recordBytes;
    }

    @Override
    public RecordReader<NullWritable, BytesWritable> createRecordReader(InputSplit split, TaskAttemptContext task) {
        return new BlockReader();
    }

    private static final class BlockReader extends RecordReader<NullWritable, BytesWritable> {
        private FSDataInputStream file;
        private long length;
        private long left;
        private int blockBytes;
        private BytesWritable block;

        @Override
        public void initialize(InputSplit split, TaskAttemptContext task) throws IOException {
            FileSplit part = (FileSplit) split;
            int recordBytes = task.getConfiguration().getInt(RECORD_BYTES, 1);
            length = part.getLength();
            if (length % recordBytes != 0) {
                throw new IOException(part.getPath() + " does not hold whole records of " + recordBytes + " bytes: "
                        + length % recordBytes + " bytes are left over");
            }
            left = length;
            blockBytes = Math.max(1, BLOCK_BYTES / recordBytes) * recordBytes;
            Path path = part.getPath();
            file = path.getFileSystem(task.getConfiguration()).open(path);
            file.seek(part.getStart());
        }

        @Override
        public boolean nextKeyValue() throws IOException {
            if (left == 0) {
                return false;
            }
            byte[] bytes = new byte[(int) Math.min(left, blockBytes)];
            file.readFully(bytes);
            left -= bytes.length;
            block = new BytesWritable(bytes);
            return true;
        }

        @Override
        public NullWritable getCurrentKey() {
            return NullWritable.get();
        }

        @Override
        public BytesWritable getCurrentValue() {
            return block;
        }

        @Override
        public float getProgress() {
            return length == 0 ? 1 : (float) (length - left) / length;
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }
}
