package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.samplesort.spark.blocks.BlockType;
import io.samplesort.spark.files.RecordFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of records of one size.
class RecordFilesTest {
    @TempDir
    private Path folder;

    @Test
    void filesAreDividedBetweenRecords() throws IOException {
        byte[] records = new byte[7 * 10_001];
        new Random(3).nextBytes(records);
        Path file = Files.write(folder.resolve("records"), records);
        Path half = Files.write(folder.resolve("half"), new byte[15]);
        try (JavaSparkContext spark = LocalSpark.threads(
                // Splits that would end within a record.
                Map.of("spark.hadoop.mapreduce.input.fileinputformat.split.maxsize", "10000"))) {
            JavaRDD<byte[]> blocks = RecordFiles.read(spark, file.toString(), 7);
            assertThat(blocks.getNumPartitions()).isEqualTo(7);
            assertThat(blocks.collect())
                    .allSatisfy(block -> assertThat(block.length % 7).isZero());

            Path copy = folder.resolve("copy");
            RecordFiles.write(blocks.coalesce(1), copy.toString());
            assertThat(Files.readAllBytes(copy.resolve("part-r-00000"))).isEqualTo(records);
            assertThat(SortedBlocks.joined(blocks, BlockType.records(7, 0, 1))).isEqualTo(records);

            assertThatThrownBy(() -> RecordFiles.read(spark, half.toString(), 7).count())
                    .hasStackTraceContaining("does not hold whole records of 7 bytes: 1 bytes are left over");
        }
    }
}
