package io.samplesort.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CacheFolderTest {
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

    private static Path linux(String home, String xdgCacheHome) {
        return CacheFolder.root(null, "Linux", home, xdgCacheHome, null);
    }
}
