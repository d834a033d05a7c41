package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Sorts of larger files, each in a process of its own that comes to a bad end.
@Timeout(1200)
class KilledSortTest extends CommandCase {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int KILLS = 8;
    private static final byte[] OLD = {1, 2, 3};

    private byte[] before;
    private byte[] sorted;

    @BeforeEach
    void makeInput() throws IOException {
        assertDone("generate", path("in"), "--type", "u64", "--count", "1000000");
        assertDone("sort", path("in"), "-o", path("expected"), "--type", "u64", "--device", "cpu");
        before = read("in");
        sorted = read("expected");
        Files.delete(Path.of(path("expected")));
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

    private boolean hasWritten() throws IOException {
        return hasWritten(Path.of(path("")));
    }

    private static boolean hasWritten(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(Path::toFile)
                    .anyMatch(file -> file.getName().endsWith(".samplesort") && file.length() > 0);
        }
    }

    private int temporaries() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(path("")))) {
            return (int) entries.filter(path -> path.toString().endsWith(".samplesort"))
                    .count();
        }
    }

    @Test
    void aKillLeavesOldOrNewFilesAndTheNextSortRemovesTheRest() throws Exception {
        long micros = timeOfWholeSort();
        Random random = new Random(SEED);
        int killed = 0;
        int withLeftovers = 0;
        for (int kill = 0; (killed < KILLS || withLeftovers < KILLS / 4) && kill < 5 * KILLS; kill++) {
            // In turn to a file that is not there, over an old one, and in place.
            String target = List.of("new", "old", "in").get(kill % 3);
            Files.deleteIfExists(Path.of(path("new")));
            Files.write(Path.of(path("old")), OLD);
            Files.write(Path.of(path("in")), before);
            Process process = start(sort("-o", path(target)));
            // A moment in each eighth of the time that a whole sort takes, and somewhat beyond.
            long delay = (long) ((kill % KILLS + random.nextDouble()) * 1.1 * micros / KILLS);
            boolean ended = process.waitFor(delay, TimeUnit.MICROSECONDS);
            process.destroyForcibly().waitFor();
            String moment = "killed after " + delay + " of " + micros + " µs; replay with -Dtests.seed=" + SEED;
            assertOldOrSorted(target, moment);

            int left = temporaries();
            killed += ended ? 0 : 1;
            withLeftovers += left > 0 ? 1 : 0;
            assertDone("sort", path("in"), "-o", path(target), "--type", "u64", "--device", "cpu");
            assertThat(err().lines().filter(line -> line.contains("removed ")))
                    .as(moment)
                    .hasSize(left);
            assertThat(temporaries()).as(moment).isZero();
            assertThat(read(target)).as(moment).isEqualTo(sorted);
            if (ended) {
                // The machine may have become several times as fast as when the first sort was timed.
                micros = timeOfWholeSort();
            }
        }
        assertThat(killed).as("sorts that were killed").isGreaterThanOrEqualTo(KILLS);
        assertThat(withLeftovers).as("sorts that left something").isGreaterThanOrEqualTo(KILLS / 4);
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
        Process other = start(sort("-o", path("new")));
        // It writes to the first of its files once it has made and locked them all.
        while (!hasWritten() && other.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(other.isAlive()).as(log()).isTrue();
        assertDone("sort", path("in"), "-o", path("new"), "--type", "u64", "--device", "cpu");
        assertThat(err()).doesNotContain("removed ");
        assertThat(other.waitFor()).as(log()).isZero();
        assertThat(read("new")).isEqualTo(sorted);
        assertThat(temporaries()).isZero();
    }

    @Test
    void cleanRemovesWhatNoLivingSortHolds() throws Exception {
        Path temporary = Files.createDirectory(Path.of(path("temporary")));
        Process process = start(sort("-o", path("new"), "--temp", temporary.toString()));
        while (!hasWritten(temporary) && process.isAlive()) {
            Thread.onSpinWait();
        }
        // A sort that stands still holds its files, and does not end before it is killed.
        new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                .start()
                .waitFor();
        assertDone("clean", temporary.toString(), path(""));
        assertThat(process.isAlive()).as(log()).isTrue();
        assertThat(out().lines().filter(line -> line.endsWith(", which a running sort uses")))
                .hasSize(2);
        assertThat(out()).endsWith("0 files removed, 0 bytes\n");

        process.destroyForcibly().waitFor();
        assertDone("clean", temporary.toString(), path(""));
        assertThat(out()).contains("2 files removed, ");
        assertThat(temporary).isEmptyDirectory();
        assertThat(temporaries()).isZero();
    }

    @Test
    void aTerminatedSortRemovesWhatItHasBegun() throws Exception {
        long micros = timeOfWholeSort();
        int terminated = 0;
        for (int attempt = 0; terminated < 3 && attempt < 15; attempt++) {
            Files.deleteIfExists(Path.of(path("new")));
            Process process = start(sort("-o", path("new")));
            boolean ended = process.waitFor((long) ((0.4 + 0.2 * terminated) * micros), TimeUnit.MICROSECONDS);
            if (!ended) {
                process.destroy();
                process.waitFor();
                terminated++;
            }
            assertThat(temporaries()).isZero();
            assertOldOrSorted("new", "terminated");
            if (ended) {
                micros = timeOfWholeSort();
            }
        }
        assertThat(terminated).as("sorts that were terminated").isEqualTo(3);
    }

    /// A limit on the size of files stands for a disk that becomes full: a write in the middle of a sort fails.
    @ParameterizedTest
    @ValueSource(strings = {"1M", "64M"})
    void aWriteThatFailsLeavesTheInput(String memory) throws Exception {
        List<String> limited = new ArrayList<>(List.of("bash", "-c", "ulimit -f 5000; exec \"$@\"", "bash"));
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
