package io.samplesort.cpu.leaf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Copies of the kernels' file: where they lie while they are loaded, and that none is left.
@EnabledOnOs(OS.LINUX)
class KernelCopyTest {
    private static final byte[] CONTENT = {4, 5};

    @TempDir
    private Path folder;

    @Test
    void nobodyElseMayWriteACopyAndNothingIsLeftOfIt() throws IOException {
        List<File> loaded = new ArrayList<>();
        KernelCopy.loadFrom(CONTENT, folder.toFile(), file -> {
            loaded.add(file);
            assertThat(file).hasBinaryContent(CONTENT);
            assertThat(permissions(file.getParentFile())).isEqualTo("rwx------");
        });
        assertThat(loaded).hasSize(1);
        assertThatThrownBy(() -> KernelCopy.loadFrom(CONTENT, folder.toFile(), file -> {
                    throw new UnsatisfiedLinkError("refused");
                }))
                .hasMessage("refused");
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> KernelCopy.loadFrom(CONTENT, new File(folder.toFile(), "none"), loaded::add))
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

    @Test
    void whereNoFolderIsFitForItACopyLiesInMemory() {
        List<File> tried = new ArrayList<>();
        KernelFile.Loader notFromFolders = file -> {
            tried.add(file);
            if (file.toPath().startsWith(folder)) {
                throw new UnsatisfiedLinkError(file + ": failed to map segment from shared object");
            }
            assertThat(file).hasBinaryContent(CONTENT);
        };
        assertThat(KernelCopy.load(CONTENT, folder.toFile(), notFromFolders)).isNull();
        assertThat(KernelCopy.load(CONTENT, folder.resolve("none").toFile(), notFromFolders))
                .isNull();
        assertThat(tried).hasSize(3);
        assertThat(tried.subList(1, 3)).allMatch(file -> file.getPath().startsWith("/proc/self/fd/"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatKeepsItFromBeingLoadedIsTold() {
        assertThat(KernelCopy.load(CONTENT, folder.toFile(), file -> {
                    throw new UnsatisfiedLinkError(file + ": failed to map segment");
                }))
                .isEqualTo("no copy of them is loaded from " + folder
                        + " (failed to map segment) nor from memory (failed" + " to map segment)");
    }

    @Test
    void whatKilledProcessesHaveLeftIsRemoved() throws IOException {
        FileTime old = FileTime.from(Instant.now().minus(1, ChronoUnit.HOURS));
        Path leftover = leftover("samplesort-cpu-1", old);
        Path empty = Files.createDirectory(folder.resolve("samplesort-cpu-2"));
        Files.setLastModifiedTime(empty, old);
        Path inUse = leftover("samplesort-cpu-3", FileTime.from(Instant.now()));
        Path other = leftover("other", old);
        Path notOurs = leftover("samplesort-cpu-4", old);
        Files.createFile(notOurs.resolve("file"));
        Files.setLastModifiedTime(notOurs, old);
        Path link = Files.createSymbolicLink(folder.resolve("samplesort-cpu-5"), other);
        KernelLeftovers.remove(folder);
        assertThat(leftover).doesNotExist();
        assertThat(empty).doesNotExist();
        assertThat(inUse).isNotEmptyDirectory();
        assertThat(other).isNotEmptyDirectory();
        assertThat(notOurs.resolve("file")).exists();
        assertThat(link).isSymbolicLink();
        KernelLeftovers.remove(folder.resolve("none"));
    }

    private Path leftover(String name, FileTime time) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Files.createFile(made.resolve(KernelFile.NAME));
        return Files.setLastModifiedTime(made, time);
    }

    @Test
    void aProcessThatEndsMeanwhileLeavesNothing() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    /// Ends while a copy is loaded.
    static final class Ending {
        public static void main(String[] arguments) throws InterruptedException {
            CountDownLatch isLoading = new CountDownLatch(1);
            Thread thread = new Thread(() -> {
                try {
                    KernelCopy.loadFrom(CONTENT, new File(arguments[0]), file -> {
                        isLoading.countDown();
                        awaitEnd();
                    });
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
            isLoading.await();
        }

        /// Returns once the process is ending, and so would be gone if it did not wait. From then on it takes no hook.
        private static void awaitEnd() {
            Thread hook = new Thread(() -> {});
            try {
                while (true) {
                    Runtime.getRuntime().addShutdownHook(hook);
                    Runtime.getRuntime().removeShutdownHook(hook);
                    Thread.sleep(1);
                }
            } catch (IllegalStateException e) {
                LockSupport.parkNanos(100_000_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
