package io.samplesort.kernels.making;

import io.samplesort.gpu.cubins.ReadyProgram;
import io.samplesort.kernels.ArchiveIndex;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/// The archive of one architecture while it is being made. The same code in the same order always makes the same bytes.
final class KernelArchive {
    private final ArchiveIndex index;
    private final Map<String, Family> families = new LinkedHashMap<>();

    /// Code that is compressed together.
    private static final class Family {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final Map<String, ArchiveIndex.Place> placesByContent = new HashMap<>();
    }

    KernelArchive(String compilerVersion) {
        index = new ArchiveIndex(compilerVersion);
    }

    void add(ReadyProgram program, byte[] code) {
        Family family = families.computeIfAbsent(program.family(), name -> new Family());
        // Each byte becomes one character, so the text identifies the content.
        String content = new String(code, StandardCharsets.ISO_8859_1);
        ArchiveIndex.Place place = family.placesByContent.computeIfAbsent(content, text -> {
            int offset = family.bytes.size();
            family.bytes.writeBytes(code);
            CRC32 checksum = new CRC32();
            checksum.update(code);
            return new ArchiveIndex.Place(program.family(), offset, code.length, checksum.getValue());
        });
        index.put(program.key(), place);
    }

    /// Writes the index and a file for each family to a folder.
    ///
    /// @return the bytes of these files
    long write(Path folder) throws IOException {
        Files.createDirectories(folder);
        long bytes = 0;
        for (Map.Entry<String, Family> each : families.entrySet()) {
            Path file = folder.resolve(each.getKey() + ArchiveIndex.SUFFIX);
            ByteArrayOutputStream content = each.getValue().bytes;
            try (OutputStream out = Files.newOutputStream(file);
                    XZOutputStream compressed = new XZOutputStream(out, options(content.size()), XZ.CHECK_NONE)) {
                content.writeTo(compressed);
            }
            bytes += Files.size(file);
        }
        Path file = folder.resolve(ArchiveIndex.NAME);
        Files.writeString(file, index.toString());
        return bytes + Files.size(file);
    }

    /// Instructions have 16 bytes, and a byte resembles those at the same position of other instructions.
    private static LZMA2Options options(int bytes) throws IOException {
        LZMA2Options options = new LZMA2Options(LZMA2Options.PRESET_MAX);
        options.setDictSize(Math.max(LZMA2Options.DICT_SIZE_MIN, bytes));
        options.setLcLp(0, 3);
        options.setPb(4);
        options.setNiceLen(LZMA2Options.NICE_LEN_MAX);
        return options;
    }
}
