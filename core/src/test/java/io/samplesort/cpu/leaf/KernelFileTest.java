package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
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
        String problem = KernelFile.load(file -> sizes.add(file.length()));
        assertThat(problem).isIn(null, "this build has none");
        assertThat(sizes).hasSize(problem == null ? 1 : 0).allMatch(size -> size > 100_000);
    }
}
