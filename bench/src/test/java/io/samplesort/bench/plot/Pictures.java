package io.samplesort.bench.plot;

import java.io.IOException;

/// Says whether tests can draw pictures. A JDK from a package may lack the libraries that it needs for letters.
public final class Pictures {
    private Pictures() {}

    /// Returns whether Java can draw letters, or `CI=true` says that all tests have to run.
    public static boolean canBeDrawn() {
        if ("true".equals(System.getenv("CI"))) {
            return true;
        }
        try {
            PictureFont.use();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
