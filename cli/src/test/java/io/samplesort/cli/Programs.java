package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Runs programs that a system may lack.
final class Programs {
    /// Some versions of GNU's sort skip this byte in numbers, as if it separated thousands.
    static final byte SKIPPED_IN_NUMBERS = (byte) 0x80;

    private static final int TIMEOUT_SECONDS = 300;

    private Programs() {}

    /// Skips a test whose program is not installed; in CI, it fails.
    static void require(String program) {
        boolean isThere = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        if (!isThere && Boolean.parseBoolean(System.getenv("CI"))) {
            fail(program + " is not installed, and CI needs it");
        }
        assumeThat(isThere).as(program).isTrue();
    }

    /// Runs a program, which must succeed and complain about nothing.
    ///
    /// @return what it printed
    static String run(Path folder, Path input, List<String> words) throws IOException, InterruptedException {
        Path err = Files.createTempFile("samplesort-test", ".err");
        Path out = Files.createTempFile("samplesort-test", ".out");
        try {
            Process process = new ProcessBuilder(words)
                    .directory(folder.toFile())
                    .redirectInput(input.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue() + Files.readString(err))
                    .as("%s", words)
                    .isEqualTo("0");
            return Files.readString(out);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
