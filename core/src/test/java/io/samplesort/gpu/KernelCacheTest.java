package io.samplesort.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelCacheTest {
    private static final byte[] CUBIN = {1, 2, 3, 4};

    @TempDir
    private Path parent;

    private final AtomicInteger compilations = new AtomicInteger();

    @Test
    void compilesOnce() {
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(get(new KernelCache(parent.resolve("kernels")))).isEqualTo(CUBIN);
        assertThat(compilations).hasValue(1);
    }

    @Test
    void theFolderIsForItsOwnerAlone() throws IOException {
        get(new KernelCache(parent.resolve("kernels")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent.resolve("kernels"))))
                .isEqualTo("rwx------");
    }

    @Test
    void damagedAndTruncatedAndForeignEntriesAreRewritten() throws IOException {
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        get(cache);
        Path entry = entry();
        byte[] good = Files.readAllBytes(entry);
        byte[] flipped = good.clone();
        flipped[flipped.length - 1] ^= 1;
        for (byte[] bad : List.of(flipped, new byte[0], new byte[] {7}, Arrays.copyOf(good, good.length - 1))) {
            int before = compilations.get();
            Files.write(entry, bad);
            assertThat(get(cache)).isEqualTo(CUBIN);
            assertThat(compilations).hasValue(before + 1);
            assertThat(Files.readAllBytes(entry)).isEqualTo(good);
        }
        // A good entry under another key's name is not that key's.
        Files.copy(entry, entry.resolveSibling("other.cubin"));
        int before = compilations.get();
        cache.get("other", this::compile);
        assertThat(compilations).hasValue(before + 1);
    }

    @Test
    void aFolderThatOthersCanWriteIsNotUsed() throws IOException {
        Path folder = Files.createDirectory(parent.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        KernelCache cache = new KernelCache(folder);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(compilations).hasValue(2);
        try (Stream<Path> entries = Files.list(folder)) {
            assertThat(entries).isEmpty();
        }
    }

    @Test
    void aFolderThatCannotBeMadeFailsNothing() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        assertThat(get(new KernelCache(file.resolve("kernels")))).isEqualTo(CUBIN);
    }

    @Test
    void everythingThatGoesInChangesTheKey() {
        Nvrtc.Program program = new Nvrtc.Program("a.cu", "source", Map.of("h", "text"));
        String key = KernelCache.key(program, List.of("-a"), "13.0");
        assertThat(List.of(
                        KernelCache.key(program, List.of("-b"), "13.0"),
                        KernelCache.key(program, List.of("-a"), "13.1"),
                        KernelCache.key(
                                new Nvrtc.Program("a.cu", "sourcf", Map.of("h", "text")), List.of("-a"), "13.0"),
                        KernelCache.key(
                                new Nvrtc.Program("a.cu", "source", Map.of("h", "texu")), List.of("-a"), "13.0"),
                        KernelCache.key(
                                new Nvrtc.Program("a.cu", "source", Map.of("i", "text")), List.of("-a"), "13.0")))
                .doesNotContain(key)
                .doesNotHaveDuplicates();
    }

    private byte[] get(KernelCache cache) {
        return cache.get("key", this::compile);
    }

    private byte[] compile() {
        compilations.incrementAndGet();
        return CUBIN.clone();
    }

    private Path entry() throws IOException {
        try (Stream<Path> entries = Files.list(parent.resolve("kernels"))) {
            return entries.findFirst().orElseThrow();
        }
    }
}
