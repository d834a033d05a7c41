package io.samplesort.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ArchivableClassesTest {
    private static final int JAVA_7 = 51;

    @TempDir
    Path work;

    @Test
    void oldClassesGetALaterVersionAndStillWork() throws Exception {
        Path jar = work.resolve("picocli.jar");
        Files.copy(
                Path.of(CommandLine.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI()),
                jar);
        FileTime time = FileTime.fromMillis(1_700_000_000_000L);
        Files.setLastModifiedTime(jar, time);
        List<String> names = names(jar);

        // A launcher may have renewed the one of this class path already.
        ArchivableClasses.renew(jar);

        assertThat(names(jar)).isEqualTo(names);
        assertThat(Files.getLastModifiedTime(jar)).isEqualTo(time);
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (String name : names) {
                if (name.endsWith(".class")) {
                    assertThat(version(zip, name)).as(name).isGreaterThanOrEqualTo(JAVA_7);
                }
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            // Java checks the tables of the classes while it links them.
            Class<?> renewed = Class.forName(CommandLine.class.getName(), true, loader);
            assertThat(renewed.getField("VERSION").get(null)).isEqualTo(CommandLine.VERSION);
            Class<?> spec = Class.forName(CommandLine.Model.CommandSpec.class.getName(), true, loader);
            assertThat(spec.getMethod("create").invoke(null)).hasToString("command 'null' (user object: null)");
        }

        assertThat(ArchivableClasses.renew(jar)).isFalse();
        try (Stream<Path> left = Files.list(work)) {
            assertThat(left).containsExactly(jar);
        }
    }

    private static List<String> names(Path jar) throws Exception {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream().map(ZipEntry::getName).toList();
        }
    }

    private static int version(ZipFile zip, String name) throws Exception {
        try (InputStream in = zip.getInputStream(zip.getEntry(name))) {
            byte[] head = in.readNBytes(8);
            return head[6] << 8 | head[7];
        }
    }
}
