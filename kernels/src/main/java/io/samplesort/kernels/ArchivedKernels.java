package io.samplesort.kernels;

import io.samplesort.gpu.cubins.ReadyKernels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.tukaani.xz.XZInputStream;

/// The ready-made kernels of this jar. Damaged code counts as missing, and is then compiled.
public final class ArchivedKernels implements ReadyKernels {
    /// Far more than the code of any program takes.
    private static final int MOST_BYTES = 1 << 26;

    private final Function<String, InputStream> files;
    private final Map<String, Optional<ArchiveIndex>> indexes = new ConcurrentHashMap<>();

    /// Makes an object that uses the archives of this jar.
    public ArchivedKernels() {
        this(name -> ArchivedKernels.class.getClassLoader().getResourceAsStream(ArchiveIndex.FOLDER + name));
    }

    /// @param files opens a file by its path below [ArchiveIndex#FOLDER]; null if there is none
    ArchivedKernels(Function<String, InputStream> files) {
        this.files = files;
    }

    @Override
    public String compilerVersion(String architecture) {
        return index(architecture).map(ArchiveIndex::compilerVersion).orElse(null);
    }

    @Override
    public byte[] get(String architecture, long key) {
        ArchiveIndex.Place place =
                index(architecture).map(index -> index.get(key)).orElse(null);
        if (place == null || place.length() < 0 || place.length() > MOST_BYTES) {
            return null;
        }
        try (InputStream file = files.apply(architecture + "/" + place.family() + ArchiveIndex.SUFFIX)) {
            if (file == null) {
                return null;
            }
            try (XZInputStream family = new XZInputStream(file)) {
                family.skipNBytes(place.offset());
                byte[] code = family.readNBytes(place.length());
                return isWhole(code, place) ? code : null;
            }
        } catch (IOException e) {
            return null;
        }
    }

    private static boolean isWhole(byte[] code, ArchiveIndex.Place place) {
        CRC32 checksum = new CRC32();
        checksum.update(code);
        return code.length == place.length() && checksum.getValue() == place.checksum();
    }

    private Optional<ArchiveIndex> index(String architecture) {
        return indexes.computeIfAbsent(architecture, this::readIndex);
    }

    private Optional<ArchiveIndex> readIndex(String architecture) {
        try (InputStream file = files.apply(architecture + "/" + ArchiveIndex.NAME)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(ArchiveIndex.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
