package io.samplesort.spark.files;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/// Reads and writes files that hold nothing but records of one size, one after the other. They are read and written as
/// blocks: arrays of bytes with many records each.
///
/// ```java
/// JavaRDD<byte[]> blocks = RecordFiles.read(spark, "hdfs:///input", 100);
/// RecordFiles.write(SampleSortSpark.sort(blocks, BlockType.records(100, 0, 10)), "hdfs:///output");
/// ```
public final class RecordFiles {
    private RecordFiles() {}

    /// Returns the blocks of a file, or of all files in a folder. Nothing is read before the result is used.
    ///
    /// @param path        the path, in any file system that Spark knows
    /// @param recordBytes how many bytes a record has. A task fails if a file does not hold whole records.
    /// @throws IllegalArgumentException if `recordBytes` is not positive
    public static JavaRDD<byte[]> read(JavaSparkContext spark, String path, int recordBytes) {
        if (recordBytes <= 0) {
            throw new IllegalArgumentException("records of " + recordBytes + " bytes: must be positive");
        }
        Configuration settings = new Configuration(spark.hadoopConfiguration());
        settings.setInt(RecordInputFormat.RECORD_BYTES, recordBytes);
        return spark.newAPIHadoopFile(path, RecordInputFormat.class, NullWritable.class, BytesWritable.class, settings)
                .map(pair -> pair._2().getBytes());
    }

    /// Writes each partition to a file of its own, `part-r-00000` and so on, in a new folder. A file appears when its
    /// task has succeeded, whether Spark has repeated the task or not.
    ///
    /// @throws RuntimeException if the folder exists already, or cannot be written
    public static void write(JavaRDD<byte[]> blocks, String folder) {
        blocks.mapToPair(block -> new Tuple2<>(NullWritable.get(), new BytesWritable(block)))
                .saveAsNewAPIHadoopFile(folder, NullWritable.class, BytesWritable.class, RecordOutputFormat.class);
    }
}
