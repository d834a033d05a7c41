package io.samplesort.gpu;

import io.samplesort.cuda.CacheFolder;
import io.samplesort.cuda.Nvrtc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Compiled kernels on disk, so that only the first sort of a kind pays for the compiler.
///
/// An entry is named by the hash of everything that went into it (source, headers, options with the architecture,
/// NVRTC's version) and begins with a hash of its content: one that is truncated, damaged or somebody else's is
/// compiled anew and rewritten, never trusted. The folder is for its owner alone; one that others can write to is not
/// used. A cache that cannot be read or written never fails a sort.
final class KernelCache {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final int HASH_BYTES = 32;

    private final Path folder;

    KernelCache(Path folder) {
        this.folder = folder;
    }

    /// The machine code of a program, from the user's cache or from NVRTC.
    ///
    /// @param onCompilation run if NVRTC is needed
    static byte[] cubin(Nvrtc.Program program, List<String> options, Runnable onCompilation) {
        return new KernelCache(CacheFolder.resolve("kernels")).get(key(program, options, Nvrtc.versionText()), () -> {
            onCompilation.run();
            return Nvrtc.compile(program, options);
        });
    }

    static String key(Nvrtc.Program program, List<String> options, String compilerVersion) {
        MessageDigest digest = sha256();
        update(digest, compilerVersion);
        options.forEach(option -> update(digest, option));
        update(digest, program.source());
        program.headers().forEach((name, text) -> {
            update(digest, name);
            update(digest, text);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    byte[] get(String key, Supplier<byte[]> compile) {
        boolean usable = prepareFolder();
        Path entry = folder.resolve(key + ".cubin");
        byte[] cached = usable ? read(entry, key) : null;
        if (cached != null) {
            return cached;
        }
        byte[] compiled = compile.get();
        if (usable) {
            write(entry, key, compiled);
        }
        return compiled;
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
        Path probe = Files.createTempFile(folder, "owner", ".tmp");
        try {
            return Files.getOwner(probe).equals(Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS));
        } finally {
            Files.delete(probe);
        }
    }

    /// The content of an entry: a hash of key and machine code, then the machine code. Null if it is not what it should
    /// be.
    private static byte[] read(Path entry, String key) {
        try {
            byte[] bytes = Files.readAllBytes(entry);
            if (bytes.length <= HASH_BYTES) {
                return null;
            }
            byte[] cubin = Arrays.copyOfRange(bytes, HASH_BYTES, bytes.length);
            return Arrays.equals(contentHash(key, cubin), Arrays.copyOf(bytes, HASH_BYTES)) ? cubin : null;
        } catch (IOException e) {
            return null;
        }
    }

    private void write(Path entry, String key, byte[] cubin) {
        Path temporary = null;
        try {
            temporary = Files.createTempFile(folder, "kernel", ".tmp");
            Files.write(
                    temporary,
                    ByteBuffer.allocate(HASH_BYTES + cubin.length)
                            .put(contentHash(key, cubin))
                            .put(cubin)
                            .array());
            Files.move(temporary, entry, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            // The next process compiles again: slower, and right.
            if (temporary != null) {
                temporary.toFile().delete();
            }
        }
    }

    private static byte[] contentHash(String key, byte[] cubin) {
        MessageDigest digest = sha256();
        update(digest, key);
        return digest.digest(cubin);
    }

    /// Lengths go in as well, so that texts cannot be shifted from one to the next unnoticed.
    private static void update(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
