package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `setup` on a machine without NVRTC, with a Maven that copies a small jar.
class SetupCommandTest extends CommandCase {
    private Path cache;
    private Path bin;

    @BeforeEach
    void prepare() throws IOException {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        cache = Path.of(path("cache"));
        bin = Files.createDirectory(Path.of(path("bin")));
    }

    @Test
    void mavenFetchesAndTheLibrariesAreUnpacked() throws Exception {
        maven("for word in \"$@\"; do\n"
                + "    case $word in -DoutputDirectory=*) cp " + jar(true) + " \"${word#*=}/redist.jar\" ;; esac\n"
                + "done\n"
                + "echo \"$@\" >" + path("called"));
        assertThat(setup("--yes"))
                .startsWith("0\n")
                .contains("fetching org.bytedeco:cuda-redist:", ", 380 MB")
                .contains("NVRTC is here now: " + cache.resolve("nvrtc"));
        assertThat(Path.of(path("called"))).content().contains("-Dartifact=org.bytedeco:cuda-redist:", ":jar:linux-");
        assertThat(unpacked()).containsExactlyInAnyOrder("files", "libnvrtc-builtins.so.13.1", "libnvrtc.so.13");
    }

    @Test
    void nothingIsFetchedWhereNobodyCanAnswer() throws Exception {
        maven("echo called >" + path("called"));
        assertThat(setup()).startsWith("1\n").contains("380 MB: say --yes if there is no terminal to answer at");
        assertThat(Path.of(path("called"))).doesNotExist();
        assertThat(cache.resolve("nvrtc")).doesNotExist();
    }

    @Test
    void withoutMavenAJarCanBeNamed() throws Exception {
        assertThat(setup("--yes")).startsWith("1\n").contains("there is no Maven", "cuda-redist", "setup --from JAR");
        assertThat(setup("--from", jar(true).toString())).startsWith("0\n").contains("NVRTC is here now: ");
        assertThat(unpacked()).contains("libnvrtc.so.13");
        assertThat(setup("--from", jar(false).toString())).startsWith("1\n").contains("holds no NVRTC for this system");
        assertThat(setup("--from", path("nothing.jar"))).startsWith("1\n").contains("is not there or no file");
    }

    @Test
    void whatMavenSaysIsTold() throws Exception {
        maven("echo 'Unknown host'\nexit 1");
        assertThat(setup("--yes")).startsWith("1\n").contains("Maven could not fetch", "Unknown host");
        assertThat(cache.resolve("nvrtc")).doesNotExist();
    }

    private void maven(String script) throws IOException {
        Path maven = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\nPATH=/usr/bin:/bin\n" + script + "\n");
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
    }

    /// Runs the command where the machine has no other Maven, and no NVRTC.
    private String setup(String... options) throws Exception {
        List<String> words = new ArrayList<>(Arrays.asList(process(append(new String[] {"setup"}, options))));
        words.addAll(1, List.of("-Dsamplesort.nvrtc.library=/no/libnvrtc.so", "-Dsamplesort.cache=" + cache));
        words.addAll(0, List.of("/usr/bin/env", "PATH=" + bin));
        return runProcess(words.toArray(new String[0]));
    }

    /// Returns a jar as Maven has it, in small, for this system or another one.
    private Path jar(boolean isForThisSystem) throws IOException {
        String classifier = System.getProperty("os.arch").equals("aarch64") ? "linux-arm64/" : "linux-x86_64/";
        Path file = Path.of(path(isForThisSystem ? "redist.jar" : "other.jar"));
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            for (String name : List.of("libnvrtc.so.13", "libnvrtc-builtins.so.13.1", "libcufft.so.12")) {
                jar.putNextEntry(new JarEntry("org/bytedeco/cuda/" + (isForThisSystem ? classifier : "plan9/") + name));
                jar.write(name.getBytes(StandardCharsets.UTF_8));
                jar.closeEntry();
            }
        }
        return file;
    }

    private List<String> unpacked() throws IOException {
        try (Stream<Path> copies = Files.list(cache.resolve("nvrtc"))) {
            try (Stream<Path> files = Files.list(copies.toList().getFirst())) {
                return files.map(file -> file.getFileName().toString()).toList();
            }
        }
    }
}
