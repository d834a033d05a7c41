package io.samplesort.cuda;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/// Finds NVRTC: where a system property says, on the class path in the jar of `org.bytedeco:cuda-redist`, in the
/// system's library path, in a CUDA toolkit, or where an earlier process has unpacked it. A jar on the class path was
/// put there on purpose, so it precedes libraries that happen to be on the machine.
final class NvrtcLocator {
    private static final LibraryPlaces PLACES = LibraryPlaces.ofThisSystem();

    private NvrtcLocator() {}

    /// Opens the library.
    ///
    /// @throws IllegalArgumentException if NVRTC is not found or cannot be unpacked; the message says what to do
    static NativeLibrary open() {
        String named = System.getProperty(Nvrtc.LIBRARY_PROPERTY);
        if (named != null) {
            return openNamed(named);
        }
        Path unpacked = fromClassPath();
        if (unpacked != null) {
            return openBesideBuiltins(unpacked);
        }
        for (String name : PLACES.compiler()) {
            try {
                return NativeLibrary.open(name);
            } catch (IllegalArgumentException e) {
                // It is not in the library path, so the search goes on.
            }
        }
        for (Path folder : PLACES.toolkitFolders()) {
            for (String name : PLACES.compiler()) {
                Path library = folder.resolve(name);
                if (Files.exists(library)) {
                    return openBesideBuiltins(library);
                }
            }
        }
        Path cache = CacheFolder.resolve("nvrtc");
        Path copy = cache == null ? null : new NvrtcCopy(cache, PLACES).newest();
        if (copy != null) {
            return openBesideBuiltins(copy);
        }
        throw new IllegalArgumentException("no NVRTC, the CUDA compiler library: run 'samplesort setup', or put"
                + " org.bytedeco:cuda-redist (classifier " + PLACES.classifier()
                + ") on the class path, or install the CUDA toolkit 12.4 or newer ("
                + PLACES.compilerInWords()
                + "), or name the library with -D"
                + Nvrtc.LIBRARY_PROPERTY);
    }

    private static NativeLibrary openNamed(String named) {
        try {
            Path library = Path.of(named);
            return Files.exists(library) ? openBesideBuiltins(library) : NativeLibrary.open(named);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "no NVRTC: " + named + ", which -D" + Nvrtc.LIBRARY_PROPERTY + " names, cannot be opened", e);
        }
    }

    /// Opens NVRTC after its builtins. NVRTC loads these by their bare name, which fails outside the library path
    /// unless they are already loaded.
    private static NativeLibrary openBesideBuiltins(Path library) {
        Path folder = library.toAbsolutePath().getParent();
        try (Stream<Path> siblings = Files.list(folder)) {
            siblings.filter(p -> PLACES.isCompilerBuiltins(p.getFileName().toString()))
                    .forEach(p -> NativeLibrary.open(p.toString()));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the folder " + folder + " of NVRTC cannot be read: " + e.getMessage(), e);
        }
        return NativeLibrary.open(library.toString());
    }

    /// Returns the copy of the files in the jar on the class path; null if there is no such jar.
    private static Path fromClassPath() {
        for (String name : PLACES.compiler()) {
            URL library = NvrtcLocator.class.getResource("/" + PLACES.folderInJar() + name);
            if (library != null) {
                try {
                    if (library.openConnection() instanceof JarURLConnection connection) {
                        // Other code may read the same jar, so it stays open with the connection.
                        return unpack(connection.getJarFile(), CacheFolder.resolve("nvrtc"));
                    }
                } catch (IOException e) {
                    throw new IllegalArgumentException(library + " cannot be read: " + e.getMessage(), e);
                }
                throw new IllegalArgumentException(library + " is in no jar file, so it cannot be unpacked. Unpack the "
                        + "libraries of NVRTC yourself and name them with -D" + Nvrtc.LIBRARY_PROPERTY);
            }
        }
        return null;
    }

    /// Copies NVRTC from a jar to a folder, unless it is already there, and returns the path of the library.
    ///
    /// @param folder null if this user has none
    /// @throws IllegalArgumentException if the folder cannot be trusted or written, or the jar has no NVRTC
    static Path unpack(JarFile jar, Path folder) {
        String advice = ". Name a folder of your own with -D" + CacheFolder.PROPERTY;
        if (folder == null) {
            throw new IllegalArgumentException("NVRTC must be unpacked, and this user has no home folder" + advice);
        }
        if (!CacheFolder.prepare(folder)) {
            throw new IllegalArgumentException("NVRTC cannot be unpacked to " + folder
                    + ": the folder cannot be written, belongs to another user, or others can write to it" + advice);
        }
        try {
            return new NvrtcCopy(folder, PLACES).of(jar);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "NVRTC cannot be unpacked to " + folder + ": " + e.getMessage() + advice, e);
        }
    }
}
