package io.samplesort.gpu.cubins;

import static org.assertj.core.api.Assertions.assertThat;

import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelElement;
import io.samplesort.gpu.code.KernelProgram;
import io.samplesort.gpu.code.KernelSource;
import io.samplesort.types.ElementType;
import io.samplesort.types.Order;
import io.samplesort.types.Tuning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
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
    void aRightChecksumMakesNoLengthRight() throws IOException {
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        get(cache);
        Path path = entries().getFirst();
        byte[] good = Files.readAllBytes(path);
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, good.length, 0, 2, 4}) {
            ByteBuffer entry = ByteBuffer.wrap(good.clone()).putInt(Long.BYTES, length);
            Files.write(path, withChecksum(entry.array()));
            assertThat(cache.get(ORIGIN)).as("length %d", length).isNull();
        }
        Files.write(path, withChecksum(good.clone()));
        assertThat(cache.get(ORIGIN)).isEqualTo(CUBIN);
    }

    /// Damages valid entries in every way. The checksum is mended in half of the cases, so that what is behind it is
    /// tried too: then other machine code may come back, as far as the checksum can tell.
    @Test
    void aDamagedEntryIsAMissAndNeverAnError() throws IOException {
        long seed = Long.getLong("tests.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        get(cache);
        Path path = entries().getFirst();
        byte[] good = Files.readAllBytes(path);
        for (int i = 0; i < 2000; i++) {
            byte[] entry = mutated(good, random);
            boolean isMended = random.nextBoolean() && entry.length >= Long.BYTES;
            Files.write(path, isMended ? withChecksum(entry) : entry);
            byte[] found = cache.get(ORIGIN);
            String what = "case %d, %s; replay with -Dtests.seed=%d"
                    .formatted(i, HexFormat.of().formatHex(entry), seed);
            if (!isMended) {
                assertThat(found).as(what).isIn(null, CUBIN);
                assertThat(found == null).as(what).isEqualTo(!Arrays.equals(entry, good));
            } else {
                int start = Long.BYTES + Integer.BYTES + ORIGIN.length;
                boolean isOurs =
                        entry.length > start && Arrays.equals(entry, Long.BYTES, start, good, Long.BYTES, start);
                assertThat(found).as(what).isEqualTo(isOurs ? Arrays.copyOfRange(entry, start, entry.length) : null);
            }
        }
    }

    private static byte[] mutated(byte[] good, SplittableRandom random) {
        byte[] entry = good.clone();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            switch (random.nextInt(4)) {
                case 0 -> entry = Arrays.copyOf(entry, random.nextInt(2 * good.length));
                case 1 -> entry = Arrays.copyOfRange(entry, random.nextInt(entry.length + 1), entry.length);
                case 2 -> {
                    if (entry.length > 0) {
                        entry[random.nextInt(entry.length)] ^= (byte) (1 << random.nextInt(8));
                    }
                }
                default -> {
                    if (entry.length >= Long.BYTES + Integer.BYTES) {
                        ByteBuffer.wrap(entry).putInt(Long.BYTES, random.nextInt() >> random.nextInt(32));
                    }
                }
            }
        }
        return entry;
    }

    private static byte[] withChecksum(byte[] entry) {
        CRC32 first = new CRC32();
        first.update(entry, Long.BYTES, entry.length - Long.BYTES);
        CRC32C second = new CRC32C();
        second.update(entry, Long.BYTES, entry.length - Long.BYTES);
        ByteBuffer.wrap(entry).putLong(0, first.getValue() << Integer.SIZE | second.getValue());
        return entry;
    }

    @Test
    void entriesThatAreNotUsedAreRemovedAtLast() throws IOException {
        Path folder = parent.resolve("kernels");
        KernelCache cache = new KernelCache(folder);
        FileTime longAgo = FileTime.from(Instant.now().minus(UnusedEntries.KEPT).minusSeconds(60));
        byte[] used = {1};
        byte[] unused = {2};
        for (byte[] origin : List.of(used, unused)) {
            cache.put(origin, CUBIN);
        }
        Path foreign = Files.createFile(folder.resolve("notes.txt"));
        for (Path each : List.of(foreign, entries().get(0), entries().get(1))) {
            Files.setLastModifiedTime(each, longAgo);
        }
        // What is found is used.
        assertThat(cache.get(used)).isEqualTo(CUBIN);
        cache.put(ORIGIN, CUBIN);
        assertThat(cache.get(unused)).isNull();
        assertThat(cache.get(used)).isEqualTo(CUBIN);
        assertThat(cache.get(ORIGIN)).isEqualTo(CUBIN);
        assertThat(foreign).exists();
    }

    @Test
    void timesAreWrittenOnceADay() throws IOException {
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        get(cache);
        Path entry = entries().getFirst();
        FileTime anHourAgo =
                FileTime.from(Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS));
        Files.setLastModifiedTime(entry, anHourAgo);
        get(cache);
        assertThat(Files.getLastModifiedTime(entry)).isEqualTo(anHourAgo);
    }

    @Test
    void withoutAFolderThereIsNoCache() {
        KernelCache cache = new KernelCache(null);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(get(cache)).isEqualTo(CUBIN);
        assertThat(compilations).hasValue(2);
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

    /// The files of the kernels go in by stamps, which stand for their own texts alone.
    @Test
    void aChangedFileMakesAnotherEntry() {
        KernelElement element = KernelElement.of(ElementType.LONG, List.of(), Order.natural(), false);
        Nvrtc.Program program = KernelSource.programs(element, Tuning.defaultFor(ElementType.LONG, null))
                .get(KernelProgram.SCATTER);
        Map<String, String> headers = new LinkedHashMap<>(program.headers());
        headers.computeIfPresent("parts/basics.cuh", (name, text) -> text.replaceFirst("u32", "u64"));
        byte[] origin = KernelCache.origin(program, List.of(), "13.0");
        byte[] changed =
                KernelCache.origin(new Nvrtc.Program(program.name(), program.source(), headers), List.of(), "13.0");
        KernelCache cache = new KernelCache(parent.resolve("kernels"));
        cache.put(origin, CUBIN);
        assertThat(cache.get(changed)).isNull();
        cache.put(changed, new byte[] {8});
        assertThat(cache.get(changed)).containsExactly(8);
        assertThat(cache.get(origin)).isEqualTo(CUBIN);
        assertThat(origin).hasSizeLessThan(50_000);
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
