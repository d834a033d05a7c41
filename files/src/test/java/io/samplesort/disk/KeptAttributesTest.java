package io.samplesort.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a result takes over from the file that it replaces.
class KeptAttributesTest {
    @TempDir
    private Path folder;

    private Path target;

    @BeforeEach
    void writeFile() throws IOException {
        target = Files.writeString(folder.resolve("a"), "old");
    }

    private List<String> replace() throws IOException {
        try (AtomicFile file = AtomicFile.create(target)) {
            file.append(MemorySegment.ofArray("new".getBytes(StandardCharsets.UTF_8)), bytes -> {});
            List<String> losses = file.complete();
            assertThat(target).hasContent("old");
            file.publish();
            assertThat(target).hasContent("new");
            return losses;
        }
    }

    private static UserDefinedFileAttributeView attributes(Path path) {
        return Files.getFileAttributeView(path, UserDefinedFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void userAttributesAreKept() throws IOException {
        try {
            attributes(target).write("origin", ByteBuffer.wrap(new byte[] {1, 2, 3}));
        } catch (FileSystemException | UnsupportedOperationException e) {
            assumeThat(false).as("the file system has no user attributes").isTrue();
        }
        attributes(target).write("empty", ByteBuffer.allocate(0));
        assertThat(replace()).isEmpty();
        assertThat(attributes(target).list()).containsExactlyInAnyOrder("origin", "empty");
        ByteBuffer value = ByteBuffer.allocate(10);
        attributes(target).read("origin", value);
        assertThat(value.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    /// Only the superuser can make a file of another owner.
    @Test
    void theOwnerAndTheGroupAreKept() throws IOException {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        Files.setAttribute(target, "unix:uid", 12345);
        Files.setAttribute(target, "unix:gid", 23456);
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rw-r----x"));
        assertThat(replace()).isEmpty();
        assertThat(Files.readAttributes(target, "unix:uid,gid"))
                .containsEntry("uid", 12345)
                .containsEntry("gid", 23456);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-r----x");
    }

    @Test
    void theOtherNamesOfAFileAreTold() throws IOException {
        Path other = Files.createLink(folder.resolve("b"), target);
        assertThat(replace())
                .containsExactly(
                        target + " is no longer the same file as its other name (hard link), which keeps the old"
                                + " content");
        assertThat(other).hasContent("old");
    }
}
