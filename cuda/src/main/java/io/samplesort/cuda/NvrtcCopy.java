package io.samplesort.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.StringTokenizer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// Copies of NVRTC in the user's cache folder, which were unpacked from a jar: a library can only be loaded from a
/// file.
///
/// Each copy is a folder with the library, its built-ins and a list of both with their sizes and checksums, as in the
/// jar's own directory. The folder appears complete, by a rename, so processes that start at the same time do not
/// disturb each other. A copy that differs from its list is never loaded; it is made again.
final class NvrtcCopy {
    private static final String LIST = "files";
    private static final String TEMPORARY = ".tmp";

    /// No process takes this long to unpack a jar.
    private static final Duration ABANDONED = Duration.ofHours(6);

    private final Path parent;
    private final LibraryPlaces places;

    /// A file of a copy.
    private record Part(String name, long bytes, long checksum) {
        String line() {
            return HexFormat.of().toHexDigits((int) checksum) + " " + bytes + " " + name;
        }
    }

    /// @param parent the folder that has the copies
    NvrtcCopy(Path parent, LibraryPlaces places) {
        this.parent = parent;
        this.places = places;
    }

    /// Returns the library of the newest complete copy; null if there is none.
    Path newest() {
        if (!Files.isDirectory(parent) || !CacheFolder.prepare(parent)) {
            return null;
        }
        try (Stream<Path> folders = Files.list(parent)) {
            return folders.filter(folder -> Files.exists(folder.resolve(LIST))
                            && !folder.getFileName().toString().endsWith(TEMPORARY))
                    .sorted((a, b) -> modified(b).compareTo(modified(a)))
                    .filter(folder -> isWhole(folder, null))
                    .map(this::library)
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            return null;
        }
    }

    private static Instant modified(Path folder) {
        try {
            return Files.getLastModifiedTime(folder).toInstant();
        } catch (IOException e) {
            return Instant.MIN;
        }
    }

    /// Returns the library of the copy of a jar's files. The copy is made if it does not exist.
    ///
    /// @throws IllegalArgumentException if the jar has no NVRTC for this system
    /// @throws IOException              if the jar cannot be read, or the copy cannot be made
    Path of(JarFile jar) throws IOException {
        List<JarEntry> entries = entries(jar);
        List<Part> parts = new ArrayList<>();
        for (JarEntry entry : entries) {
            parts.add(new Part(fileName(entry), entry.getSize(), entry.getCrc()));
        }
        String list = list(parts);
        Path folder =
                parent.resolve(HexFormat.of().toHexDigits((int) parts.getLast().checksum()));
        if (isWhole(folder, list)) {
            return library(folder);
        }
        removeAbandoned();
        String name = "nvrtc-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
        Path made = Files.createDirectory(parent.resolve(name + TEMPORARY));
        try {
            for (JarEntry entry : entries) {
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, made.resolve(fileName(entry)));
                }
            }
            Files.writeString(made.resolve(LIST), list);
            if (!isWhole(made, list)) {
                throw new IOException("what was written to " + made + " is not what " + jar.getName() + " holds");
            }
            put(made, folder, list);
        } finally {
            remove(made);
        }
        return library(folder);
    }

    /// Gives a folder its name. Another process may have done the same, and its folder is as good. A damaged folder is
    /// replaced.
    private void put(Path made, Path folder, String list) throws IOException {
        if (Files.exists(folder) && !isWhole(folder, list)) {
            Path damaged = parent.resolve("damaged-" + made.getFileName());
            Files.move(folder, damaged, StandardCopyOption.ATOMIC_MOVE);
            remove(damaged);
        }
        try {
            Files.move(made, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!isWhole(folder, list)) {
                throw e;
            }
        }
    }

    /// Returns the entries of a jar that belong to a copy, the library last.
    private List<JarEntry> entries(JarFile jar) {
        List<JarEntry> found = new ArrayList<>();
        for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
            JarEntry entry = all.nextElement();
            if (entry.getName().startsWith(places.folderInJar()) && places.isCompilerBuiltins(fileName(entry))) {
                found.add(entry);
            }
        }
        for (String library : places.compiler()) {
            JarEntry entry = jar.getJarEntry(places.folderInJar() + library);
            if (entry != null && !found.isEmpty()) {
                found.add(entry);
                return found;
            }
        }
        throw new IllegalArgumentException(jar.getName() + " holds no NVRTC for this system: it has to be the jar of "
                + "org.bytedeco:cuda-redist with the classifier " + places.classifier());
    }

    private static String fileName(JarEntry entry) {
        return entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
    }

    private static String list(List<Part> parts) {
        StringBuilder list = new StringBuilder();
        parts.forEach(part -> list.append(part.line()).append('\n'));
        return list.toString();
    }

    private Path library(Path folder) {
        for (String library : places.compiler()) {
            if (Files.exists(folder.resolve(library))) {
                return folder.resolve(library);
            }
        }
        throw new IllegalStateException(folder + " has no NVRTC");
    }

    /// Returns whether a folder has a library with its built-ins, and whether all its files agree with its list.
    ///
    /// @param expected the list; null to use the folder's own
    private boolean isWhole(Path folder, String expected) {
        try {
            String list = Files.readString(folder.resolve(LIST));
            if (expected != null && !list.equals(expected)) {
                return false;
            }
            boolean hasLibrary = false;
            for (String line : list.split("\n")) {
                StringTokenizer words = new StringTokenizer(line);
                long checksum = Long.parseLong(words.nextToken(), 16);
                long bytes = Long.parseLong(words.nextToken());
                String name = words.nextToken();
                Path file = folder.resolve(name);
                if (!file.getParent().equals(folder) || Files.size(file) != bytes || checksum(file) != checksum) {
                    return false;
                }
                hasLibrary |= places.compiler().contains(name);
            }
            return hasLibrary;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static long checksum(Path file) throws IOException {
        CRC32 checksum = new CRC32();
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
            while (channel.read(buffer) >= 0) {
                checksum.update(buffer.flip());
                buffer.clear();
            }
        }
        return checksum.getValue();
    }

    /// Removes folders of processes that were killed while they unpacked.
    private void removeAbandoned() throws IOException {
        Instant before = Instant.now().minus(ABANDONED);
        try (Stream<Path> folders = Files.list(parent)) {
            for (Path folder : (Iterable<Path>) folders::iterator) {
                if (folder.getFileName().toString().endsWith(TEMPORARY)
                        && modified(folder).isBefore(before)) {
                    remove(folder);
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }
}
