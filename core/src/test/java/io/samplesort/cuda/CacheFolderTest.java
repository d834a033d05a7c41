package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheFolderTest {
    @TempDir
    private Path parent;

    @Test
    void relativePathsInVariablesAreIgnored() {
        assertThat(linux("/home/me", null)).isEqualTo(Path.of("/home/me/.cache/samplesort"));
        assertThat(linux("/home/me", "/var/cache/me")).isEqualTo(Path.of("/var/cache/me/samplesort"));
        assertThat(linux("/home/me", "cache")).isEqualTo(Path.of("/home/me/.cache/samplesort"));
        assertThat(linux("/home/me", "")).isEqualTo(Path.of("/home/me/.cache/samplesort"));
        assertThat(CacheFolder.root(null, "Windows 11", "/home/me", null, "relative"))
                .isEqualTo(Path.of("/home/me/samplesort-cache"));
        assertThat(CacheFolder.root(null, "Mac OS X", "/home/me", "/elsewhere", null))
                .isEqualTo(Path.of("/home/me/Library/Caches/samplesort"));
    }

    @Test
    void aUserWithoutAHomeHasNoFolder() {
        assertThat(linux("?", null)).isNull();
        assertThat(linux("", "relative")).isNull();
        assertThat(linux(null, null)).isNull();
        assertThat(CacheFolder.root(null, "Windows 11", "?", null, null)).isNull();
        assertThat(CacheFolder.root(null, "Mac OS X", "?", null, null)).isNull();
        assertThat(linux("?", "/var/cache/me")).isEqualTo(Path.of("/var/cache/me/samplesort"));
    }

    @Test
    void theSystemPropertyMayBeRelative() {
        assertThat(CacheFolder.root("mine", "Linux", "?", "/elsewhere", null)).isEqualTo(Path.of("mine"));
    }

    @Test
    void librariesAreUnpackedToAFolderOfOursAlone() throws IOException {
        Path folder = parent.resolve("nvrtc");
        assertThat(NvrtcLocator.extract(folder, CacheFolderTest::file)).isEqualTo(folder.resolve("libnvrtc.so.13"));
        assertThat(folder.resolve("libnvrtc.so.13")).hasContent("libnvrtc.so.13");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(4);
        }
    }

    @Test
    void librariesAreNotUnpackedToAFolderThatOthersCanWrite() throws IOException {
        Path folder = Files.createDirectory(parent.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> NvrtcLocator.extract(folder, CacheFolderTest::file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("others can write to it")
                .hasMessageContaining(CacheFolder.PROPERTY);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void librariesThatCannotBeReadLeaveNothingBehind() throws IOException {
        Path folder = parent.resolve("nvrtc");
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the jar is damaged");
            }
        };
        assertThatThrownBy(() -> NvrtcLocator.extract(folder, name -> broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the jar is damaged");
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> NvrtcLocator.extract(null, name -> broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no home folder");
    }

    private static Path linux(String home, String xdgCacheHome) {
        return CacheFolder.root(null, "Linux", home, xdgCacheHome, null);
    }

    private static InputStream file(String name) {
        return new ByteArrayInputStream(name.getBytes(StandardCharsets.UTF_8));
    }
}
