package io.samplesort.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds libnvrtc: where a system property says, in the system's library path, in a CUDA toolkit, or on the class path
/// in the jar of `org.bytedeco:cuda-redist`.
final class NvrtcLocator {
    /// The system property that names the NVRTC library, for toolkits in unusual places and for tests.
    static final String LIBRARY_PROPERTY = "samplesort.nvrtc.library";

    private static final List<String> NAMES = List.of("libnvrtc.so.13", "libnvrtc.so.12");
    private static final String REDIST_FOLDER = "/org/bytedeco/cuda/linux-x86_64/";

    private NvrtcLocator() {}

    /// Opens the library.
    ///
    /// @throws IllegalArgumentException if NVRTC is nowhere; the message says what to install
    static NativeLibrary open() {
        String named = System.getProperty(LIBRARY_PROPERTY);
        if (named != null) {
            Path library = Path.of(named);
            return Files.exists(library) ? openBesideBuiltins(library) : NativeLibrary.open(named);
        }
        for (String name : NAMES) {
            try {
                return NativeLibrary.open(name);
            } catch (IllegalArgumentException e) {
                // It is not in the library path, so we look further.
            }
        }
        for (Path folder : toolkitFolders()) {
            for (String name : NAMES) {
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
                "no NVRTC, the CUDA compiler library: install the CUDA toolkit 12.4 or newer (libnvrtc.so.12 or .13 in the "
                        + "library path, in CUDA_HOME or in /usr/local/cuda), put org.bytedeco:cuda-redist (classifier "
                        + "linux-x86_64) on the class path, or name the library with -D" + LIBRARY_PROPERTY);
    }

    private static List<Path> toolkitFolders() {
        List<Path> roots = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String value = System.getenv(variable);
            if (value != null && !value.isBlank()) {
                roots.add(Path.of(value));
            }
        }
        Path local = Path.of("/usr/local");
        if (Files.isDirectory(local)) {
            try (Stream<Path> children = Files.list(local)) {
                // The folder `cuda` comes first, then the newest version.
                children.filter(p -> p.getFileName().toString().startsWith("cuda"))
                        .sorted((a, b) -> a.endsWith("cuda") ? -1 : b.endsWith("cuda") ? 1 : b.compareTo(a))
                        .forEach(roots::add);
            } catch (IOException e) {
                // A folder that cannot be read has no toolkit that we can use.
            }
        }
        List<Path> folders = new ArrayList<>();
        for (Path root : roots) {
            folders.add(root.resolve("lib64"));
            folders.add(root.resolve("targets/x86_64-linux/lib"));
            folders.add(root.resolve("lib"));
        }
        return folders;
    }

    /// Opens NVRTC after its builtins. NVRTC loads these by their bare name, which fails outside the library path
    /// unless they are loaded already.
    private static NativeLibrary openBesideBuiltins(Path library) {
        Path folder = library.toAbsolutePath().getParent();
        try (Stream<Path> siblings = Files.list(folder)) {
            siblings.filter(p -> p.getFileName().toString().startsWith("libnvrtc-builtins.so"))
                    .filter(p -> !p.toString().contains(".alt."))
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
        String index = REDIST_FOLDER + NAMES.get(0);
        if (NvrtcLocator.class.getResource(index) == null) {
            return null;
        }
        Path folder = CacheFolder.resolve("nvrtc");
        try {
            Files.createDirectories(folder);
            Path library = null;
            for (String name : List.of(
                    "libnvrtc-builtins.so.13.0",
                    "libnvrtc-builtins.so.13.1",
                    "libnvrtc-builtins.so.13.2",
                    NAMES.get(0))) {
                try (InputStream in = NvrtcLocator.class.getResourceAsStream(REDIST_FOLDER + name)) {
                    if (in != null) {
                        library = folder.resolve(name);
                        Path temporary = Files.createTempFile(folder, name, ".tmp");
                        Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
                        Files.move(temporary, library, StandardCopyOption.ATOMIC_MOVE);
                    }
                }
            }
            return library;
        } catch (IOException e) {
            throw new UncheckedIOException("NVRTC cannot be unpacked to " + folder, e);
        }
    }
}
