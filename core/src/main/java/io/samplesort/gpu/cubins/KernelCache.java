package io.samplesort.gpu.cubins;

import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Nvrtc;
import io.samplesort.gpu.code.KernelFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/// Compiled kernels on disk, so that only the first sort of a kind pays for the compiler.
///
/// An entry begins with a checksum of all that follows. Then come everything that went into the machine code (source,
/// headers, options with the architecture, NVRTC's version) and the machine code itself. An entry that is truncated,
/// damaged or made of something else is never trusted: its program is compiled anew and the entry rewritten. An entry
/// keeps its sources in full, because comparing them takes less time than a cryptographic hash: Java loads some sixty
/// classes before the first hash. Only the files of the kernels are replaced by their lengths and checksums. A cache
/// that cannot be read or written never fails a sort. When an entry is added, entries that were not used for
/// [UnusedEntries#KEPT] are removed.
final class KernelCache {
    /// Far more than the machine code of any program takes.
    private static final long MOST_BYTES = 1L << 28;

    private static final String SUFFIX = ".cubin";

    private final Path folder;
    private final boolean isUsable;

    /// Uses a folder, which is made if it is not there.
    ///
    /// @param folder null for no cache
    KernelCache(Path folder) {
        this.folder = folder;
        isUsable = folder != null && CacheFolder.prepare(folder);
    }

    /// Returns everything that goes into the machine code of a program. The kernels' files have half a megabyte, so
    /// stamps replace them. Lengths go in as well, so that no text can be shifted from one part to the next unnoticed.
    static byte[] origin(Nvrtc.Program program, List<String> options, String compilerVersion) {
        StringBuilder origin = new StringBuilder();
        append(origin, compilerVersion);
        options.forEach(option -> append(origin, option));
        append(origin, program.source());
        program.headers().forEach((name, text) -> {
            String stamp = KernelFiles.stamp(name, text);
            append(origin, stamp == null ? name : "file " + name);
            append(origin, stamp == null ? text : stamp);
        });
        return origin.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder origin, String text) {
        origin.append(text.length()).append(' ').append(text).append('\n');
    }

    /// Returns the machine code made of this; null if there is no intact entry of it.
    byte[] get(byte[] origin) {
        if (!isUsable) {
            return null;
        }
        try {
            Path file = entry(origin);
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.size() > MOST_BYTES) {
                return null;
            }
            byte[] cubin = cubin(ByteBuffer.wrap(Files.readAllBytes(file)), origin);
            if (cubin != null) {
                UnusedEntries.noteUse(file, attributes.lastModifiedTime());
            }
            return cubin;
        } catch (IOException e) {
            return null;
        }
    }

    /// Returns the machine code in an entry; null if the entry is damaged or is not made of `origin`. No length in the
    /// entry is trusted before it has been checked.
    private static byte[] cubin(ByteBuffer entry, byte[] origin) {
        int start = Long.BYTES + Integer.BYTES + origin.length;
        if (entry.remaining() <= start
                || entry.getLong() != checksum(entry.slice())
                || entry.getInt() != origin.length
                || !entry.slice(entry.position(), origin.length).equals(ByteBuffer.wrap(origin))) {
            return null;
        }
        byte[] cubin = new byte[entry.limit() - start];
        entry.get(start, cubin);
        return cubin;
    }

    /// Keeps machine code, and removes entries that are not used any more.
    void put(byte[] origin, byte[] cubin) {
        if (!isUsable) {
            return;
        }
        ByteBuffer entry = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + origin.length + cubin.length);
        entry.putInt(Long.BYTES, origin.length).put(Long.BYTES + Integer.BYTES, origin);
        entry.put(Long.BYTES + Integer.BYTES + origin.length, cubin);
        entry.putLong(0, checksum(entry.slice(Long.BYTES, entry.capacity() - Long.BYTES)));
        try {
            CacheFolder.replace(entry(origin), entry.array());
            // A process that is killed leaves a temporary file.
            UnusedEntries.remove(folder, "*{" + SUFFIX + ",.tmp}");
        } catch (IOException e) {
            // The next process compiles again, which is slower and still correct.
        }
    }

    private Path entry(byte[] origin) {
        return folder.resolve(HexFormat.of().toHexDigits(checksum(ByteBuffer.wrap(origin))) + SUFFIX);
    }

    /// Combines two checksums that find different faults, since each misses one change in four billion.
    static long checksum(ByteBuffer bytes) {
        CRC32 first = new CRC32();
        first.update(bytes.duplicate());
        CRC32C second = new CRC32C();
        second.update(bytes.duplicate());
        return first.getValue() << Integer.SIZE | second.getValue();
    }
}
