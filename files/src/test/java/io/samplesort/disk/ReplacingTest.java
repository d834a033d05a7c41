package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplacingTest {
    @TempDir
    private Path folder;

    @Test
    void filesThatAreMountedByThemselvesAreFound() throws IOException {
        Path mounts = Files.writeString(folder.resolve("mounts"), """
                25 30 0:23 / /proc rw,nosuid shared:14 - proc proc rw
                30 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
                91 30 8:1 /data/log.txt /data/a\\040log\\134.txt rw,relatime shared:1 - ext4 /dev/sda1 rw
                92 30 8:1 /data/x /data/gr\u00f6\u00dfe rw,relatime shared:1 - ext4 /dev/sda1 rw
                """);
        assertThat(Replacing.isMountPoint(Path.of("/data/a log\\.txt"), mounts)).isTrue();
        assertThat(Replacing.isMountPoint(Path.of("/data/gr\u00f6\u00dfe"), mounts))
                .isTrue();
        assertThat(Replacing.isMountPoint(Path.of("/data/log.txt"), mounts)).isFalse();
        assertThat(Replacing.isMountPoint(Path.of("/data"), mounts)).isFalse();
        assertThat(Replacing.isMountPoint(Path.of("/data/x"), folder.resolve("none")))
                .isFalse();
    }
}
