package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    void aFolderOfClassesAndAJarAreReadDirectly() throws IOException {
        byte[] library = {1, 2, 3};
        assertThat(KernelFile.readFrom(folder)).isNull();
        Path file = folder.resolve(NAME);
        Files.createDirectories(file.getParent());
        Files.write(file, library);
        assertThat(KernelFile.readFrom(folder)).isEqualTo(library);
        assertThat(KernelFile.readFrom(jar("other/file.txt", library))).isNull();
        assertThat(KernelFile.readFrom(jar(NAME, library))).isEqualTo(library);
    }

    private Path jar(String name, byte[] content) throws IOException {
        Path jar = folder.resolve("library.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(content);
            zip.closeEntry();
        }
        return jar;
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nobodyElseMayWriteTheFileThatIsLoaded() throws IOException {
        Path written = KernelFile.write(new byte[] {4, 5});
        try {
            assertThat(Files.readAllBytes(written)).containsExactly(4, 5);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
                    .isEqualTo("rw-------");
        } finally {
            Files.delete(written);
        }
    }
}
