package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.samplesort.cli.InstalledCommand.Ended;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher's script: names that are not ASCII, standard streams that are closed, and the archive of classes.
class LauncherTest {
    private static final String KEYS = "schlüssel-鍵-🗝";

    @TempDir
    private static Path installation;

    private static Path folder;
    private static InstalledCommand command;

    @TempDir
    private Path work;

    @BeforeAll
    static void install() throws IOException {
        assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
        folder = installation.resolve("größe");
        copy(InstalledCommand.shared().folder(), folder);
        command = InstalledCommand.at(folder);
    }

    @BeforeEach
    void restoreArchive() throws IOException {
        Files.copy(InstalledCommand.shared().archive(), command.archive(), StandardCopyOption.REPLACE_EXISTING);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(strings = {"TERM=dumb", "LANG=POSIX", "LC_CTYPE=C", "LC_ALL=C.UTF-8", "LC_ALL=xx_YY.UTF-8"})
    void otherLocalesKnowEveryName(String environment) throws Exception {
        everyLocaleKnowsEveryName(environment);
    }

    /// This one overrides what else the environment may say.
    @ParameterizedTest
    @ValueSource(strings = "LC_ALL=C")
    void everyLocaleKnowsEveryName(String environment) throws Exception {
        Path keys = work.resolve(KEYS);
        Files.write(keys, new byte[] {3, 1, 2});
        Ended sorted = command.runWith(List.of(environment), "sort", keys.toString(), "--type", "u8");
        assertThat(complaints(sorted)).isEmpty();
        assertThat(sorted.exitCode()).isZero();
        assertThat(Files.readAllBytes(keys)).containsExactly(1, 2, 3);
        Ended verified = command.runWith(List.of(environment), "verify", keys.toString(), "--type", "u8");
        assertThat(verified.out()).isEqualTo(keys + ": 3 u8 keys, sorted\n");
        Ended missing = command.runWith(List.of(environment), "sort", work + "/fehlt-ä", "--type", "u8");
        assertThat(complaints(missing)).isEqualTo("samplesort: " + work + "/fehlt-ä is not there");
    }

    @Test
    void aJdkIsLookedForWithoutAHome() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", DocumentsTest.ROOT + "/scripts/find-jdk");
        // No Java is in the path, so that all folders are looked at.
        builder.environment().clear();
        builder.environment().put("PATH", work.toString());
        assertThat(InstalledCommand.run(builder).err()).doesNotContain("unbound variable");
    }

    /// Returns what a process complained about, without what the shell itself says of a locale that is not there.
    private static String complaints(Ended ended) {
        return ended.err().lines().filter(line -> !line.contains("setlocale")).collect(Collectors.joining("\n"));
    }

    /// Runs a shell script in the folder of the test, in which `"$@"` is the command.
    private Ended shell(String script, List<String> words) throws Exception {
        List<String> shell = new ArrayList<>(List.of("bash", "-c", "cd '" + work + "'; " + script, "bash"));
        shell.addAll(words);
        return InstalledCommand.run(new ProcessBuilder(shell));
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void namesNeedBeNoText(String locale) throws Exception {
        String script = "export LC_ALL=" + locale + "; mkdir $'caf\\xe9'; cd $'caf\\xe9'; printf 'b\\na\\n' > $'\\xff';"
                + " \"$@\" lines $'\\xff' -o $'\\xe9\\xc3' && cat $'\\xe9\\xc3'";
        Ended ended = shell(script, command.words());
        assertThat(complaints(ended)).isEmpty();
        assertThat(ended.out()).isEqualTo("a\nb\n");
    }

    /// Java would open files of its own in the place of standard streams that are closed.
    @Test
    void streamsMayBeClosed() throws Exception {
        String script = "printf 'b\\na\\n' > in; \"$@\" lines in -o out <&- >&- 2>&-; echo $?; cat out;"
                + " \"$@\" lines <&-; echo $?; \"$@\" lines in >&-; echo $?; \"$@\" sort - --type u8 <&- ; echo $?";
        Ended ended = shell(script, command.words());
        String input = "samplesort: the standard input is closed: name a file, or send one (<) or the output of another"
                + " program (|) to it";
        assertThat(ended.out()).isEqualTo("0\na\nb\n2\n2\n1\n");
        assertThat(ended.err().lines())
                .containsExactly(
                        input,
                        "samplesort: the standard output is closed: name an output with -o, or send it to a file (>) or"
                                + " to another program (|)",
                        input);
    }

    @Test
    void streamsMayBeClosedWithoutTheLauncher() throws Exception {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xlog:disable",
                "-XX:SharedArchiveFile=" + command.archive(),
                "-jar",
                command.jar().toString());
        Ended ended = shell(
                "echo a > in; \"$@\" lines <&-; echo $?; \"$@\" lines nowhere -o out <&- >&- 2>&-; echo $?; ls", java);
        assertThat(ended.out()).isEqualTo("2\n2\nin\n");
        assertThat(ended.err())
                .startsWith("samplesort: the standard input is closed")
                .hasLineCount(1);
    }

