package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NvrtcCopyTest {
    private static final LibraryPlaces LINUX = LibraryPlaces.of("Linux", "amd64", new File("/"), Map.of());
    private static final String LIBRARY = "libnvrtc.so.13";
    private static final String BUILTINS = "libnvrtc-builtins.so.13.1";

    @TempDir
    private Path parent;

    private Path folder;
    private NvrtcCopy copies;

    @BeforeEach
    void prepare() {
        folder = parent.resolve("nvrtc");
        assertThat(CacheFolder.prepare(folder)).isTrue();
        copies = new NvrtcCopy(folder, LINUX);
    }

    @Test
    void unpacksWhatIsNeededAndOnce() throws IOException {
        Path library = copies.of(jar("a", "13.1"));
        assertThat(library).hasContent("library 13.1").hasFileName(LIBRARY);
        assertThat(library.resolveSibling(BUILTINS)).hasContent("builtins 13.1");
        assertThat(files(library.getParent())).containsExactly("files", BUILTINS, LIBRARY);
        FileTime longAgo = FileTime.fromMillis(1_000_000_000_000L);
        Files.setLastModifiedTime(library, longAgo);
        assertThat(copies.of(jar("b", "13.1"))).isEqualTo(library);
        assertThat(Files.getLastModifiedTime(library)).isEqualTo(longAgo);
        assertThat(copies.newest()).isEqualTo(library);
    }

    @Test
    void anotherVersionIsAnotherCopy() throws IOException {
        Path old = copies.of(jar("a", "13.1"));
        Path other = copies.of(jar("b", "13.2"));
        assertThat(other).hasContent("library 13.2");
        assertThat(old).hasContent("library 13.1");
        Files.setLastModifiedTime(old.getParent(), FileTime.fromMillis(1_000_000_000_000L));
        assertThat(copies.newest()).isEqualTo(other);
        Files.write(other, new byte[] {1});
        assertThat(copies.newest()).as("the newest that is whole").isEqualTo(old);
    }

    @Test
    void aCopyThatIsNotAsItWasMadeIsMadeAgain() throws IOException {
        Path library = copies.of(jar("a", "13.1"));
        byte[] good = Files.readAllBytes(library);
        byte[] flipped = good.clone();
        flipped[0] ^= 1;
        byte[] list = Files.readAllBytes(library.resolveSibling("files"));
        for (byte[] bad : List.of(flipped, new byte[0], Arrays.copyOf(good, good.length - 1))) {
            Files.write(library, bad);
            assertThat(copies.newest()).isNull();
            assertThat(copies.of(jar("a", "13.1"))).hasBinaryContent(good);
        }
        Files.delete(library.resolveSibling(BUILTINS));
        assertThat(copies.newest()).isNull();
        assertThat(copies.of(jar("a", "13.1")).resolveSibling(BUILTINS)).exists();
        for (String bad : List.of("", "00000000", "../../outside", "zz 1 " + LIBRARY, "00000000 0 ../x\n")) {
            Files.writeString(library.resolveSibling("files"), bad);
            assertThat(copies.newest()).as(bad).isNull();
            assertThat(copies.of(jar("a", "13.1")).resolveSibling("files")).hasBinaryContent(list);
        }
        assertThat(files(folder)).hasSize(1);
    }

    /// The bits match the folder's own list, and are not those of the jar.
    @Test
    void aForeignCopyIsNotTheJars() throws IOException {
        Path foreign = copies.of(jar("b", "13.2"));
        Path library = copies.of(jar("a", "13.1"));
        for (String file : files(foreign.getParent())) {
            Files.copy(foreign.resolveSibling(file), library.resolveSibling(file), StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(copies.of(jar("a", "13.1"))).hasContent("library 13.1");
    }

    @Test
    void processesThatStartAtOnceDoNotDisturbEachOther() throws Exception {
        List<Path> found = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        List<JarFile> jars = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            jars.add(jar("jar" + i, "13.1"));
        }
        for (JarFile jar : jars) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    Path library = new NvrtcCopy(folder, LINUX).of(jar);
                    synchronized (found) {
                        found.add(library);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(found).hasSize(8).containsOnly(found.getFirst());
        assertThat(found.getFirst()).hasContent("library 13.1");
        assertThat(files(folder)).as("nothing is left behind").hasSize(1);
    }

    @Test
    void whatAKilledProcessLeftIsRemovedInTheEnd() throws IOException {
        Path left = Files.createDirectory(folder.resolve("nvrtc-1-2.tmp"));
        Files.writeString(left.resolve(LIBRARY), "half");
        copies.of(jar("a", "13.1"));
        assertThat(left).as("it may be in use").exists();
        assertThat(copies.newest().getParent()).isNotEqualTo(left);
        Files.setLastModifiedTime(left, FileTime.fromMillis(1_000_000_000_000L));
        copies.of(jar("b", "13.2"));
        assertThat(left).doesNotExist();
    }

    @Test
    void jarsOfOtherSystemsAreRefused() throws IOException {
        JarFile jar = jar("a", "13.1");
        NvrtcCopy windows = new NvrtcCopy(folder, LibraryPlaces.of("Windows 11", "amd64", new File("/"), Map.of()));
        assertThatThrownBy(() -> windows.of(jar))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(jar.getName())
                .hasMessageContaining("windows-x86_64");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aDamagedJarLeavesNothingBehind() throws IOException {
        Path path = Path.of(jar("a", "13.1").getName());
        byte[] bytes = Files.readAllBytes(path);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("library 13.1");
        bytes[at] ^= 1;
        Path damaged = parent.resolve("damaged.jar");
        Files.write(damaged, bytes);
        JarFile jar = new JarFile(damaged.toFile());
        assertThatThrownBy(() -> NvrtcLocator.unpack(jar, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("NVRTC cannot be unpacked to " + folder);
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> NvrtcLocator.unpack(jar, null)).hasMessageContaining("no home folder");
    }

    @Test
    void nothingIsUnpackedToAFolderThatOthersCanWrite() throws IOException {
        Path open = Files.createDirectory(parent.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        JarFile jar = jar("a", "13.1");
        assertThatThrownBy(() -> NvrtcLocator.unpack(jar, open))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(open.toString())
                .hasMessageContaining("others can write to it")
                .hasMessageContaining(CacheFolder.PROPERTY);
        assertThat(open).isEmptyDirectory();
        copies.of(jar);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(copies.newest()).as("a copy that others can change").isNull();
    }

    /// Returns a jar as Maven has it, in small, with the files stored as they are.
    private JarFile jar(String name, String version) throws IOException {
        Path file = parent.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.setLevel(0);
            add(jar, LIBRARY, "library " + version);
            add(jar, "libnvrtc-builtins.so." + version, "builtins " + version);
            add(jar, "libcufft.so.12", "not needed");
        }
        return new JarFile(file.toFile());
    }

    private static void add(JarOutputStream jar, String name, String content) throws IOException {
        jar.putNextEntry(new JarEntry(LINUX.folderInJar() + name));
        jar.write(content.getBytes(StandardCharsets.UTF_8));
        jar.closeEntry();
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
