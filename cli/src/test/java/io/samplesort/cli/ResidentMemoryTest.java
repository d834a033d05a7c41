package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// How much memory the command really takes: each runs in a process of its own, with the launcher's options of Java, on
/// a file of several times the memory that it may take.
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class ResidentMemoryTest extends CommandCase {
    private static final Path OPTIONS = Path.of("..", "scripts", "java-options");
    private static final long MEBIBYTE = 1 << 20;

    /// What Java may take in addition to `--memory`: its own code and classes, compiled code, what its compilers work
    /// with, and 8 MiB of short-lived objects.
    private static final long JAVA = 128;

    /// Runs the command and writes to a file how many KiB of memory it had at most.
    static final class Measured {
        public static void main(String[] arguments) throws IOException {
            String[] words = Arrays.copyOfRange(arguments, 1, arguments.length);
            int exitCode = Main.execute(Main.commandLine(words), words);
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmHWM:")) {
                    Files.writeString(Path.of(arguments[0]), line.split("\\s+")[1]);
                }
            }
            System.exit(exitCode);
        }
    }

    /// Runs the command and returns the most memory that it ever had, in mebibytes.
    private long peak(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + OPTIONS,
                "-XX:ActiveProcessorCount=2",
                "-cp",
                System.getProperty("java.class.path"),
                "--enable-native-access=ALL-UNNAMED",
                Measured.class.getName(),
                path("peak")));
        command.addAll(List.of(arguments));
        Path log = Path.of(path("log"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor())
                .as(() -> new String(readUnchecked(log), StandardCharsets.UTF_8))
                .isZero();
        return Long.parseLong(Files.readString(Path.of(path("peak")))) >> 10;
    }

    private static byte[] readUnchecked(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Of 100 MiB little more may be in memory than the rest of Java leaves.
    @Test
    void aSortTakesTheMemoryThatItIsGivenAndLittleMore() throws Exception {
        String in = path("in");
        assertThat(peak("generate", in, "--type", "u64", "--count", "13M"))
                .as("generate")
                .isBetween(1L, JAVA);
        long peak = peak("sort", in, "-o", path("out"), "--type", "u64", "--device", "cpu", "--memory", "4M", "--json");
        assertThat(peak).as("sort").isBetween(1L, 4 + JAVA);
        // A note about the little memory stands before it.
        String log = new String(read("log"), StandardCharsets.UTF_8);
        Object told = JSON.std.mapFrom(log.substring(log.indexOf('{'))).get("peakResidentBytes");
        assertThat(((Number) told).longValue() / MEBIBYTE).isCloseTo(peak, within(JAVA / 4));
    }
}
