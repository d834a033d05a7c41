package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.samplesort.disk.Leftovers.Fate;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.AclEntry;
import java.nio.file.attribute.AclEntryPermission;
import java.nio.file.attribute.AclEntryType;
import java.nio.file.attribute.AclFileAttributeView;
import java.nio.file.attribute.DosFileAttributeView;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Files on a file system with the names, attributes and access control lists of Windows, and nothing of POSIX. It
/// lies in memory, and does not know that Windows keeps open and locked files from others.
class WindowsFilesTest {
    private FileSystem system;
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        system = Jimfs.newFileSystem(Configuration.windows().toBuilder()
                .setAttributeViews("basic", "owner", "dos", "acl", "user")
                .build());
        folder = Files.createDirectory(system.getPath("C:\\data"));
    }

    @AfterEach
    void close() throws IOException {
        system.close();
    }

    private static List<String> write(Path target, String text) throws IOException {
        OutputPlace place = OutputPlace.of(target);
        assertThat(place.isStream()).isFalse();
        try (OutputFile file = place.open()) {
            file.append(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)), bytes -> {});
            List<String> losses = file.complete();
            file.publish();
            file.settle();
            return losses;
        }
    }

    @Test
    void aFileAppearsAndIsReplacedAsAWhole() throws IOException {
        Path target = folder.resolve("keys.bin");
        assertThat(write(target, "old")).isEmpty();
        assertThat(target).hasContent("old");
        assertThat(write(target, "new")).isEmpty();
        assertThat(target).hasContent("new");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(target);
        }
    }

    @Test
    void theAccessControlListIsKept() throws IOException {
        Path target = Files.writeString(folder.resolve("keys.bin"), "old");
        AclEntry entry = AclEntry.newBuilder()
                .setType(AclEntryType.ALLOW)
                .setPrincipal(system.getUserPrincipalLookupService().lookupPrincipalByName("reader"))
                .setPermissions(AclEntryPermission.READ_DATA)
                .build();
        acl(target).setAcl(List.of(entry));
        assertThat(write(target, "new")).isEmpty();
        assertThat(target).hasContent("new");
        assertThat(acl(target).getAcl()).containsExactly(entry);
    }

    private static AclFileAttributeView acl(Path path) {
        return Files.getFileAttributeView(path, AclFileAttributeView.class);
    }

    @Test
    void leftoversAreRemoved() throws IOException {
        Path leftover = Files.writeString(folder.resolve(".keys.bin.1f.samplesort"), "half");
        Path other = Files.writeString(folder.resolve("keys.bin"), "whole");
        assertThat(Leftovers.clean(folder))
                .extracting(Leftovers.Leftover::path, Leftovers.Leftover::fate)
                .containsExactly(tuple(leftover, Fate.REMOVED));
        assertThat(leftover).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void aFolderIsNoOutput() throws IOException {
        assertThatThrownBy(() -> OutputPlace.of(folder))
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining("C:\\data is a folder");
        assertThatThrownBy(() -> OutputPlace.of(system.getPath("C:\\none\\keys.bin")))
                .isInstanceOf(FileFailure.class)
                .hasMessageContaining("C:\\none is not there");
        Files.getFileAttributeView(folder, DosFileAttributeView.class).setHidden(true);
        assertThat(write(folder.resolve("keys.bin"), "in a hidden folder")).isEmpty();
    }
}
