package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class KernelFileTest {
    private static final String NAME = "io/samplesort/cpu/leaf/libsamplesort-cpu-x86-64.so";

    @TempDir
    private Path folder;

    @Test
    void aJarIsReadDirectly() throws IOException {
        byte[] library = {1, 2, 3};
        assertThat(KernelFile.readFrom(jar("other/file.txt", library))).isNull();
        assertThat(KernelFile.readFrom(jar(NAME, library))).isEqualTo(library);
    }

    private File jar(String name, byte[] content) throws IOException {
        Path jar = folder.resolve("library.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
            zip.closeEntry();
        }
        return jar.toFile();
    }

    /// The classes of this test lie in a folder, or in a jar; either way there is a file while it is loaded.
    @Test
    void theFileIsThereWhileItIsLoaded() throws IOException {
        List<Long> sizes = new ArrayList<>();
        boolean isThere = KernelFile.load(file -> sizes.add(file.length()));
        assertThat(sizes).hasSize(isThere ? 1 : 0).allMatch(size -> size > 100_000);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nobodyElseMayWriteACopyAndNothingIsLeftOfIt() throws IOException {
        List<File> loaded = new ArrayList<>();
        KernelFile.loadCopy(new byte[] {4, 5}, folder.toFile(), file -> {
            loaded.add(file);
            assertThat(file).hasBinaryContent(new byte[] {4, 5});
            assertThat(permissions(file.getParentFile())).isEqualTo("rwx------");
        });
        assertThat(loaded).hasSize(1);
        assertThatThrownBy(() -> KernelFile.loadCopy(new byte[] {6}, folder.toFile(), file -> {
                    throw new UnsatisfiedLinkError("refused");
                }))
                .hasMessage("refused");
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> KernelFile.loadCopy(new byte[] {7}, new File(folder.toFile(), "none"), loaded::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot make a folder in");
    }

    private static String permissions(File file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file.toPath()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
