package io.samplesort.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Finds libnvrtc: where a system property says, in the system's library path, in a CUDA toolkit, or on the class path
/// in the jar of `org.bytedeco:cuda-redist`.
final class NvrtcLocator {
    /// The system property that names the NVRTC library, for toolkits in unusual places and for tests.
    static final String LIBRARY_PROPERTY = "samplesort.nvrtc.library";

    private static final List<String> NAMES = List.of("libnvrtc.so.13", "libnvrtc.so.12");
    private static final String REDIST_FOLDER = "/org/bytedeco/cuda/linux-x86_64/";

    /// What is unpacked from there, the library last.
    private static final List<String> EXTRACTED = List.of(
            "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.so.13.1", "libnvrtc-builtins.so.13.2", NAMES.get(0));

    private NvrtcLocator() {}

    /// Opens the library.
    ///
    /// @throws IllegalArgumentException if NVRTC is nowhere or cannot be unpacked; the message says what to do
    static NativeLibrary open() {
        String named = System.getProperty(LIBRARY_PROPERTY);
        if (named != null) {
            Path library = Path.of(named);
            return Files.exists(library) ? openBesideBuiltins(library) : NativeLibrary.open(named);
        }
        LibraryPlaces places = LibraryPlaces.ofThisSystem();
        for (String name : places.compiler()) {
            try {
                return NativeLibrary.open(name);
            } catch (IllegalArgumentException e) {
                // It is not in the library path, so we look further.
            }
        }
        for (Path folder : places.toolkitFolders()) {
            for (String name : places.compiler()) {
                Path library = folder.resolve(name);
                if (Files.exists(library)) {
                    return openBesideBuiltins(library);
                }
            }
        }
        Path extracted = extractFromClassPath();
        if (extracted != null) {
            return openBesideBuiltins(extracted);
        }
        throw new IllegalArgumentException(
                "no NVRTC, the CUDA compiler library: install the CUDA toolkit 12.4 or newer ("
                        + places.compilerInWords()
                        + "), put org.bytedeco:cuda-redist (classifier linux-x86_64) on the class path, or name the library with -D"
                        + LIBRARY_PROPERTY);
    }

    /// Opens NVRTC after its builtins. NVRTC loads these by their bare name, which fails outside the library path
    /// unless they are loaded already.
    private static NativeLibrary openBesideBuiltins(Path library) {
        Path folder = library.toAbsolutePath().getParent();
        try (Stream<Path> siblings = Files.list(folder)) {
            LibraryPlaces places = LibraryPlaces.ofThisSystem();
            siblings.filter(p -> places.isCompilerBuiltins(p.getFileName().toString()))
                    .forEach(p -> NativeLibrary.open(p.toString()));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the folder " + folder + " of NVRTC cannot be read: " + e.getMessage(), e);
        }
        return NativeLibrary.open(library.toString());
    }

    /// Copies the library from the redistributable jar to the user's cache folder and returns its path; null if the jar
    /// is not on the class path.
    private static Path extractFromClassPath() {
        if (NvrtcLocator.class.getResource(REDIST_FOLDER + NAMES.get(0)) == null) {
            return null;
        }
        return extract(
                CacheFolder.resolve("nvrtc"), name -> NvrtcLocator.class.getResourceAsStream(REDIST_FOLDER + name));
    }

    /// Copies the library and its builtins to a folder and returns the path of the library.
    ///
    /// @param folder null if this user has none
    /// @param jar    opens a file of that name; null if there is none
    /// @throws IllegalArgumentException if the folder cannot be trusted or written
    static Path extract(Path folder, Function<String, InputStream> jar) {
        String advice = ". Name a folder of your own with -D" + CacheFolder.PROPERTY;
        if (folder == null) {
            throw new IllegalArgumentException("NVRTC must be unpacked, and this user has no home folder" + advice);
        }
        if (!CacheFolder.prepare(folder)) {
            throw new IllegalArgumentException("NVRTC cannot be unpacked to " + folder
                    + ": the folder cannot be written, belongs to another user, or others can write to it" + advice);
        }
        try {
            Path library = null;
            for (String name : EXTRACTED) {
                try (InputStream in = jar.apply(name)) {
                    if (in != null) {
                        library = folder.resolve(name);
                        Path temporary = Files.createTempFile(folder, name, ".tmp");
                        try {
                            Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
                            Files.move(temporary, library, StandardCopyOption.ATOMIC_MOVE);
                        } finally {
                            Files.deleteIfExists(temporary);
                        }
                    }
                }
            }
            return library;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "NVRTC cannot be unpacked to " + folder + ": " + e.getMessage() + advice, e);
        }
    }
}
