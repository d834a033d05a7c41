package io.samplesort.gpu.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelCacheTest {
    private static final byte[] ORIGIN = {5, 6, 7};
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
        Path entry = entries().getFirst();
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
        // A good entry under another's name is not the other's.
        byte[] other = {9, 8, 7};
        cache.put(other, CUBIN);
        for (Path each : entries()) {
            if (!each.equals(entry)) {
                Files.copy(entry, each, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        assertThat(cache.get(other)).isNull();
        assertThat(cache.get(ORIGIN)).isEqualTo(CUBIN);
    }

    @Test
    void aFolderThatOthersCanWriteIsNotUsed() throws IOException {
        Path folder = Files.createDirectory(parent.resolve("open"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        KernelCache cache = new KernelCache(folder);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(compilations).hasValue(2);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatCannotBeMadeFailsNothing() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        assertThat(get(new KernelCache(file.resolve("kernels")))).isEqualTo(CUBIN);
    }

    @Test
    void everythingThatGoesInMakesAnotherEntry() {
        List<byte[]> origins = List.of(
                origin("source", Map.of("h", "text"), "-a", "13.0"),
                origin("source", Map.of("h", "text"), "-b", "13.0"),
                origin("source", Map.of("h", "text"), "-a", "13.1"),
                origin("sourcf", Map.of("h", "text"), "-a", "13.0"),
                origin("source", Map.of("h", "texu"), "-a", "13.0"),
                origin("source", Map.of("i", "text"), "-a", "13.0"),
                origin("source", Map.of("h", "text", "i", ""), "-a", "13.0"));
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        for (int i = 0; i < origins.size(); i++) {
            assertThat(cache.get(origins.get(i))).isNull();
            cache.put(origins.get(i), new byte[] {(byte) i});
        }
        for (int i = 0; i < origins.size(); i++) {
            assertThat(cache.get(origins.get(i))).containsExactly(i);
        }
    }

    private static byte[] origin(String source, Map<String, String> headers, String option, String version) {
        return KernelCache.origin(new Nvrtc.Program("a.cu", source, headers), List.of(option), version);
    }

    /// As a sorter gets its kernels.
    private byte[] get(KernelCache cache) {
        byte[] cached = cache.get(ORIGIN);
        if (cached != null) {
            return cached;
        }
        compilations.incrementAndGet();
        cache.put(ORIGIN, CUBIN.clone());
        return CUBIN;
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> entries = Files.list(parent.resolve("kernels"))) {
            return entries.toList();
        }
    }
}