    /// The exit code is that of trouble: of `lines -c` and `verify`, 1 means that something is out of order.
    @Test
    void aJavaThatDoesNotStartIsToldInOneSentence() throws Exception {
        String script = "ulimit -v 1500000; for name in lines verify sort; do \"$@\" $name in; echo $?; done;"
                + " ulimit -v unlimited 2> /dev/null; SAMPLESORT_JAVA_OPTIONS=-XX:Unknown \"$@\" lines -c in; echo $?";
        Ended ended = shell(script, command.words());
        assertThat(ended.out()).isEqualTo("2\n3\n1\n2\n");
        assertThat(ended.err().lines())
                .hasSize(4)
                .allMatch(line -> line.startsWith("samplesort: Java does not start: "));
    }

    @Test
    void startsFromTheArchiveOfItsClasses() throws Exception {
        assertThat(fromArchive(InstalledCommand.shared())).isGreaterThan(100);
        // It may be moved as a whole.
        assertThat(fromArchive(command)).isGreaterThan(100);
        assertQuiet(command);

        Path moved = work.resolve("moved");
        copy(folder, moved);
        InstalledCommand other = InstalledCommand.at(moved);
        // Jars that have changed since do not count on it.
        Files.setLastModifiedTime(moved.resolve("samplesort.jar"), FileTime.fromMillis(0));
        assertThat(fromArchive(other)).isZero();
        assertQuiet(other);
        // Nor does a Java with other options.
        startsWithOtherOptions("-XX:-UseSerialGC -XX:+UseZGC");
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @ValueSource(strings = {"-XX:-UseCompressedOops", "-XX:AOTCache=none", "-Xshare:off"})
    void startsWithOtherOptions(String options) throws Exception {
        Ended ended = command.runWith(List.of("SAMPLESORT_JAVA_OPTIONS=" + options), "--version");
        assertThat(ended.exitCode()).as(options + ended).isZero();
        assertThat(ended.out()).as(options).startsWith("samplesort ").hasLineCount(1);
    }

    @Test
    void theArchiveHasTheClassesOfTheParser() throws Exception {
        Ended ended = InstalledCommand.shared()
                .runWith(List.of("SAMPLESORT_JAVA_OPTIONS=-Xlog:class+load"), "lines", "--version");
        assertThat(ended.out().lines().filter(line -> line.contains(" picocli.")))
                .isNotEmpty()
                .allMatch(line -> line.contains("shared objects file (top)"));
    }

    /// Files of a few bytes, and where they stand on the command line.
    @Test
    void oneCompilerIsEnoughForSmallInputs() throws Exception {
        Files.write(work.resolve("small"), new byte[100]);
        try (FileChannel channel =
                FileChannel.open(work.resolve("large"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), 1L << 30);
        }
        String script = """
                set -euo pipefail
                source "$1/lib/launch.sh"
                cd "$2"
                is() { if reads_little "${@:2}"; then echo "$1 yes"; else echo "$1 no"; fi; }
                is 1 lines small </dev/null
                is 2 lines small large </dev/null
                is 3 lines -k 2,2 small -o large </dev/null
                is 4 lines -o small </dev/null
                is 5 lines <small
                is 6 lines - <large
                is 7 lines < <(cat small)
                is 8 lines small < <(cat small)
                is 9 sort large -o small </dev/null
                is 10 generate small --count 1000000 </dev/null
                is 11 </dev/null
                is 12 lines missing </dev/null
                """;
        Ended ended = InstalledCommand.run(
                new ProcessBuilder("bash", "-c", script, "bash", folder.toString(), work.toString()));
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out().lines())
                .containsExactly(
                        "1 yes", "2 no", "3 yes", "4 no", "5 yes", "6 no", "7 no", "8 yes", "9 no", "10 no", "11 no",
                        "12 no");
    }

