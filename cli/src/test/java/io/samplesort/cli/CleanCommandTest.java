package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What `clean` removes and tells. `KilledSortTest` cleans up behind real sorts.
class CleanCommandTest extends CommandCase {
    private Path leftover(String name) throws IOException {
        return Files.write(Path.of(path(name)), new byte[1500]);
    }

    @Test
    void leftoversAreRemovedAndCounted() throws IOException {
        Files.createDirectory(Path.of(path("other")));
        Path one = leftover(".keys.bin.12ab.samplesort").toRealPath();
        leftover("other/.\n é.0123456789abcdef.samplesort");
        Path mine = leftover("keys.bin");
        assertDone("clean", path(""), path("other"));
        assertThat(out()).contains("removed " + one + ", 1,500 bytes").endsWith("2 files removed, 3,000 bytes\n");
        assertThat(Path.of(path("other"))).isEmptyDirectory();
        assertThat(mine).exists();
        assertNoLitter(2);

        assertDone("clean", path(""));
        assertThat(out()).isEqualTo("0 files removed, 0 bytes\n");
    }

    @Test
    void programsAreTold() throws IOException {
        Path path = leftover(".keys.12ab.samplesort").toRealPath();
        assertDone("clean", path(""), "--json");
        assertThat(JSON.std.mapFrom(out()))
                .containsEntry("removed", List.of(path.toString()))
                .containsEntry("removedBytes", 1500)
                .containsEntry("inUse", List.of())
                .containsEntry("stuck", List.of());
    }

    @Test
    void whatCannotBeRemovedIsTold() throws IOException, InterruptedException {
        Path path = leftover(".keys.12ab.samplesort").toRealPath();
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
        assertThat(runProcess(withoutPrivileges(process("clean", path("")))))
                .startsWith("1\n")
                .contains("cannot remove " + path + ": permission denied for " + path)
                .endsWith("0 files removed, 0 bytes\n");
        assertThat(path).exists();
    }

    @Test
    void placesThatAreNoFoldersAreRefusedBeforeAnythingIsRemoved() throws IOException {
        Path leftover = leftover(".keys.12ab.samplesort");
        assertFails(1, path("no") + " is not there", "clean", path(""), path("no"));
        assertFails(1, leftover + " is not a folder: name folders", "clean", path(""), leftover.toString());
        assertThat(leftover).exists();
    }
}
