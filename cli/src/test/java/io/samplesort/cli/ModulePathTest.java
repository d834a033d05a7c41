package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cli.InstalledCommand.Ended;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command runs as a module, which reaches only what other modules export.
class ModulePathTest {
    @TempDir
    Path folder;

    @Test
    void sortsAsAModule() throws Exception {
        assertThat(run("demo", "--count", "2^12", "--device", "cpu")).contains("yes");
        Path lines = Files.writeString(folder.resolve("lines"), "b\na\n");
        assertThat(run("lines", lines.toString())).isEqualTo("a\nb\n");
        assertThat(run("info")).contains("cache of kernels");
    }

    private static String run(String... arguments) throws Exception {
        String path = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                InstalledCommand.SHORT_RUNS,
                "--enable-native-access=io.samplesort,io.samplesort.cuda",
                "-p",
                path,
                "-m",
                "io.samplesort.cli/" + Main.class.getName()));
        command.addAll(List.of(arguments));
        Ended ended = InstalledCommand.run(new ProcessBuilder(command));
        assertThat(ended.exitCode()).as(ended.out() + ended.err()).isZero();
        return ended.out();
    }
}
