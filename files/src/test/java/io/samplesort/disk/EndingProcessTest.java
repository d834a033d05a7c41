package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Temporary files in a process that is ending.
class EndingProcessTest {
    /// So long it waits for the hook that removes the files, which runs as soon as the process ends.
    private static final long MOST_NANOS = 60_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void noFileAppearsOnceTheOthersWereRemoved() throws Exception {
        assertThat(run("before")).contains("the process is ending").doesNotContain("\tat ");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void theFirstFileMayBeAskedForTooLate() throws Exception {
        assertThat(run("late")).contains("the process is ending").doesNotContain("\tat ");
        assertThat(folder).isEmptyDirectory();
    }

    private String run(String when) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName(),
                        folder.toString(),
                        when)
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    /// Ends, and makes temporary files meanwhile.
    static final class Ending {
        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            if (arguments[1].equals("before")) {
                TemporaryFile.create(folder, "first", false);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                long begin = System.nanoTime();
                try {
                    // The hook of the temporary files may run at the same time.
                    while (System.nanoTime() - begin < MOST_NANOS) {
                        TemporaryFile.create(folder, "other", false);
                    }
                } catch (IOException e) {
                    System.out.println(e.getMessage());
                }
            }));
        }
    }
}
