package io.samplesort.cpu.leaf;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.CodeSource;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/// The file of the kernels, which comes along with this class and which the system loads from a folder of its own. All
/// of this is on the way of the first sort of a process, so it takes what Java has loaded already.
final class KernelFile {
    /// A build for another system or processor has none.
    private static final String NAME = "libsamplesort-cpu-x86-64.so";

    /// How many names a new file may have.
    private static final int MOST_NAMES = 8;

    private KernelFile() {}

    /// Returns what is in it; null if there is none.
    static byte[] read() throws IOException {
        Path place = place();
        byte[] found = place == null ? null : readFrom(place);
        return found == null ? readAsResource() : found;
    }

    /// Returns what is in it, as it lies in this folder or jar; null if it does not.
    static byte[] readFrom(Path place) throws IOException {
        String name = KernelFile.class.getPackageName().replace('.', '/') + "/" + NAME;
        if (Files.isDirectory(place)) {
            Path file = place.resolve(name);
            return Files.exists(file) ? Files.readAllBytes(file) : null;
        }
        try (ZipFile jar = new ZipFile(place.toFile())) {
            ZipEntry entry = jar.getEntry(name);
            return entry == null ? null : jar.getInputStream(entry).readAllBytes();
        }
    }

    /// Returns the folder or the jar that this class is from; null if it is from somewhere else.
    private static Path place() {
        CodeSource source = KernelFile.class.getProtectionDomain().getCodeSource();
        URL url = source == null ? null : source.getLocation();
        if (url == null || !url.getProtocol().equals("file")) {
            return null;
        }
        try {
            Path path = Path.of(url.toURI());
            return Files.exists(path) ? path : null;
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /// Reads it through class loaders, wherever they have it. These look in all modules of the JDK first, which takes
    /// ten times as long.
    private static byte[] readAsResource() throws IOException {
        try (InputStream in = KernelFile.class.getResourceAsStream(NAME)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    /// Writes the kernels to a new file that nobody else may write, and that whoever calls this deletes.
    /// `Files.createTempFile` would take 30 ms: it draws a name that nobody can guess, which is not needed, as no file
    /// is taken that is there. Nor is the number of the process asked for, with which Java makes a pool of threads.
    static Path write(byte[] library) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        long number = System.nanoTime();
        for (int i = 1; i < MOST_NAMES; i++) {
            try {
                return write(folder, number + i, library);
            } catch (FileAlreadyExistsException e) {
                // Another process has begun in the same nanosecond.
            }
        }
        return write(folder, number, library);
    }

    private static Path write(Path folder, long number, byte[] library) throws IOException {
        Path file = folder.resolve("samplesort-cpu-" + Long.toHexString(number) + ".so");
        try (WritableByteChannel channel = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                        Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)))) {
            ByteBuffer bytes = ByteBuffer.wrap(library);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (FileAlreadyExistsException e) {
            throw e;
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        return file;
    }
}
