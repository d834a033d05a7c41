package io.samplesort.cuda;

import java.nio.file.Path;

/// The user's folder for files that can be made again.
public final class CacheFolder {
    /// The system property that names another folder.
    public static final String PROPERTY = "samplesort.cache";

    private CacheFolder() {}

    /// Returns a folder within it, which may not exist yet.
    public static Path resolve(String child) {
        return root().resolve(child);
    }

    private static Path root() {
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return Path.of(named);
        }
        String home = System.getProperty("user.home");
        String os = System.getProperty("os.name");
        String xdg = System.getenv("XDG_CACHE_HOME");
        if (os.startsWith("Mac")) {
            return Path.of(home, "Library", "Caches", "samplesort");
        }
        if (os.startsWith("Windows")) {
            String local = System.getenv("LOCALAPPDATA");
            return local == null ? Path.of(home, "samplesort-cache") : Path.of(local, "samplesort", "cache");
        }
        return xdg == null || xdg.isBlank() ? Path.of(home, ".cache", "samplesort") : Path.of(xdg, "samplesort");
    }
}