    /// A head that is right is what Java believes most.
    @Test
    void aTruncatedArchiveIsIgnored() throws Exception {
        byte[] good = Files.readAllBytes(command.archive());
        assertIgnored(Arrays.copyOf(good, good.length / 2));
    }

    @Tag("exhaustive")
    @Test
    void aBadArchiveIsIgnored() throws Exception {
        Path archive = command.archive();
        // Java writes its own version into the head of an archive.
        byte[] foreign = Files.readAllBytes(archive);
        int version = new String(foreign, 0, 1000, StandardCharsets.ISO_8859_1).indexOf("OpenJDK");
        foreign[Math.max(0, version)] = 'X';
        assertIgnored(foreign);
        assertIgnored(new byte[0]);
        assertIgnored("garbage".repeat(100_000).getBytes(StandardCharsets.US_ASCII));
        Files.delete(archive);
        assertQuiet(command);
        Files.createDirectory(archive);
        assertQuiet(command);
        Files.delete(archive);
    }

    private static void assertIgnored(byte[] archive) throws Exception {
        Files.write(command.archive(), archive);
        assertThat(fromArchive(command)).isZero();
    }

    @Tag("exhaustive")
    @Test
    void archivesMayBeMadeAtTheSameTime() throws Exception {
        Files.delete(command.archive());
        int[] codes = new int[2];
        Thread[] makers = new Thread[codes.length];
        for (int i = 0; i < makers.length; i++) {
            int maker = i;
            makers[i] = new Thread(() -> {
                try {
                    codes[maker] = command.archiveClasses();
                } catch (IOException | InterruptedException e) {
                    codes[maker] = -1;
                }
            });
            makers[i].start();
        }
        for (Thread maker : makers) {
            maker.join();
        }
        assertThat(codes).containsOnly(0);
        assertThat(fromArchive(command)).isGreaterThan(100);
        Files.delete(command.archive());
        assertNoArchiveIsLeft();
    }

    /// A limit on the size of files stands for a full disk.
    @Test
    void anArchiveThatTheDiskHasNoRoomForIsNotMade() throws Exception {
        Files.delete(command.archive());
        Ended full = InstalledCommand.run(new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f 100; source \"$1/lib/launch.sh\"; archive_classes \"$2\" \"$1/samplesort.jar\" \"$1/lib/classes.jsa\"",
                "bash",
                folder.toString(),
                System.getProperty("java.home")));
        assertThat(full.exitCode()).isNotZero();
        assertThat(full.out() + full.err()).isEmpty();
        assertNoArchiveIsLeft();
    }

    private static void assertNoArchiveIsLeft() throws IOException {
        try (Stream<Path> left = Files.list(folder.resolve("lib"))) {
            assertThat(left).noneMatch(file -> file.toString().contains("classes.jsa"));
        }
    }

    private static long fromArchive(InstalledCommand command) throws Exception {
        Ended ended = command.runWith(List.of("SAMPLESORT_JAVA_OPTIONS=-Xlog:class+load"), "--version");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out().lines()).anyMatch(line -> line.startsWith("samplesort "));
        return ended.out()
                .lines()
                .filter(line -> line.contains("shared objects file (top)"))
                .count();
    }

    private static void assertQuiet(InstalledCommand command) throws Exception {
        Ended ended = command.run("--version");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).startsWith("samplesort ").hasLineCount(1);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
