package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of larger files, each in a process of its own that comes to a bad end. Most come to it while half of their
/// result is written: payloads go to a pipe, which has no room for all of them and is not read.
@Timeout(1200)
class KilledSortTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int KILLS = 16;
    private static final byte[] OLD = {1, 2, 3};

    private byte[] before;
    private byte[] sorted;

    @BeforeEach
    void makeInput() throws IOException {
        assertDone("generate", path("in"), "--type", "u64", "--count", "300000");
        assertDone("sort", path("in"), "-o", path("expected"), "--type", "u64", "--device", "cpu");
        before = read("in");
        sorted = read("expected");
        Files.move(Path.of(path("expected")), Path.of(path("payloads")));
    }

    private Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Path.of(path("log")).toFile())
                .start();
    }

    private String[] sort(String... more) {
        List<String> command =
                new ArrayList<>(List.of(process("sort", path("in"), "--type", "u64", "--device", "cpu")));
        command.addAll(Arrays.asList(more));
        if (!command.contains("--memory")) {
            command.addAll(List.of("--memory", "1M"));
        }
        return command.toArray(String[]::new);
    }

    /// A sort that waits in the middle of its result.
    private record Halted(Process process, InputStream payloads) implements AutoCloseable {
        /// Kills it, whatever it is doing.
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly();
            payloads.close();
        }
    }

    /// Starts a sort and waits until it has written something to its result.
    private Halted halted(String... more) throws Exception {
        Path pipe = Path.of(path("pipe"));
        if (!Files.exists(pipe)) {
            assertThat(runProcess("mkfifo", pipe.toString())).isEqualTo("0\n");
        }
        String[] payloads = {"--payload-file", path("payloads"), "--payload", "u64", "--payload-output", path("pipe")};
        Process process = start(append(sort(more), payloads));
        // Opens when the sort does, or when the sort has ended without it.
        process.onExit().thenRun(() -> openAndClose(pipe));
        InputStream read = Files.newInputStream(pipe);
        if (read.read() < 0) {
            read.close();
            throw new AssertionError(log());
        }
        return new Halted(process, read);
    }

    private static void openAndClose(Path pipe) {
        try {
            // For reading and writing, so that it does not wait for anybody.
            FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int temporaries() throws IOException {
        return temporaries(Path.of(path("")));
    }

    private static int temporaries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return (int) entries.filter(path -> path.toString().endsWith(".samplesort"))
                    .count();
        }
    }

    /// To a file that is not there, over an old one, and in place.
    @ParameterizedTest
    @ValueSource(strings = {"new", "old", "in"})
    void aKillLeavesOldFilesAndTheNextSortRemovesTheRest(String target) throws Exception {
        Files.write(Path.of(path("old")), OLD);
        try (Halted sort = halted("-o", path(target))) {
            sort.kill();
        }
        assertThat(read("in")).isEqualTo(before);
        assertThat(read("old")).isEqualTo(OLD);
        assertThat(Path.of(path("new"))).doesNotExist();
        int left = temporaries();
        assertThat(left).isPositive();
        assertRemoves(target, left, "killed");
    }

    /// The next sort removes what a killed one has left, and says so.
    private void assertRemoves(String target, int left, String moment) throws IOException {
        assertDone("sort", path("in"), "-o", path(target), "--type", "u64", "--device", "cpu");
        assertThat(err().lines().filter(line -> line.contains("removed ")))
                .as(moment)
                .hasSize(left);
        assertThat(temporaries()).as(moment).isZero();
        assertThat(read(target)).as(moment).isEqualTo(sorted);
    }

    @Tag("exhaustive")
    @Test
    void aKillAtAnyMoment() throws Exception {
        long micros = timeOfWholeSort();
        Random random = new Random(SEED);
        int killed = 0;
        for (int kill = 0; killed < KILLS; kill++) {
            String target = List.of("new", "old", "in").get(kill % 3);
            Files.deleteIfExists(Path.of(path("new")));
            Files.write(Path.of(path("old")), OLD);
            Files.write(Path.of(path("in")), before);
            Process process = start(sort("-o", path(target)));
            // A moment in each eighth of the time that a whole sort takes, and somewhat beyond.
            long delay = (long) ((kill % 8 + random.nextDouble()) * 1.1 * micros / 8);
            boolean ended = process.waitFor(delay, TimeUnit.MICROSECONDS);
            process.destroyForcibly().waitFor();
            String moment = "killed after " + delay + " of " + micros + " µs; replay with -Dtests.seed=" + SEED;
            assertOldOrSorted(target, moment);
            assertRemoves(target, temporaries(), moment);
            killed += ended ? 0 : 1;
            if (ended) {
                // The machine may have become several times as fast as when the first sort was timed.
                micros = timeOfWholeSort();
            }
        }
    }

    private long timeOfWholeSort() throws Exception {
        Files.write(Path.of(path("in")), before);
        long began = System.nanoTime();
        Process whole = start(sort("-o", path("new")));
        assertThat(whole.waitFor()).as(log()).isZero();
        assertThat(read("new")).isEqualTo(sorted);
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    }

    private void assertOldOrSorted(String target, String moment) throws IOException {
        byte[] in = read("in");
        assertThat(Arrays.equals(in, before) || (target.equals("in") && Arrays.equals(in, sorted)))
                .as("the input, %s", moment)
                .isTrue();
        if (target.equals("old") || (target.equals("new") && Files.exists(Path.of(path("new"))))) {
            byte[] out = read(target);
            assertThat(Arrays.equals(out, sorted) || (target.equals("old") && Arrays.equals(out, OLD)))
                    .as("the output, %s", moment)
                    .isTrue();
        }
    }

    @Test
    void whatAnotherProcessIsWritingIsNoLeftover() throws Exception {
        try (Halted other = halted("-o", path("new"))) {
            assertThat(temporaries()).isPositive();
            assertDone("sort", path("in"), "-o", path("new"), "--type", "u64", "--device", "cpu");
            assertThat(err()).doesNotContain("removed ");
            Files.delete(Path.of(path("new")));
            other.payloads().readAllBytes();
            assertThat(other.process().waitFor()).as(log()).isZero();
        }
        assertThat(read("new")).isEqualTo(sorted);
        assertThat(temporaries()).isZero();
    }

    @Test
    void cleanRemovesWhatNoLivingSortHolds() throws Exception {
        Path temporary = Files.createDirectory(Path.of(path("temporary")));
        try (Halted sort = halted("-o", path("new"), "--temp", temporary.toString())) {
            int used = temporaries() + temporaries(temporary);
            assertThat(temporaries()).isPositive();
            assertThat(temporaries(temporary)).isPositive();
            assertDone("clean", temporary.toString(), path(""));
            assertThat(out().lines().filter(line -> line.endsWith(", which a running sort uses")))
                    .hasSize(used);
            assertThat(out()).endsWith("0 files removed, 0 bytes\n");

            sort.kill();
            assertDone("clean", temporary.toString(), path(""));
            assertThat(out()).contains(used + " files removed, ");
        }
        assertThat(temporary).isEmptyDirectory();
        assertThat(temporaries()).isZero();
    }

    @Test
    void aTerminatedSortRemovesWhatItHasBegun() throws Exception {
        try (Halted sort = halted("-o", path("new"))) {
            assertThat(temporaries()).isPositive();
            sort.process().destroy();
            assertThat(sort.process().waitFor()).isEqualTo(128 + 15);
        }
        assertThat(temporaries()).isZero();
        assertThat(Path.of(path("new"))).doesNotExist();
        assertThat(read("in")).isEqualTo(before);
    }

    /// A limit on the size of files stands for a disk that becomes full: a write in the middle of a sort fails.
    @ParameterizedTest
    @ValueSource(strings = {"1M", "64M"})
    void aWriteThatFailsLeavesTheInput(String memory) throws Exception {
        List<String> limited = new ArrayList<>(List.of("bash", "-c", "ulimit -f 1500; exec \"$@\"", "bash"));
        limited.addAll(List.of(sort("--memory", memory)));
        Process process = start(limited.toArray(String[]::new));
        assertThat(process.waitFor()).as(log()).isEqualTo(1);
        assertThat(log()).contains("cannot write ", "the input is as it was").doesNotContain("\tat ");
        assertThat(read("in")).isEqualTo(before);
        assertThat(temporaries()).isZero();
    }

    private String log() throws IOException {
        return new String(read("log"), StandardCharsets.UTF_8);
    }
}
