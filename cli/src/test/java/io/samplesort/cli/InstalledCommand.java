package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/// The command in a folder of its own, as the bundle has it, which real processes run through the launcher's script.
final class InstalledCommand {
    private static final String JAVA_HOME = System.getProperty("java.home");
    private static final int TIMEOUT_SECONDS = 300;

    /// A process that lives for a second gains nothing from what Java optimizes meanwhile.
    static final String SHORT_RUNS = "-XX:TieredStopAtLevel=1";

    /// The command that most tests share, or `null` before the first of them.
    private static InstalledCommand shared;

    private final Path folder;
    private final Path launcher;

    private InstalledCommand(Path folder) {
        this.folder = folder;
        this.launcher = folder.resolve("samplesort");
    }

    /// What a process printed on its two streams, and how it ended.
    record Ended(int exitCode, String out, String err) {}

    /// Puts the command into a folder.
    static InstalledCommand in(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("lib"));
        List<String> jars = new ArrayList<>();
        Path own = Path.of(
                Main.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        for (Path path : classPath()) {
            if (path.equals(own)) {
                continue;
            }
            boolean isFolder = Files.isDirectory(path);
            // The launcher knows some jars by their names.
            String name = isFolder ? jars.size() + ".jar" : path.getFileName().toString();
            Path jar = folder.resolve("lib").resolve(name);
            if (Files.exists(jar)) {
                continue;
            }
            if (isFolder) {
                jar(path, jar, new Manifest());
            } else {
                Files.copy(path, jar);
            }
            jars.add("lib/" + jar.getFileName());
        }
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        attributes.put(Attributes.Name.CLASS_PATH, String.join(" ", jars));
        attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
        jar(own, folder.resolve("samplesort.jar"), manifest);
        for (String name : List.of("launch.sh", "java-options")) {
            Files.copy(
                    DocumentsTest.ROOT.resolve("scripts").resolve(name),
                    folder.resolve("lib").resolve(name));
        }
        InstalledCommand command = new InstalledCommand(folder);
        Files.writeString(command.launcher, """
                #!/usr/bin/env bash
                set -euo pipefail
                home=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
                source "$home/lib/launch.sh"
                keep_streams
                use_utf8
                run_command '%s' "$home/samplesort.jar" "$home/lib/classes.jsa" -- "$@"
                """.formatted(JAVA_HOME));
        assertThat(command.launcher.toFile().setExecutable(true)).isTrue();
        return command;
    }

    /// Returns the command with its archive of classes, which all tests share and none changes. One process of the
    /// tests makes it while the others wait, and it stays until the classes change.
    static synchronized InstalledCommand shared() {
        try {
            if (shared == null) {
                Path build =
                        Files.createDirectories(Path.of("target", "installed").toAbsolutePath());
                try (FileChannel channel = FileChannel.open(
                                build.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock lock = channel.lock()) {
                    assertThat(lock.isValid()).isTrue();
                    shared = inBuild(build);
                }
            }
            return shared;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /// Returns the command that lies in the folder if it was made of these classes, or makes it.
    private static InstalledCommand inBuild(Path folder) throws IOException, InterruptedException {
        String classes = classes();
        Path madeOf = folder.resolve("classes");
        Path installed = folder.resolve("samplesort");
        if (Files.exists(madeOf) && Files.readString(madeOf).equals(classes)) {
            return at(installed);
        }
        Files.deleteIfExists(madeOf);
        if (Files.exists(installed)) {
            delete(installed);
        }
        InstalledCommand command = in(installed);
        assertThat(command.archiveClasses()).isZero();
        Files.writeString(madeOf, classes);
        return command;
    }

    /// Returns the folders and jars on the class path of this process, without the tests.
    private static List<Path> classPath() {
        return Stream.of(System.getProperty("java.class.path").split(System.getProperty("path.separator")))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(path -> !path.endsWith("test-classes") && Files.exists(path))
                .toList();
    }

    /// Returns all files that a command is made of, each with its size and the time of its last change.
    private static String classes() throws IOException {
        StringBuilder classes = new StringBuilder(System.getProperty("java.vm.version") + " " + JAVA_HOME + "\n");
        List<Path> roots = new ArrayList<>(List.of(DocumentsTest.ROOT.resolve("scripts")));
        roots.addAll(classPath());
        for (Path root : roots) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    classes.append(file)
                            .append(' ')
                            .append(Files.size(file))
                            .append(' ')
                            .append(Files.getLastModifiedTime(file))
                            .append('\n');
                }
            }
        }
        return classes.toString();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    /// Returns the command that lies in a folder already.
    static InstalledCommand at(Path folder) {
        return new InstalledCommand(folder);
    }

    private static void jar(Path classes, Path jar, Manifest manifest) throws IOException {
        manifest.getMainAttributes().putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            entries.setLevel(Deflater.NO_COMPRESSION);
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
    }

    /// Returns where it lies.
    Path folder() {
        return folder;
    }

    /// Returns the command's own jar, which names all others.
    Path jar() {
        return folder.resolve("samplesort.jar");
    }

    /// Returns the archive of classes, which need not exist.
    Path archive() {
        return folder.resolve("lib/classes.jsa");
    }

    /// Makes the archive of classes.
    ///
    /// @return the exit code
    int archiveClasses() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "bash",
                "-c",
                "source \"$1/lib/launch.sh\"; archive_classes \"$2\" \"$1/samplesort.jar\" \"$1/lib/classes.jsa\"",
                "bash",
                folder.toString(),
                JAVA_HOME);
        builder.environment().put("JDK_JAVA_OPTIONS", SHORT_RUNS);
        return run(builder).exitCode();
    }

    /// Returns the words that run the command.
    List<String> words(String... arguments) {
        return List.of(CommandCase.append(new String[] {launcher.toString()}, arguments));
    }

    /// Runs the command in this environment, whose entries are words such as `LC_ALL=C`, and nothing else.
    Ended runWith(List<String> environment, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("env", "-i"));
        words.addAll(environment);
        words.addAll(words(arguments));
        return run(new ProcessBuilder(words));
    }

    Ended run(String... arguments) throws IOException, InterruptedException {
        return run(new ProcessBuilder(words(arguments)));
    }

    static Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("samplesort-test", ".out");
        Path err = Files.createTempFile("samplesort-test", ".err");
        try {
            builder.environment().putIfAbsent("SAMPLESORT_JAVA_OPTIONS", SHORT_RUNS);
            Process process = builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), read(out), read(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
