package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLimitTest {
    @TempDir
    private Path process;

    private void limit(String soft) throws IOException {
        Files.writeString(process.resolve("limits"), """
                Limit                     Soft Limit           Hard Limit           Units
                Max processes             63432                63432                processes
                Max open files            %-20s 1048576              files
                """.formatted(soft));
    }

    @Test
    void whatIsOpenAndALittleMoreIsLeftOut() throws IOException {
        Files.createDirectory(process.resolve("fd"));
        for (int i = 0; i < 20; i++) {
            Files.createFile(process.resolve("fd/" + i));
        }
        limit("64");
        assertThat(FileLimit.spare(process, 400)).isEqualTo(64 - 20 - 12);
        limit("1024");
        assertThat(FileLimit.spare(process, 400)).isEqualTo(400);
        limit("unlimited");
        assertThat(FileLimit.spare(process, 400)).isEqualTo(400);
        limit("25");
        assertThat(FileLimit.spare(process, 400)).isZero();
    }

    @Test
    void systemsThatTellNothingLimitNothing() {
        assertThat(FileLimit.spare(process, 400)).isEqualTo(400);
    }
}
