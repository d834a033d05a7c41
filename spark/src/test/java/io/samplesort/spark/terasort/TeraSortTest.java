package io.samplesort.spark.terasort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example application, and that its validation finds what is wrong.
class TeraSortTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private JavaSparkContext spark;
    private TeraSort application;

    @BeforeEach
    void start() {
        spark = new JavaSparkContext(
                new SparkConf(false).setMaster("local[2]").setAppName("test").set("spark.ui.enabled", "false"));
        application = new TeraSort(spark, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void stop() {
        spark.stop();
    }

    @Test
    void generatesSortsAndValidates() throws IOException {
        application.run("all", "100003", folder.toString());
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("generated 100003 records", "sorted 100003 records", "validated 100003 records");

        String input = folder.resolve("input").toString();
        String output = folder.resolve("output").toString();
        assertThatThrownBy(() -> application.run("validate", input))
                .hasMessageContaining("comes before its predecessor");
        assertThatThrownBy(() -> application.run("generate", "5", input)).hasMessageContaining("already exists");

        Path first = folder.resolve("output/part-r-00000");
        byte[] records = Files.readAllBytes(first);
        byte[] changed = records.clone();
        changed[99] ^= 1;
        rewrite(first, changed);
        assertThatThrownBy(() -> application.run("validate", output, input))
                .hasMessageContaining("does not have the records of");

        rewrite(first, records);
        Files.move(first, folder.resolve("output/part-r-99999"));
        assertThatThrownBy(() -> application.run("validate", output)).hasMessageContaining("begins before");
        assertThatThrownBy(() -> application.run("sort")).hasMessageContaining("usage: ");
    }

    /// Each way is validated against the input, and tells of its stages.
    @Test
    void comparesThreeWays() throws IOException {
        application.run("compare", "20001", folder.toString());
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("blocks:", "rows:", "rows by spark:")
                .containsPattern("(?s)rows:.*sorted 20001 records.*  stage ");
        assertThat(printed.toString(StandardCharsets.UTF_8).split("validated 20001 records", -1))
                .hasSize(4);
        assertThat(folder.resolve("output")).doesNotExist();
        assertThatThrownBy(() -> application.run("compare", "7", folder.toString()))
                .hasMessageContaining("has 20001 records, and not 7");
    }

    /// Hadoop keeps checksums of local files in the same folder.
    private static void rewrite(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
    }
}
