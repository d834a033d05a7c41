package io.samplesort.gpu.code;

import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/// Compiled kernels on disk, so that only the first sort of a kind pays for the compiler.
///
/// An entry has everything that went into the machine code (source, headers, options with the architecture, NVRTC's
/// version), then the machine code, and begins with a checksum of both. An entry that is truncated, damaged or made of
/// something else is never trusted: its program is compiled anew and the entry rewritten. What went into an entry is
/// kept and compared because that takes less time than a hash that could stand for it: Java loads some sixty classes
/// before the first hash. The folder is for its owner alone, and one that others can write to is not used. A cache that
/// cannot be read or written never fails a sort.
final class KernelCache {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    private final Path folder;
    private final boolean isUsable;

    /// Uses a folder, which is made if it is not there.
    KernelCache(Path folder) {
        this.folder = folder;
        isUsable = prepareFolder();
    }

    /// Returns everything that goes into the machine code of a program. Lengths go in as well, so that no text can be
    /// shifted from one part to the next unnoticed.
    static byte[] origin(Nvrtc.Program program, List<String> options, String compilerVersion) {
        StringBuilder origin = new StringBuilder();
        append(origin, compilerVersion);
        options.forEach(option -> append(origin, option));
        append(origin, program.source());
        program.headers().forEach((name, text) -> {
            append(origin, name);
            append(origin, text);
        });
        return origin.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder origin, String text) {
        origin.append(text.length()).append(' ').append(text).append('\n');
    }

    /// Returns the machine code made of this; null if it is not there as it should be.
    byte[] get(byte[] origin) {
        if (!isUsable) {
            return null;
        }
        try {
            ByteBuffer entry = ByteBuffer.wrap(Files.readAllBytes(entry(origin)));
            if (entry.getLong() != checksum(entry.slice())) {
                return null;
            }
            byte[] kept = new byte[entry.getInt()];
            entry.get(kept);
            byte[] cubin = new byte[entry.remaining()];
            entry.get(cubin);
            return Arrays.equals(kept, origin) && cubin.length > 0 ? cubin : null;
        } catch (IOException | BufferUnderflowException e) {
            return null;
        }
    }

    void put(byte[] origin, byte[] cubin) {
        if (!isUsable) {
            return;
        }
        ByteBuffer entry = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + origin.length + cubin.length);
        entry.putInt(Long.BYTES, origin.length).put(Long.BYTES + Integer.BYTES, origin);
        entry.put(Long.BYTES + Integer.BYTES + origin.length, cubin);
        entry.putLong(0, checksum(entry.slice(Long.BYTES, entry.capacity() - Long.BYTES)));
        Path temporary = null;
        try {
            temporary = Files.createTempFile(folder, "kernel", ".tmp");
            Files.write(temporary, entry.array());
            Files.move(temporary, entry(origin), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // The next process compiles again, which is slower and still right.
            if (temporary != null) {
                temporary.toFile().delete();
            }
        }
    }

    private Path entry(byte[] origin) {
        return folder.resolve(HexFormat.of().toHexDigits(checksum(ByteBuffer.wrap(origin))) + ".cubin");
    }

    /// Combines two checksums that find different faults, since each misses one change in four billion.
    private static long checksum(ByteBuffer bytes) {
        CRC32 first = new CRC32();
        first.update(bytes.duplicate());
        CRC32C second = new CRC32C();
        second.update(bytes.duplicate());
        return first.getValue() << Integer.SIZE | second.getValue();
    }

    private boolean prepareFolder() {
        try {
            if (!Files.isDirectory(folder)) {
                Path parent = folder.toAbsolutePath().getParent();
                Files.createDirectories(parent);
                if (isPosix(parent)) {
                    Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
                } else {
                    Files.createDirectories(folder);
                }
            }
            if (!isPosix(folder)) {
                return true;
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
            boolean othersCanWrite = permissions.contains(PosixFilePermission.GROUP_WRITE)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE);
            return !othersCanWrite && Files.isWritable(folder) && isOwn(folder);
        } catch (IOException | SecurityException e) {
            return false;
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// A file made just now shows who we are, which no property of the JVM does reliably.
    private static boolean isOwn(Path folder) throws IOException {
        String name = "owner" + ProcessHandle.current().pid() + "-" + System.nanoTime() + ".tmp";
        Path probe = Files.createFile(folder.resolve(name));
        try {
            return Files.getOwner(probe).equals(Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.delete(probe);
        }
    }
}
