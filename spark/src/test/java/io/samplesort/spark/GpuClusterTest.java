package io.samplesort.spark;

import static io.samplesort.spark.SortedBlocks.divided;
import static io.samplesort.spark.SortedBlocks.joined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.samplesort.emulator.Emulator;
import io.samplesort.spark.blocks.BlockType;
import io.samplesort.testkit.InputDistribution;
import io.samplesort.testkit.KeyType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Executors that have a GPU from Spark, found by a discovery script. It is the emulated one.
@Tag("emulated")
class GpuClusterTest {
    private static final int COUNT = 5000;

    @TempDir
    private static Path folder;

    /// Returns settings for executors that have a GPU, which two tasks share.
    private static Map<String, String> gpu(String driverLibrary) throws IOException {
        Path script = folder.resolve("discover");
        Files.writeString(script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\"0\"]}'\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> settings = new HashMap<>();
        settings.put("spark.worker.resource.gpu.amount", "1");
        settings.put("spark.worker.resource.gpu.discoveryScript", script.toString());
        settings.put("spark.executor.resource.gpu.amount", "1");
        settings.put("spark.executor.resource.gpu.discoveryScript", script.toString());
        settings.put("spark.task.resource.gpu.amount", "0.5");
        settings.put("spark.samplesort.device", "gpu");
        settings.put("spark.samplesort.deviceMemory", "64m");
        settings.put("spark.task.maxFailures", "1");
        settings.put(
                "spark.executor.extraJavaOptions",
                LocalSpark.SHORT_RUNS + " -Dsamplesort.cuda.library=" + driverLibrary + " -Dsamplesort.nvrtc.library="
                        + driverLibrary + " -Dsamplesort.cache=" + System.getProperty("samplesort.cache"));
        return settings;
    }

    private static String emulatedDriver() {
        Optional<String> reason = Emulator.unavailableReason();
        if (Boolean.parseBoolean(System.getenv("CI"))) {
            assertThat(reason).isEmpty();
        }
        assumeTrue(reason.isEmpty(), () -> reason.orElseThrow());
        Emulator.start();
        return System.getProperty("samplesort.cuda.library");
    }

    @Test
    void tasksSortOnTheGpuThatSparkGivesThem() throws IOException {
        BlockType<long[]> type = BlockType.longs();
        long[] keys = new long[COUNT];
        InputDistribution.UNIFORM.fill(MemorySegment.ofArray(keys), KeyType.I64, 5);
        try (JavaSparkContext spark = LocalSpark.executors(gpu(emulatedDriver()))) {
            JavaRDD<long[]> sorted = SampleSortSpark.sort(spark.parallelize(divided(keys, type, 1000), 2), type);
            Arrays.sort(keys);
            assertThat(Arrays.mismatch(joined(sorted, type), keys)).isEqualTo(-1);

            Dataset<Row> rows = SparkSession.builder()
                    .sparkContext(spark.sc())
                    .getOrCreate()
                    .range(0, COUNT, 1, 2)
                    .selectExpr("xxhash64(id) % 100 as key", "id");
            assertThat(SampleSortSpark.sort(rows, "key desc").collectAsList())
                    .isEqualTo(rows.sort(functions.col("key").desc(), functions.col("id"))
                            .collectAsList());
        }
    }
}
