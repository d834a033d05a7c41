package io.samplesort.files;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Arrays;

/// Closes several things, all of them even if closing one fails.
public final class Closing {
    private Closing() {}

    /// Closes everything, in order.
    ///
    /// @param open may have nulls, which are left out
    /// @throws IOException the first failure; further ones are added to it. So is it with a [RuntimeException]
    public static void all(Iterable<? extends Closeable> open) throws IOException {
        Exception failure = null;
        for (Closeable one : open) {
            try {
                if (one != null) {
                    one.close();
                }
            } catch (IOException | RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else if (!failure.equals(e)) {
                    failure.addSuppressed(e);
                }
            }
        }
        switch (failure) {
            case null -> {}
            case IOException e -> throw e;
            default -> throw (RuntimeException) failure;
        }
    }

    /// As [#all(Iterable)].
    static void all(Closeable... open) throws IOException {
        all(Arrays.asList(open));
    }

    /// Closes an arena unless it is closed already, which an arena itself refuses.
    static void end(Arena arena) {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
