package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.samplesort.cli.InstalledCommand.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command is told to end, at any moment from the first one on: it says nothing, and leaves nothing behind.
class SignalTest {
    private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
    private static final int ROUNDS = Integer.getInteger("tests.signals", 6);
    private static final int SIGINT_EXIT = 130;
    private static final int SIGTERM_EXIT = 143;

    @TempDir
    private Path folder;

    @Test
    void aSignalAtAnyMoment() throws Exception {
        checkSignals(ROUNDS);
    }

    @Tag("exhaustive")
    @Test
    void manySignals() throws Exception {
        checkSignals(8 * ROUNDS);
    }

    private void checkSignals(int rounds) throws Exception {
        assumeThat(Path.of("/usr/bin/env")).isExecutable();
        InstalledCommand command = InstalledCommand.shared();
        Path in = folder.resolve("in");
        Path out = folder.resolve("out");
        List<String> inParts = command.words(
                "sort",
                in.toString(),
                "-o",
                out.toString(),
                "--type",
                "u64",
                "--device",
                "cpu",
                "--quiet",
                "--memory",
                "1M");
        List<String> whole = inParts.subList(0, inParts.size() - 2);
        assertThat(command.run("generate", in.toString(), "--type", "u64", "--count", "300000")
                        .exitCode())
                .isZero();
        byte[] before = Files.readAllBytes(in);
        long start = System.nanoTime();
        assertThat(InstalledCommand.run(new ProcessBuilder(inParts)).err()).isEmpty();
        long wholeMillis = (System.nanoTime() - start) / 1_000_000;
        byte[] sorted = Files.readAllBytes(out);

        int beforeMain = 0;
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < rounds; round++) {
            Files.deleteIfExists(out);
            boolean isInterrupt = round % 2 == 0;
            // In turn within little memory and at once.
            List<String> sort = round % 3 == 2 ? whole : inParts;
            // Half of the moments lie in the first fifth, when Java and the command start.
            double moment = random.nextDouble() * wholeMillis * (round % 4 < 2 ? 0.2 : 1);
            String replay = (isInterrupt ? "SIGINT" : "SIGTERM") + " after " + moment + " of " + wholeMillis
                    + " ms, round " + round + "; replay with -Dtests.seed=" + SEED;
            Ended ended = signalled(sort, isInterrupt ? "INT" : "TERM", moment / 1000);
            boolean isBeforeMain = isBeforeMain(ended);
            beforeMain += isBeforeMain ? 1 : 0;
            if (!isBeforeMain) {
                assertThat(ended.exitCode()).as(replay + ended).isIn(0, isInterrupt ? SIGINT_EXIT : SIGTERM_EXIT);
                assertThat(ended.err() + ended.out()).as(replay).isEmpty();
            }
            assertThat(Files.readAllBytes(in)).as(replay).isEqualTo(before);
            boolean isDone = Files.exists(out);
            assertThat(isDone || ended.exitCode() != 0).as(replay).isTrue();
            assertThat(!isDone || Arrays.equals(Files.readAllBytes(out), sorted))
                    .as(replay)
                    .isTrue();
            assertOnly(replay, isDone ? List.of("in", "out") : List.of("in"));
        }
        assertThat(beforeMain).as("what Java said of itself").isLessThanOrEqualTo(Math.max(2, rounds / 4));
    }

    /// Returns whether Java fell over the signal while it was starting itself. It does in the few milliseconds between
    /// the handlers of its signals and its modules, and no program can change that. It says so on either stream.
    private static boolean isBeforeMain(Ended ended) {
        return ended.err().contains("logging failed")
                || (ended.out() + ended.err()).contains("Error occurred during initialization of VM");
    }

    /// Starts the command, sends it a signal and waits for its end. A shell that runs in the background, and whatever
    /// it runs, ignores SIGINT; `env` undoes that.
    private static Ended signalled(List<String> words, String signal, double seconds)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "bash",
                "-c",
                "signal=$1; delay=$2; shift 2; env --default-signal=INT,TERM \"$@\" & sleep \"$delay\";"
                        + " kill -\"$signal\" $! 2>/dev/null; wait $! 2>/dev/null",
                "bash",
                signal,
                String.valueOf(seconds));
        builder.command().addAll(words);
        return InstalledCommand.run(builder);
    }

    private void assertOnly(String replay, List<String> names) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as(replay)
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }
}
