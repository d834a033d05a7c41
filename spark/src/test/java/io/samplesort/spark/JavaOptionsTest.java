package io.samplesort.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Test;

/// The list of Java's options that the documents name is that of Spark.
class JavaOptionsTest {
    @Test
    void theListIsThatOfSpark() throws IOException {
        List<String> options = Files.readAllLines(Path.of("java-options")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertThat(options)
                .containsExactly(JavaModuleOptions.defaultModuleOptions().split(" +"));
    }
}
