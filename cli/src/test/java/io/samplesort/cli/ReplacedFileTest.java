package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/// What commands tell about files that they replace and that lose something by it.
class ReplacedFileTest extends CommandCase {
    private static final int STRANGER = 12345;

    /// Makes a file of another user, which everybody may replace.
    private Path fileOfAStranger() throws IOException {
        assumeThat(System.getProperty("user.name"))
                .as("only the superuser can give files away")
                .isEqualTo("root");
        Path file = Files.write(Path.of(path("a")), new byte[] {2, 1});
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrw-rw-"));
        Files.setAttribute(file, "unix:uid", STRANGER);
        Files.setAttribute(file, "unix:gid", STRANGER);
        return file;
    }

    @Test
    void aFileSortedByTheSuperuserStaysItsOwners() throws IOException {
        Path file = fileOfAStranger();
        assertDone("sort", file.toString(), "--type", "u8", "--device", "cpu");
        assertThat(err()).isEmpty();
        assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(STRANGER);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(STRANGER);
    }

    @Test
    void anOwnerThatCannotBeKeptIsTold() throws IOException, InterruptedException {
        Path file = fileOfAStranger();
        // The permission to execute was meant for the other group alone.
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrw-"));
        assertThat(runProcess(withoutPrivileges(process("sort", file.toString(), "--type", "u8", "--device", "cpu"))))
                .startsWith("0\n")
                .contains("samplesort: " + file + " goes from the group 12345 to the group root, which may do no more")
                .contains("samplesort: " + file + " goes from the owner 12345 to the owner root: only the superuser");
        assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(0);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxrw-rw-");
    }

    @Test
    void placesThatMayNotBeWrittenAreToldInWords() throws IOException, InterruptedException {
        Path in = Files.write(Path.of(path("in")), new byte[] {2, 1});
        Path file = Files.write(Path.of(path("protected")), new byte[1]);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        Path folder = Files.createDirectory(Path.of(path("folder")));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
        String[] sort = {"sort", in.toString(), "--type", "u8", "--device", "cpu", "-o"};
        assertThat(runProcess(withoutPrivileges(process(append(sort, file.toString())))))
                .isEqualTo(
                        "1\nsamplesort: cannot write " + file + ": permission denied for " + file.toRealPath() + "\n");
        assertThat(runProcess(withoutPrivileges(process(append(sort, folder + "/out")))))
                .isEqualTo("1\nsamplesort: cannot write " + folder + "/out: permission denied for its folder "
                        + folder.toRealPath() + "\n");
        assertNoLitter(3);
    }

    @Test
    void aFileInAProtectedFolderIsOverwrittenOnRequest() throws IOException, InterruptedException {
        Path folder = Files.createDirectory(Path.of(path("folder")));
        Path file = Files.write(folder.resolve("a"), new byte[] {2, 1, 3});
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
        String[] sort = {"sort", file.toString(), "--type", "u8", "--device", "cpu"};
        assertThat(runProcess(withoutPrivileges(process(sort))))
                .isEqualTo("1\nsamplesort: cannot write " + file + ": permission denied for its folder "
                        + folder.toRealPath() + ", so no new file can take its place; ask for write-through to have its"
                        + " content overwritten in the end\n");
        assertThat(Files.readAllBytes(file)).containsExactly(2, 1, 3);
        assertThat(runProcess(withoutPrivileges(process(append(sort, "--write-through")))))
                .startsWith("0\n");
        assertThat(Files.readAllBytes(file)).containsExactly(1, 2, 3);
        assertThat(folder.toFile().list()).containsExactly("a");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void everyCommandTellsOfOtherNames() throws IOException {
        Path file = Files.write(Path.of(path("a")), new byte[] {2, 1});
        Path in = Files.write(Path.of(path("in")), new byte[] {2, 1});
        String[][] commands = {
            {"sort", file.toString(), "--type", "u8", "--device", "cpu"},
            {"sort", in.toString(), "-o", file.toString(), "--type", "u8", "--device", "cpu"},
            {"argsort", in.toString(), "-o", file.toString(), "--type", "u8", "--device", "cpu"},
            {"generate", file.toString(), "--type", "u8", "--count", "2"}
        };
        for (String[] command : commands) {
            Path link = Files.createLink(Path.of(path("link")), file);
            assertDone(command);
            assertThat(err()).contains("a is no longer the same file as its other name (hard link)");
            Files.delete(link);
        }
    }
}
